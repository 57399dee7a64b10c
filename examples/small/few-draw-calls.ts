// 3,000 different houses in a few draw calls: each of them stays in the scene graph.

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { OctreeGroup, pick, StaticBatches } from 'scene-octree/three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
const canvas = renderer.domElement;
document.body.append(canvas);
document.body.insertAdjacentHTML(
  'beforeend',
  `<aside><output></output>
   <label><input type="checkbox" checked> batches</label>
   <p>Click a house to take it away.</p></aside>`,
);
const output = document.querySelector('output')!;
const usesBatches = document.querySelector('input')!;

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x131a26);
const sun = new THREE.DirectionalLight(0xffe6c4, 3);
sun.position.set(3, 4, 2);
scene.add(sun, new THREE.HemisphereLight(0xbcd2ff, 0x3b3a45, 1.4));
const camera = new THREE.PerspectiveCamera(45, 1, 1, 600);
camera.position.set(60, 50, 120);
const controls = new OrbitControls(camera, canvas);

/** A house with a geometry of its own: 4 to 10 corners. */
function createHouse(k: number): THREE.BufferGeometry {
  const corners = 4 + (k % 7);
  const height = 3 + ((k * 7919) % 23);
  const house = new THREE.CylinderGeometry(
    2.2 + (k % 5) / 4,
    2.4,
    height,
    corners,
    1 + (k % 3),
  );
  return house.rotateY(Math.PI / corners + k).translate(0, height / 2, 0);
}

// Share materials: what has the same material can be drawn in one call.
const materials = [0xd8c3a5, 0xb9a18a, 0x8e8d8a, 0xe98074].map(
  (color) => new THREE.MeshLambertMaterial({ color, flatShading: true }),
);
const group = new OctreeGroup({ hasStaticChildren: true });
scene.add(group);
for (let k = 0; k < 3000; k++) {
  const house = new THREE.Mesh(createHouse(k), materials[(k * 31) % 4]);
  house.position.set((k % 60) * 6 - 177, 0, Math.floor(k / 60) * 6 - 147);
  group.add(house);
}

let batches: StaticBatches | null = new StaticBatches(group).finish();
usesBatches.addEventListener('change', () => {
  batches?.dispose(); // each house is drawn by itself again
  batches = usesBatches.checked ? new StaticBatches(group).finish() : null;
});
canvas.addEventListener('click', (event) => {
  pick(event, camera, canvas, group)?.object.removeFromParent();
});

function resize(): void {
  renderer.setPixelRatio(devicePixelRatio);
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();

renderer.setAnimationLoop(() => {
  controls.update();
  renderer.render(scene, camera);
  const { calls } = renderer.info.render;
  output.textContent = `${group.octree.size} different houses, ${calls} draw calls`;
});
