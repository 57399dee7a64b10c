// The object under the pointer among 5,000, exact to the triangle, in each frame.

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { OctreeGroup, pick } from 'scene-octree/three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
const canvas = renderer.domElement;
document.body.append(canvas);
document.body.insertAdjacentHTML('beforeend', '<aside><output></output></aside>');
const output = document.querySelector('output')!;

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x0d121b);
const sun = new THREE.DirectionalLight(0xffffff, 3);
sun.position.set(3, 4, 2);
scene.add(sun, new THREE.HemisphereLight(0xbcd2ff, 0x202430, 1.2));
const camera = new THREE.PerspectiveCamera(50, 1, 0.1, 300);
camera.position.set(0, 0, 70);
const controls = new OrbitControls(camera, canvas);
controls.autoRotate = true;
controls.autoRotateSpeed = 0.4;

const shapes = [
  new THREE.TorusKnotGeometry(0.8, 0.28, 64, 8),
  new THREE.TorusGeometry(1, 0.35, 10, 24),
  new THREE.IcosahedronGeometry(1.1),
];
const plain = [0x4d6fa8, 0x4f93a0, 0x7b7fb5].map(
  (color) => new THREE.MeshLambertMaterial({ color }),
);
const marked = new THREE.MeshBasicMaterial({ color: 0xffb454 });
const group = new OctreeGroup();
scene.add(group);
const random = (): number => THREE.MathUtils.seededRandom() - 0.5;
THREE.MathUtils.seededRandom(7);
for (let k = 0; k < 5000; k++) {
  const mesh = new THREE.Mesh<THREE.BufferGeometry, THREE.Material>(
    shapes[k % 3],
    plain[k % 3],
  );
  mesh.name = `${['knot', 'ring', 'stone'][k % 3]} ${k}`;
  mesh.position.set(random(), random(), random()).multiplyScalar(110);
  mesh.rotation.set(random() * 6, random() * 6, 0);
  group.add(mesh);
}

const pointer = new THREE.Vector2(-1, -1);
canvas.addEventListener('pointermove', ({ clientX, clientY }) =>
  pointer.set(clientX, clientY),
);
canvas.addEventListener('pointerleave', () => pointer.set(-1, -1));
let found: THREE.Mesh | null = null;
let replaced = plain[0];

/** Marks the mesh under the pointer. The camera moves, so it may be another one. */
function mark(): void {
  const at = { clientX: pointer.x, clientY: pointer.y };
  const hit = pick(at, camera, canvas, group);
  if (found) found.material = replaced;
  found = (hit?.object as typeof found) ?? null;
  output.textContent = hit
    ? `${hit.object.name}, ${hit.distance.toFixed(1)} m away`
    : 'Point at something.';
  if (!found) return;
  replaced = found.material as typeof replaced;
  found.material = marked;
}

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
  mark();
  renderer.render(scene, camera);
});
