// A square at night with six lamps: only the shadow maps in whose light something
// moves are drawn.

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { OctreeGroup, ShadowUpdates } from 'scene-octree/three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
document.body.insertAdjacentHTML(
  'beforeend',
  `<aside><output></output>
   <label><input type="checkbox" checked> only maps that change</label>
   <label><input type="checkbox" checked> the car drives</label></aside>`,
);
const output = document.querySelector('output')!;
const [updatesOnly, drives] = document.querySelectorAll('input');

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x0b0f18);
scene.add(new THREE.HemisphereLight(0x8fa8e0, 0x20242c, 0.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.5, 300);
camera.position.set(0, 42, 62);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(0, 0, 4);

const paint = (color: number) => new THREE.MeshLambertMaterial({ color });
const ground = new THREE.Mesh(
  new THREE.PlaneGeometry(160, 110).rotateX(-Math.PI / 2),
  paint(0x8b93a3),
);
ground.receiveShadow = true;
scene.add(ground);

const group = new OctreeGroup();
scene.add(group);
function addBox(
  color: number,
  place: number[],
  size: [number, number, number],
): THREE.Mesh {
  const mesh = new THREE.Mesh(new THREE.BoxGeometry(...size), paint(color));
  mesh.position.set(place[0], size[1] / 2, place[1]);
  mesh.castShadow = mesh.receiveShadow = true;
  group.add(mesh);
  return mesh;
}
for (let k = 0; k < 96; k++) {
  const [x, z] = [(k % 16) * 6 - 45, Math.floor(k / 16) * 9 - 22.5];
  const height = 1 + ((k * 13) % 5) / 2;
  addBox([0xc98f5a, 0x5f8fa3, 0x9a6f8f][k % 3], [x, z], [2.4, height, 2.4]);
}
const car = addBox(0xff6b6b, [0, 0], [4, 1.6, 2]);

const lamps = [-30, 0, 30].flatMap((x) =>
  [-16, 16].map((z) => new THREE.Vector3(x, 15, z)),
);
for (const place of lamps) {
  const lamp = new THREE.SpotLight(0xffd9a0, 900, 45, 0.85, 0.6);
  lamp.position.copy(place);
  lamp.target.position.set(place.x, 0, place.z);
  lamp.castShadow = true;
  lamp.shadow.mapSize.setScalar(512);
  scene.add(lamp, lamp.target);
}

let shadows: ShadowUpdates | null = null;
function setUpdates(): void {
  shadows?.dispose(); // three draws all maps in each frame again
  shadows = updatesOnly.checked
    ? new ShadowUpdates(scene, renderer, [group])
    : null;
  shadows?.setStill(ground); // it is outside of the group
}
updatesOnly.addEventListener('change', setUpdates);
setUpdates();

function resize(): void {
  renderer.setPixelRatio(devicePixelRatio);
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();

let way = 0;
renderer.setAnimationLoop(() => {
  if (drives.checked) way += 0.2;
  car.position.set(40 * Math.sin(way / 40), 0.8, 27);
  controls.update();
  renderer.render(scene, camera);
  const drawn = shadows?.due.length ?? lamps.length;
  output.textContent = `${drawn} of ${lamps.length} shadow maps drawn`;
});
