// Who is near whom among 1,200 that walk: pairs that come within 3 m, and pairs
// that part.

import * as THREE from 'three';
import { Octree, trackContacts } from 'scene-octree';

const renderer = new THREE.WebGLRenderer({ antialias: true });
document.body.append(renderer.domElement);
document.body.insertAdjacentHTML('beforeend', '<aside><output></output></aside>');
const output = document.querySelector('output')!;

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x0d121b);
scene.add(new THREE.HemisphereLight(0xdfe8ff, 0x30343c, 3));
const camera = new THREE.PerspectiveCamera(45, 1, 0.5, 400);
camera.position.set(0, 78, 62);
camera.lookAt(0, 0, 6);

const COUNT = 1200;
const random = (range: number) => (THREE.MathUtils.seededRandom() - 0.5) * range;
/** Centre x y z and radius of each. */
const spheres = new Float32Array(4 * COUNT);
const headings = new Float32Array(COUNT);
for (let k = 0; k < COUNT; k++) {
  spheres.set([random(110), 0, random(80), 0.4], 4 * k);
  headings[k] = random(2 * Math.PI);
}
// In a new octree the indices are 0, 1, 2, ...
const octree = new Octree();
const indices = octree.insertMany(spheres, { kind: 'sphere' });
const near = trackContacts(octree, { within: 3 });

const people = new THREE.InstancedMesh(
  new THREE.SphereGeometry(0.4, 12, 8),
  new THREE.MeshLambertMaterial({ color: 0x7aa7ff }),
  COUNT,
);
people.frustumCulled = false;
const lines = new THREE.LineSegments(
  new THREE.BufferGeometry(),
  new THREE.LineBasicMaterial({ color: 0xffb454 }),
);
lines.frustumCulled = false;
const ends = new THREE.BufferAttribute(new Float32Array(6 * 8000), 3);
lines.geometry.setAttribute('position', ends);
scene.add(people, lines);

function step(seconds: number): void {
  for (let k = 0; k < COUNT; k++) {
    headings[k] += Math.sin(k * 7 + headings[k] * 3) * seconds;
    const [x, z] = [4 * k, 4 * k + 2];
    spheres[x] += 4 * seconds * Math.cos(headings[k]);
    spheres[z] += 4 * seconds * Math.sin(headings[k]);
    if (Math.abs(spheres[x]) > 55 || Math.abs(spheres[z]) > 40) {
      headings[k] = Math.atan2(-spheres[z], -spheres[x]); // back to the middle
    }
  }
  octree.moveMany(indices, spheres);
  octree.update(seconds); // fills near.began, near.stayed and near.ended
}

function show(): void {
  const matrix = new THREE.Matrix4();
  for (let k = 0; k < COUNT; k++) {
    people.setMatrixAt(
      k,
      matrix.makeTranslation(spheres[4 * k], 0, spheres[4 * k + 2]),
    );
  }
  people.instanceMatrix.needsUpdate = true;
  let end = 0;
  for (const list of [near.began, near.stayed]) {
    for (let k = 0; k < list.length; k++) {
      const index = list.array[k]; // two of them are a pair
      ends.setXYZ(end++, spheres[4 * index], 0, spheres[4 * index + 2]);
    }
  }
  ends.needsUpdate = true;
  lines.geometry.setDrawRange(0, end);
  const [began, ended] = [near.began.length / 2, near.ended.length / 2];
  const change = `${began} have come, ${ended} have parted in this step`;
  output.textContent = `${near.count} pairs within 3 m: ${change}`;
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
  step(1 / 60);
  show();
  renderer.render(scene, camera);
});
