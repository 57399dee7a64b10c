// 2,000 React elements with event handlers: an event tests the few near the
// pointer, not all.

import { createRoot, events, extend, type ThreeEvent } from '@react-three/fiber';
import { OctreeGroup } from 'scene-octree/react';
import { useState } from 'react';
import * as THREE from 'three';

const canvas = document.body.appendChild(document.createElement('canvas'));
document.body.insertAdjacentHTML(
  'beforeend',
  '<aside><output>Click a tile.</output></aside>',
);
const output = document.querySelector('output')!;

const geometry = new THREE.BoxGeometry(0.9, 0.9, 0.9);
const COLUMNS = 50;
const ROWS = 40;

function Tile({ id, onTurn }: { id: number; onTurn: (isUp: boolean) => void }) {
  const [isUp, setUp] = useState(false);
  const [isHovered, setHovered] = useState(false);
  const turn = (event: ThreeEvent<MouseEvent>) => {
    event.stopPropagation(); // otherwise the tiles behind it are clicked, too
    setUp(!isUp);
    onTurn(!isUp);
  };
  const hover = (event: ThreeEvent<PointerEvent>) => {
    event.stopPropagation();
    setHovered(true);
  };
  return (
    <mesh
      geometry={geometry}
      position={[
        (id % COLUMNS) - COLUMNS / 2,
        isUp ? 0.7 : 0,
        Math.floor(id / COLUMNS) - ROWS / 2,
      ]}
      onClick={turn}
      onPointerOver={hover}
      onPointerOut={() => setHovered(false)}
    >
      <meshLambertMaterial
        color={isUp ? '#ffb454' : isHovered ? '#7aa7ff' : '#4c5a75'}
      />
    </mesh>
  );
}

function Field() {
  const [up, setUp] = useState(0);
  output.textContent = `${up} of ${COLUMNS * ROWS} tiles are up`;
  return (
    <>
      <color attach="background" args={['#131a26']} />
      <hemisphereLight args={['#dfe8ff', '#30343c', 2]} />
      <directionalLight position={[2, 4, 3]} intensity={2} />
      {/* was: <group> */}
      <OctreeGroup>
        {Array.from({ length: COLUMNS * ROWS }, (_, id) => (
          <Tile
            key={id}
            id={id}
            onTurn={(isUp) => setUp((count) => count + (isUp ? 1 : -1))}
          />
        ))}
      </OctreeGroup>
    </>
  );
}

// With react-dom, <Canvas> does the rest.
const { Mesh, MeshLambertMaterial, Color, HemisphereLight, DirectionalLight } =
  THREE;
extend({ Mesh, MeshLambertMaterial, Color, HemisphereLight, DirectionalLight });
const root = createRoot(canvas);
async function resize(): Promise<void> {
  await root.configure({
    events,
    dpr: [1, 2],
    size: { width: innerWidth, height: innerHeight, top: 0, left: 0 },
    camera: { position: [0, 26, 27], fov: 50 },
    onCreated: ({ camera }) => camera.lookAt(0, 0, 2),
  });
  root.render(<Field />);
}
addEventListener('resize', () => void resize());
void resize();
