// 8,000 trees in the wind, with a coarse form in the distance: two draw calls.

import * as THREE from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { OctreeInstances } from 'scene-octree/three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
document.body.append(renderer.domElement);
document.body.insertAdjacentHTML('beforeend', '<aside><output></output></aside>');
const output = document.querySelector('output')!;

const scene = new THREE.Scene();
scene.background = new THREE.Color(0xa9c6d8);
scene.fog = new THREE.Fog(0xa9c6d8, 40, 190);
const sun = new THREE.DirectionalLight(0xfff0d0, 3);
sun.position.set(3, 4, 2);
scene.add(sun, new THREE.HemisphereLight(0xcfe4ff, 0x4a5238, 1.6));
const camera = new THREE.PerspectiveCamera(55, 1, 0.1, 200);
const ground = new THREE.Mesh(
  new THREE.PlaneGeometry(600, 600).rotateX(-Math.PI / 2),
  new THREE.MeshLambertMaterial({ color: 0x6f8a4f }),
);
scene.add(ground);

/** A fir of some cones, 6 m high. */
function createFir(cones: number, sides: number): THREE.BufferGeometry {
  const parts = [
    new THREE.CylinderGeometry(0.2, 0.3, 1.4, sides, 1, true).translate(0, 0.7, 0),
  ];
  for (let k = 0; k < cones; k++) {
    const height = 5 / cones + 1;
    const cone = new THREE.ConeGeometry(
      1.7 - (1.1 * k) / cones,
      height,
      sides,
      3,
      true,
    );
    parts.push(cone.translate(0, 1 + (k * 5) / cones + height / 2, 0));
  }
  const fir = mergeGeometries(parts);
  fir.computeBoundingBox();
  // Room for the wind: what moves vertices must not leave the bounds.
  fir.boundingBox!.expandByVector(new THREE.Vector3(SWAY, 0, SWAY));
  fir.boundingSphere = fir.boundingBox!.getBoundingSphere(new THREE.Sphere());
  return fir;
}

/** Metres that the wind moves a top. */
const SWAY = 0.5;
const wind = { value: 0 };
const material = new THREE.MeshLambertMaterial({
  color: 0x3f6b3f,
  side: THREE.DoubleSide,
});
material.onBeforeCompile = (shader) => {
  shader.uniforms.wind = wind;
  shader.vertexShader = `uniform float wind;\n${shader.vertexShader}`.replace(
    '#include <begin_vertex>',
    `#include <begin_vertex>
    float phase = wind + 0.1 * (instanceMatrix[3].x + instanceMatrix[3].z);
    float share = ${SWAY.toFixed(2)} * position.y * position.y / 36.0;
    transformed.xz += share * vec2(sin(phase), 0.5 * cos(1.3 * phase));`,
  );
};

const trees = new OctreeInstances(createFir(4, 9), material, 8000);
trees.addLevel(createFir(1, 5), 45, 0.1); // from 45 m on
const matrix = new THREE.Matrix4();
const random = (): number => THREE.MathUtils.seededRandom() - 0.5;
THREE.MathUtils.seededRandom(3);
for (let id = 0; id < 8000; id++) {
  const size = 1 + random() * 0.7;
  matrix.makeScale(size, size, size).setPosition(random() * 400, 0, random() * 400);
  trees.setMatrixAt(id, matrix);
}
scene.add(trees);

function resize(): void {
  renderer.setPixelRatio(devicePixelRatio);
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();

renderer.setAnimationLoop((milliseconds) => {
  wind.value = milliseconds / 700;
  const angle = milliseconds / 30_000;
  camera.position.set(Math.sin(angle) * 70, 11, Math.cos(angle) * 70);
  camera.lookAt(camera.position.x * 0.2, 4, camera.position.z * 0.2);
  renderer.render(scene, camera);
  const { calls, triangles } = renderer.info.render;
  output.textContent = `8000 trees: ${calls - 1} draw calls, ${triangles} triangles`;
});
