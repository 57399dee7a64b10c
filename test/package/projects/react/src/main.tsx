import { createRoot, events, extend } from '@react-three/fiber';
import { OctreeGroup, OctreeInstances, useNear } from 'scene-octree/react';
import { useEffect, useRef } from 'react';
import { BoxGeometry, Mesh, MeshBasicMaterial } from 'three';
import type { OctreeGroup as OctreeGroupObject } from 'scene-octree/three';

extend({ Mesh, BoxGeometry, MeshBasicMaterial });
const canvas = document.querySelector('canvas')!;
const result: { clicked?: string; near?: string[] } = {};

function World() {
  const group = useRef<OctreeGroupObject>(null);
  const near = useNear(group, [0, 0, 0], 0.1);
  useEffect(() => {
    if (near.length === 0) return;
    result.near = near.map(({ name }) => name);
    for (const type of ['pointerdown', 'pointerup', 'click'])
      canvas.dispatchEvent(new PointerEvent(type, { clientX: 50, clientY: 50, bubbles: true, pointerId: 1 }));
    Object.assign(window, { result });
  }, [near]);
  return (
    <OctreeGroup ref={group} args={[{ leafCapacity: 8 }]} hasStaticChildren>
      {[-3, 0, 3].map((x, k) => (
        <mesh
          key={x}
          name={`mesh ${k}`}
          position={[x, 0, 0]}
          onClick={({ object }) => void (result.clicked = object.name)}
        >
          <boxGeometry />
          <meshBasicMaterial />
        </mesh>
      ))}
      <OctreeInstances
        args={[undefined, undefined, 2]}
        position={[0, 5, 0]}
        onClick={({ instanceId }) => void instanceId?.toFixed()}
      />
    </OctreeGroup>
  );
}

// @ts-expect-error a string is no option
export const wrong = <OctreeGroup hasStaticChildren="yes" />;

Object.assign(canvas.style, { position: 'fixed', left: '0', top: '0' });
const root = createRoot(canvas);
await root.configure({ events, size: { width: 100, height: 100, top: 0, left: 0 }, camera: { position: [0, 0, 10] } });
root.render(<World />);
