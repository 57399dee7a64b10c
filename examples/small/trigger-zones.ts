// Trigger zones: each is told who enters and who leaves, without a query.

import * as THREE from 'three';
import { Octree, watch } from 'scene-octree';

const renderer = new THREE.WebGLRenderer({ antialias: true });
document.body.append(renderer.domElement);
document.body.insertAdjacentHTML('beforeend', '<aside><output></output></aside>');
const output = document.querySelector('output')!;

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x0d121b);
scene.add(new THREE.HemisphereLight(0xdfe8ff, 0x30343c, 3));
const camera = new THREE.PerspectiveCamera(45, 1, 0.5, 400);
camera.position.set(0, 82, 56);
camera.lookAt(0, 0, 3);

const octree = new Octree<THREE.Mesh>();
const counts = { entered: 0, left: 0 };

// Twelve zones. The disc of a zone flashes when someone comes in.
const disc = new THREE.CircleGeometry(6.5, 48).rotateX(-Math.PI / 2);
const zones = Array.from({ length: 12 }, (_, k) => {
  const centre = new THREE.Vector3(
    (k % 3) * 22 - 22,
    0,
    Math.floor(k / 3) * 20 - 30,
  );
  const material = new THREE.MeshBasicMaterial({
    color: 0x3fd6b8,
    transparent: true,
    opacity: 0.2,
  });
  const shown = new THREE.Mesh(disc, material);
  shown.position.copy(centre).setY(-0.6);
  scene.add(shown);
  const sensor = watch(octree, new THREE.Sphere(centre, 6.5), {
    onEnter(body) {
      counts.entered++;
      material.opacity = 0.6;
      body.data.material = inside;
    },
    onLeave(body) {
      counts.left++;
      body.data.material = outside;
    },
  });
  return { sensor, material };
});

// 400 people who walk in circles.
const shape = new THREE.CapsuleGeometry(0.4, 0.6, 4, 10);
const outside = new THREE.MeshLambertMaterial({ color: 0x7aa7ff });
const inside = new THREE.MeshLambertMaterial({ color: 0xffb454 });
const people = Array.from({ length: 400 }, (_, k) => {
  const mesh = new THREE.Mesh(shape, outside);
  scene.add(mesh);
  const body = octree.insert(new THREE.Sphere(mesh.position, 0.5), mesh);
  return {
    mesh,
    body,
    radius: 8 + ((k * 13) % 26),
    angle: k,
    speed: 0.25 + (k % 7) / 30,
  };
});

function step(seconds: number): void {
  for (const person of people) {
    const { mesh, body, radius } = person;
    person.angle += (person.speed * seconds * 20) / radius;
    const [x, z] = [Math.cos(person.angle), Math.sin(person.angle * 1.3)];
    mesh.position.set(x * radius, 0, z * radius * 1.1);
    body.setCenter(mesh.position);
  }
  octree.update(seconds); // calls onEnter and onLeave
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
  let present = 0;
  for (const { sensor, material } of zones) {
    present += sensor.inside.length;
    material.opacity = Math.max(0.2, material.opacity - 0.02);
  }
  renderer.render(scene, camera);
  const { entered, left } = counts;
  output.textContent = `${present} in the zones: ${entered} have entered, ${left} have left`;
});
