// Bullets that fly 10 m in a step, at plates of 0.2 m: casts find every hit, tests
// of places do not.

import * as THREE from 'three';
import { castSphere, Octree } from 'scene-octree';

const renderer = new THREE.WebGLRenderer({ antialias: true });
document.body.append(renderer.domElement);
document.body.insertAdjacentHTML('beforeend', '<aside><output></output></aside>');
const output = document.querySelector('output')!;

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x0d121b);
const sun = new THREE.DirectionalLight(0xffffff, 2.5);
sun.position.set(3, 4, 6);
scene.add(sun, new THREE.HemisphereLight(0xbcd2ff, 0x202430, 1.5));
const camera = new THREE.PerspectiveCamera(50, 1, 0.5, 400);
camera.position.set(32, 14, 34);
camera.lookAt(0, -2, -70);

// A wall of 1,200 plates. The data of a body is the number of its plate.
const octree = new Octree<number>();
const plates = new THREE.InstancedMesh(
  new THREE.BoxGeometry(1.9, 1.9, 0.2),
  new THREE.MeshLambertMaterial(),
  1200,
);
scene.add(plates);
const half = new THREE.Vector3(1, 1, 0.1);
for (let k = 0; k < 1200; k++) {
  const centre = new THREE.Vector3(
    (k % 40) * 2 - 39,
    Math.floor(k / 40) * 2 - 29,
    -80,
  );
  const bounds = new THREE.Box3(centre.clone().sub(half), centre.clone().add(half));
  octree.insert(bounds, k, { isStatic: true });
  plates.setMatrixAt(k, new THREE.Matrix4().setPosition(centre));
  plates.setColorAt(k, new THREE.Color(0x3c4f73));
}

interface Bullet {
  readonly mesh: THREE.Mesh;
  /** Its way in a thirtieth of a second, at 300 m/s. */
  readonly step: THREE.Vector3;
}
const bullets = new Set<Bullet>();
const shape = new THREE.BoxGeometry(0.2, 0.2, 4);
const glow = new THREE.MeshBasicMaterial({ color: 0xffe0a0 });
const counts = { fired: 0, cast: 0, tested: 0 };

function fire(): void {
  const { fired } = counts;
  const aim = new THREE.Vector3(
    Math.sin(fired * 0.7) * 34,
    Math.cos(fired * 1.1) * 25,
    -80,
  );
  const mesh = new THREE.Mesh(shape, glow);
  mesh.lookAt(aim);
  scene.add(mesh);
  bullets.add({ mesh, step: aim.setLength(10) });
  counts.fired++;
}

function fly(bullet: Bullet): void {
  const { mesh, step } = bullet;
  const sphere = new THREE.Sphere(mesh.position, 0.15);
  const hit = castSphere(octree, sphere, step); // the whole way of the step
  mesh.position.add(step);
  if (octree.intersectSphere(sphere).length > 0) counts.tested++; // its end only
  if (hit === null) return;
  counts.cast++;
  plates.setColorAt(hit.body.data, new THREE.Color(0xffb454));
  plates.instanceColor!.needsUpdate = true;
  mesh.removeFromParent();
  bullets.delete(bullet);
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
  fire();
  for (const bullet of bullets) fly(bullet);
  renderer.render(scene, camera);
  const { fired, cast, tested } = counts;
  const flying = `${fired} fired, ${bullets.size} in flight`;
  output.textContent = `${flying}; hits by casts ${cast}, by tests of places ${tested}`;
});
