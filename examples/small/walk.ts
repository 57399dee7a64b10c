// A person walks through a town, up with a lift and down stairs, exact to the triangle.
// Click where to go.

import * as THREE from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { OctreeGroup, pick } from 'scene-octree/three';
import { castShape, intersectTriangles } from 'scene-octree/triangles';
import { solveContacts, TriangleScene } from 'scene-octree/triangles';

const renderer = new THREE.WebGLRenderer({ antialias: true });
document.body.append(renderer.domElement);
document.body.insertAdjacentHTML('beforeend', '<aside><output></output></aside>');
const output = document.querySelector('output')!;
const [scene, camera] = [new THREE.Scene(), new THREE.PerspectiveCamera(45, 1)];
scene.background = new THREE.Color(0x131a26);
const sun = new THREE.DirectionalLight(0xffe6c4, 3);
sun.position.set(2, 4, 3);
scene.add(sun, new THREE.HemisphereLight(0xbcd2ff, 0x3b3a45, 1.4));

const group = new OctreeGroup();
scene.add(group);
const cube = new THREE.BoxGeometry();
const paint = (color: number) => new THREE.MeshLambertMaterial({ color });
function add(name: string, color: number, place: number[], size: number[]) {
  const mesh = new THREE.Mesh(cube, paint(color));
  mesh.position.fromArray(place);
  mesh.scale.fromArray(size);
  group.add(Object.assign(mesh, { name }));
  return mesh;
}
add('street', 0x39424f, [0, -0.5, 0], [160, 1, 160]);
add('bridge', 0x8f9db3, [7, 4.8, 0], [10, 0.4, 4]);
const lift = add('lift', 0xffb454, [0, 0, 0], [4, 6, 4]);
for (let k = 0; k < 19; k++)
  add('stairs', 0x75808f, [12.2 + 0.4 * k, 4.62 - 0.25 * k, 0], [0.4, 0.26, 4]);
for (let k = 0; k < 400; k++) {
  const [x, z, y] = [(k % 20) * 7 - 66, Math.floor(k / 20) * 7 - 66, (k * 79) % 5];
  if (Math.hypot(x - 8, z) > 18)
    add('house', 0x8f7a66, [x, y / 2, z], [5, y + 6, 5]);
}
const town = new TriangleScene(group, { MeshBVH });

// The person: a capsule from the knees up, above a sphere that finds the ground. Metres.
const [RADIUS, HEIGHT, HIP, KNEES, FOOT] = [0.32, 1.75, 0.77, 0.45, 0.2];
const feet = new THREE.Vector3(-6, 0, 6);
let ground: THREE.Object3D | null = null; // what it stands on; null in the air
let fall = 0; // metres per second
const carry = new THREE.Matrix4(); // the inverse matrix of the ground in the last step
const above = (y: number) => new THREE.Vector3(0, y, 0).add(feet);
const figure = new THREE.CapsuleGeometry(RADIUS, HEIGHT - 2 * RADIUS);
const person = new THREE.Mesh(figure.translate(0, HEIGHT / 2, 0), paint(0x5fb39a));
scene.add(person); // not in the group: nothing that the person shall touch

/** One step, after all else has moved. */
function walk(seconds: number, velocity: THREE.Vector3): void {
  if (ground) feet.applyMatrix4(carry.premultiply(ground.matrixWorld)); // rides along
  fall = Math.min(50, fall + 18 * seconds);
  feet.addScaledVector(velocity, seconds).y -= fall * seconds;
  const [start, end] = [above(HIP), above(HEIGHT - RADIUS)];
  const contacts = intersectTriangles(town, { start, end, radius: RADIUS });
  const push = solveContacts(contacts, new THREE.Vector3()); // the shortest way out
  feet.add(push.setY(Math.max(0, push.y))); // not through the ground
  const hip = above(HIP);
  const reach = ground ? HIP + KNEES : HIP; // stairs down are followed
  ground = null;
  // Beyond the edge of a step the sphere touches its side: then a ray finds the ground.
  for (const radius of [FOOT, 0]) {
    const down = new THREE.Vector3(0, radius - reach, 0);
    const hit = castShape(town, new THREE.Sphere(hip, radius), down);
    if (!hit?.object || hit.normal.y < 0.5) continue; // nothing, or too steep
    ground = hit.object;
    carry.copy(ground.matrixWorld).invert();
    feet.y = hip.y - hit.distance - radius;
    fall = 0;
    break;
  }
}

const places = [0, 5, 0, 11, 5, 0, 22, 0, 0, 20, 0, 8, -6, 0, 6];
const tour = [0, 3, 6, 9, 12].map((k) => new THREE.Vector3().fromArray(places, k));
renderer.domElement.addEventListener('click', (event) => {
  const hit = pick(event, camera, renderer.domElement, group);
  if (hit) tour.splice(0, Infinity, hit.point);
});

function resize(): void {
  renderer.setPixelRatio(devicePixelRatio);
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();

let time = 0;
renderer.setAnimationLoop((milliseconds) => {
  time = Math.max(time, milliseconds / 1000 - 0.1); // a pause is left out
  for (; time < milliseconds / 1000; time += 1 / 60) {
    const rise = THREE.MathUtils.clamp(0.5 - 0.8 * Math.cos(time / 2), 0, 1);
    lift.position.y = 4.9 * rise - 2.9; // its top: from 0.1 m to 5 m, with a rest there
    group.updateMatrixWorld();
    const way = tour[0].clone().sub(feet);
    if (way.length() < 0.4) tour.push(tour.shift()!);
    walk(1 / 60, way.setY(0).clampLength(0, 3));
  }
  person.position.copy(feet);
  camera.position.set(-8, 10, 15).add(feet);
  camera.lookAt(feet);
  renderer.render(scene, camera);
  output.textContent = `${ground?.name ?? 'in the air'}, ${Math.round(100 * feet.y)} cm high`;
});
