// A walk through streets: what stands behind a house is not drawn.

import * as THREE from 'three';
import { OcclusionCulling, OctreeGroup } from 'scene-octree/three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
document.body.append(renderer.domElement);
document.body.insertAdjacentHTML(
  'beforeend',
  `<aside><output></output>
   <label><input type="checkbox" checked> leave out what is hidden</label></aside>`,
);
const output = document.querySelector('output')!;
const cullsHidden = document.querySelector('input')!;

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x2b3445);
scene.fog = new THREE.Fog(0x2b3445, 20, 220);
const sun = new THREE.DirectionalLight(0xffe6c4, 3);
sun.position.set(3, 4, 2);
scene.add(sun, new THREE.HemisphereLight(0xbcd2ff, 0x3b3a45, 1.6));
const camera = new THREE.PerspectiveCamera(60, 1, 0.1, 300);

const paint = (color: number) => new THREE.MeshLambertMaterial({ color });
const ground = new THREE.Mesh(
  new THREE.PlaneGeometry(640, 640).rotateX(-Math.PI / 2),
  paint(0x39424f),
);
scene.add(ground);

// 400 houses 16 m wide, with streets of 12 m between them.
const houses = new THREE.BoxGeometry(1, 1, 1).translate(0, 0.5, 0);
const facades = [0x8f7a66, 0xa48a70, 0x75808f, 0x917171].map(paint);
const group = new OctreeGroup({ hasStaticChildren: true });
scene.add(group);
for (let k = 0; k < 400; k++) {
  const house = new THREE.Mesh(houses, facades[(k * 13) % 4]);
  house.position.set((k % 20) * 28 - 266, 0, Math.floor(k / 20) * 28 - 266);
  house.scale.set(16, 8 + ((k * 7919) % 15), 20);
  group.add(house);
}
// 3,000 lamps along the streets: many draw calls, nearly all of them behind houses.
const lamp = new THREE.CylinderGeometry(0.06, 0.1, 3.2, 6).translate(0, 1.6, 0);
const lampPaint = paint(0xffb454);
for (let k = 0; k < 3000; k++) {
  const post = new THREE.Mesh(lamp, lampPaint);
  const [street, along] = [(k % 20) * 28 - 275.5, Math.floor(k / 20) * 3.6 - 266];
  post.position.set(street, 0, along);
  group.add(post);
}

let occlusion: OcclusionCulling | null = null;
function setOcclusion(): void {
  occlusion?.dispose();
  occlusion = cullsHidden.checked ? new OcclusionCulling(group, camera) : null;
  occlusion?.setOccluder(houses, true); // the box around each house is solid
}
cullsHidden.addEventListener('change', setOcclusion);
setOcclusion();

function resize(): void {
  renderer.setPixelRatio(devicePixelRatio);
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();

renderer.setAnimationLoop((milliseconds) => {
  // Along a street, and around.
  const turn = Math.sin(milliseconds / 3000) * 0.2;
  camera.position.set(-1.5, 1.8, 240 - ((milliseconds / 250) % 480));
  camera.rotation.y = turn;
  renderer.render(scene, camera);
  const { calls } = renderer.info.render;
  output.textContent = `${calls} of ${group.octree.size + 1} objects drawn`;
});
