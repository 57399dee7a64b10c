// A city that stands still, but for a crane: the moving part is named, all else
// costs next to nothing.

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { OctreeGroup } from 'scene-octree/three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
document.body.append(renderer.domElement);
document.body.insertAdjacentHTML('beforeend', '<aside><output></output></aside>');
const output = document.querySelector('output')!;

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x131a26);
scene.fog = new THREE.Fog(0x131a26, 60, 260);
const sun = new THREE.DirectionalLight(0xffe6c4, 3);
sun.position.set(3, 4, 2);
scene.add(sun, new THREE.HemisphereLight(0xbcd2ff, 0x3b3a45, 1.4));
const camera = new THREE.PerspectiveCamera(45, 1, 0.5, 400);
camera.position.set(38, 44, 62);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(0, 18, 0);

const box = new THREE.BoxGeometry();
const paint = (color: number) => new THREE.MeshLambertMaterial({ color });
const [steel, concrete] = [0xffb454, 0x8f9db3].map(paint);
const facades = [0x4c5a75, 0x5b6a86, 0x6d7790].map(paint);

/** A box that stands on the height y. */
function addBox(
  parent: THREE.Object3D,
  material: THREE.Material,
  place: number[],
  size: number[],
) {
  const mesh = new THREE.Mesh(box, material);
  mesh.scale.fromArray(size);
  mesh.position.set(place[0], place[1] + size[1] / 2, place[2]);
  parent.add(mesh);
  return mesh;
}

const city = new THREE.Group();
addBox(city, paint(0x2a3242), [0, -1, 0], [420, 1, 420]);
for (let k = 0; k < 1600; k++) {
  const [x, z] = [(k % 40) * 10 - 195, Math.floor(k / 40) * 10 - 195];
  if (Math.abs(x) < 12 && Math.abs(z) < 12) continue; // the building site
  addBox(city, facades[k % 3], [x, 0, z], [7, 4 + ((k * 7919) % 17), 7]);
}
addBox(city, concrete, [0, 0, 0], [12, 6, 12]);
addBox(city, steel, [0, 6, 0], [1.2, 28, 1.2]);

const crane = new THREE.Group();
crane.position.y = 34;
city.add(crane);
addBox(crane, steel, [10, 0, 0], [34, 1.1, 1.1]);
addBox(crane, concrete, [-6, -2, 0], [3, 2, 2.4]);
const cable = addBox(crane, concrete, [20, 0, 0], [0.15, 1, 0.15]);
const load = addBox(crane, steel, [20, 0, 0], [4, 1.6, 2.4]);

const group = new OctreeGroup();
group.addTree(city, { isStatic: true }); // static: nothing in it moves by itself
group.setStatic(crane, false); // but for this part, with all that is below it
scene.add(group);

function resize(): void {
  renderer.setPixelRatio(devicePixelRatio);
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();

renderer.setAnimationLoop((milliseconds) => {
  crane.rotation.y = milliseconds / 4000;
  const depth = 14 + 8 * Math.sin(milliseconds / 2500);
  cable.scale.y = depth;
  cable.position.y = -depth / 2;
  load.position.y = -depth;
  controls.update();
  renderer.render(scene, camera);
  const { calls } = renderer.info.render;
  output.textContent = `${calls} of ${group.octree.size} meshes drawn, 4 of them move`;
});
