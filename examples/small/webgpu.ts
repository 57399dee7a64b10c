// WebGPURenderer: 2,000 meshes in a group, and 6,000 instances with a colour by
// their id, in shader nodes.

import * as THREE from 'three/webgpu';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { color, hash, mix } from 'three/tsl';
import { OctreeGroup, OctreeInstances } from 'scene-octree/three';
import { instanceId } from 'scene-octree/tsl';

// Draws with WebGL 2 where there is no WebGPU.
const renderer = new THREE.WebGPURenderer({ antialias: true });
document.body.append(renderer.domElement);
document.body.insertAdjacentHTML('beforeend', '<aside><output></output></aside>');
const output = document.querySelector('output')!;

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x0d121b);
const sun = new THREE.DirectionalLight(0xfff0d8, 3);
sun.position.set(3, 4, 2);
scene.add(sun, new THREE.HemisphereLight(0xbcd2ff, 0x202430, 1.5));
const camera = new THREE.PerspectiveCamera(50, 1, 0.1, 300);
camera.position.set(0, 22, 74);
const controls = new OrbitControls(camera, renderer.domElement);
controls.autoRotate = true;

// A ring of stones: many copies of one mesh.
const stone = new THREE.MeshStandardNodeMaterial({
  roughness: 0.8,
  flatShading: true,
});
stone.colorNode = mix(color(0x6f5a4a), color(0xd9b48a), hash(instanceId));
const stones = new OctreeInstances(new THREE.IcosahedronGeometry(0.5), stone, 6000);
const random = (): number => THREE.MathUtils.seededRandom();
random();
const matrix = new THREE.Matrix4();
for (let id = 0; id < 6000; id++) {
  const [angle, radius] = [random() * 2 * Math.PI, 26 + 22 * random() * random()];
  matrix.makeRotationY(angle).scale(new THREE.Vector3().setScalar(0.4 + random()));
  matrix.setPosition(
    Math.cos(angle) * radius,
    (random() - 0.5) * 3,
    Math.sin(angle) * radius,
  );
  stones.setMatrixAt(id, matrix);
}

// A ball of boxes: 2,000 meshes.
const group = new OctreeGroup();
const box = new THREE.BoxGeometry();
const paint = [0x3fd6b8, 0x7aa7ff].map(
  (color) => new THREE.MeshStandardNodeMaterial({ color }),
);
for (let k = 0; k < 2000; k++) {
  const mesh = new THREE.Mesh(box, paint[k % 2]);
  mesh.position.setFromSphericalCoords(
    16,
    Math.acos(1 - (2 * k + 1) / 2000),
    k * 2.4,
  );
  mesh.lookAt(0, 0, 0);
  group.add(mesh);
}
scene.add(stones, group);

function resize(): void {
  renderer.setPixelRatio(devicePixelRatio);
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();

await renderer.setAnimationLoop(() => {
  controls.update();
  renderer.render(scene, camera);
  const api = 'isWebGPUBackend' in renderer.backend ? 'WebGPU' : 'WebGL 2';
  const { drawCalls } = renderer.info.render;
  const drawn = `${group.octree.size} meshes and ${stones.count} instances`;
  output.textContent = `${api}: ${drawCalls} draw calls for ${drawn}`;
});
