// An editor: click selects, the gizmo moves; undo, duplicate, delete, save.

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import { OctreeGroup, pick } from 'scene-octree/three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
const canvas = renderer.domElement;
document.body.append(canvas);
document.body.insertAdjacentHTML('beforeend', '<aside><output></output></aside>');
const output = document.querySelector('output')!;

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x131a26);
const sun = new THREE.DirectionalLight(0xffe6c4, 3);
sun.position.set(3, 4, 2);
scene.add(sun, new THREE.HemisphereLight(0xbcd2ff, 0x3b3a45, 1.4));
scene.add(new THREE.GridHelper(60, 30, 0x4c5a75, 0x253042));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 400);
camera.position.set(14, 20, 34);
const orbit = new OrbitControls(camera, canvas);
const gizmo = new TransformControls(camera, canvas);
scene.add(gizmo.getHelper());

// What can be selected is in a group. Its moves are found: nothing in it is static.
const group = new OctreeGroup();
scene.add(group);
const box = new THREE.BoxGeometry(1.6, 1.6, 1.6);
const paints = [0xd8a48f, 0x9fc5c1, 0xb8b08d, 0x9a9fc9].map(
  (color) => new THREE.MeshLambertMaterial({ color }),
);
function addBox(place: number[]): THREE.Mesh {
  const mesh = new THREE.Mesh(box, paints[group.children.length % 4]);
  mesh.position.fromArray(place);
  group.add(mesh);
  return mesh;
}
for (let k = 0; k < 200; k++)
  addBox([(k % 20) * 2.6 - 25, 0.8, Math.floor(k / 20) * 2.6 - 12]);

/** What undoes each change, the last one at the end. */
const undos: (() => void)[] = [];
const commands: Record<string, () => void> = {
  Undo: () => undos.pop()?.(),
  Duplicate() {
    if (!gizmo.object) return;
    const copy = addBox(gizmo.object.position.clone().addScalar(0.8).toArray());
    gizmo.attach(copy);
    undos.push(() => gizmo.detach() && copy.removeFromParent());
  },
  Delete() {
    const { object } = gizmo;
    if (!object) return;
    gizmo.detach();
    object.removeFromParent();
    undos.push(() => group.add(object));
  },
  Save() {
    const places = group.children.map(({ position }) => position.toArray());
    localStorage.places = JSON.stringify(places);
  },
  Load() {
    gizmo.detach();
    group.clear();
    undos.length = 0;
    (JSON.parse(localStorage.places ?? '[]') as number[][]).forEach(addBox);
  },
};
for (const [name, command] of Object.entries(commands)) {
  const button = document.createElement('button');
  button.textContent = name;
  button.addEventListener('click', command);
  document.querySelector('aside')!.append(button);
}

gizmo.addEventListener('dragging-changed', ({ value }) => {
  orbit.enabled = value === false;
  const [object, place] = [gizmo.object, gizmo.object.position.clone()];
  if (value === true) undos.push(() => object.position.copy(place));
});
canvas.addEventListener('pointerdown', (event) => {
  if (gizmo.axis !== null) return; // the pointer is on the gizmo
  const hit = pick(event, camera, canvas, group);
  if (hit) gizmo.attach(hit.object);
  else gizmo.detach();
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
  renderer.render(scene, camera);
  output.textContent = `${group.octree.size} boxes, ${undos.length} changes to undo`;
});
