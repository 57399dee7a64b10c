// 400,000 points in 400 tiles: only the tiles in view are drawn, and a pick finds
// a point.

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { OctreeGroup, pick } from 'scene-octree/three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
const canvas = renderer.domElement;
document.body.append(canvas);
document.body.insertAdjacentHTML(
  'beforeend',
  '<aside><output></output><p>Point at the land.</p></aside>',
);
const output = document.querySelector('output')!;
const hint = document.querySelector('p')!;

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x0b0f18);
const camera = new THREE.PerspectiveCamera(45, 1, 0.5, 500);
camera.position.set(30, 38, 82);
const controls = new OrbitControls(camera, canvas);
controls.target.set(0, 0, 30);

/** Height of the land in metres. */
const heightAt = (x: number, z: number): number =>
  7 * Math.sin(x / 17) * Math.cos(z / 23) +
  2.5 * Math.sin(x / 5 + z / 9) +
  Math.cos(z / 3);

const group = new OctreeGroup({ hasStaticChildren: true });
scene.add(group);
const material = new THREE.PointsMaterial({ size: 0.22, vertexColors: true });
const random = (): number => THREE.MathUtils.seededRandom();
random();
const colour = new THREE.Color();
for (let tile = 0; tile < 400; tile++) {
  const places = new Float32Array(3000);
  const colours = new Float32Array(3000);
  for (let k = 0; k < 3000; k += 3) {
    const x = (tile % 20) * 10 - 100 + random() * 10;
    const z = Math.floor(tile / 20) * 10 - 100 + random() * 10;
    const height = heightAt(x, z);
    places.set([x, height, z], k);
    colour
      .setHSL(0.6 - (height + 10) / 40, 0.65, 0.35 + (height + 10) / 45)
      .toArray(colours, k);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(places, 3));
  geometry.setAttribute('color', new THREE.BufferAttribute(colours, 3));
  group.add(new THREE.Points(geometry, material));
}

const raycaster = new THREE.Raycaster();
raycaster.params.Points.threshold = 0.2; // how near to a point the ray has to pass
const marker = new THREE.Mesh(
  new THREE.SphereGeometry(0.6),
  new THREE.MeshBasicMaterial({ color: 0xffb454 }),
);
scene.add(marker);
canvas.addEventListener('pointermove', (event) => {
  const hit = pick(event, camera, canvas, group, { raycaster });
  if (!hit) return;
  const { position } = (hit.object as THREE.Points).geometry.attributes;
  marker.position.fromBufferAttribute(position, hit.index!);
  hint.textContent = `${marker.position.y.toFixed(2)} m high`;
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
  const { calls, points } = renderer.info.render;
  output.textContent = `${points} points in ${calls - 1} of ${group.octree.size} tiles drawn`;
});
