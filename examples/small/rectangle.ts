// Drag a rectangle: all objects in it are selected.

import * as THREE from 'three';
import { OctreeGroup, pickWithin } from 'scene-octree/three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
const canvas = renderer.domElement;
document.body.append(canvas);
document.body.insertAdjacentHTML(
  'beforeend',
  `<aside><output>Drag a rectangle.</output>
   <label><input type="checkbox" checked> only what is wholly inside</label></aside>
   <div hidden style="position: fixed; outline: 2px solid #ffb454"></div>`,
);
const output = document.querySelector('output')!;
const wholeOnly = document.querySelector('input')!;
const frame = document.querySelector('div')!;

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x131a26);
const sun = new THREE.DirectionalLight(0xffe6c4, 3);
sun.position.set(3, 4, 2);
scene.add(sun, new THREE.HemisphereLight(0xbcd2ff, 0x3b3a45, 1.4));
const camera = new THREE.PerspectiveCamera(40, 1, 0.5, 400);
camera.position.set(0, 46, 64);
camera.lookAt(0, 0, 4);

const group = new OctreeGroup({ hasStaticChildren: true });
scene.add(group);
const house = new THREE.BoxGeometry(1, 1, 1).translate(0, 0.5, 0);
const plain = new THREE.MeshLambertMaterial({ color: 0x5b6a86 });
const marked = new THREE.MeshLambertMaterial({ color: 0xffb454 });
for (let k = 0; k < 1600; k++) {
  const mesh = new THREE.Mesh(house, plain);
  mesh.position.set((k % 40) * 2.4 - 47, 0, Math.floor(k / 40) * 2.4 - 47);
  mesh.scale.set(1.6, 0.8 + ((k * 7919) % 40) / 10, 1.6);
  group.add(mesh);
}

let start: PointerEvent | null = null;
let selected: THREE.Mesh[] = [];
canvas.style.touchAction = 'none';
canvas.addEventListener('pointerdown', (event) => {
  start = event;
  canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener('pointermove', (event) => {
  if (!start) return;
  const [left, right] = [start.clientX, event.clientX].sort((a, b) => a - b);
  const [top, bottom] = [start.clientY, event.clientY].sort((a, b) => a - b);
  const inset = [top, innerWidth - right, innerHeight - bottom, left];
  frame.style.inset = inset.map((value) => `${value}px`).join(' ');
  frame.hidden = false;
  select(start, event);
});
canvas.addEventListener('pointerup', () => {
  start = null;
  frame.hidden = true;
});

function select(from: PointerEvent, to: PointerEvent): void {
  for (const mesh of selected) mesh.material = plain;
  const found = pickWithin(from, to, camera, canvas, group, {
    inside: wholeOnly.checked,
  });
  selected = found.map(({ object }) => object as THREE.Mesh);
  for (const mesh of selected) mesh.material = marked;
  output.textContent = `${selected.length} of ${group.octree.size} houses selected`;
}

function resize(): void {
  renderer.setPixelRatio(devicePixelRatio);
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();

renderer.setAnimationLoop(() => renderer.render(scene, camera));
