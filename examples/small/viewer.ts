// A model viewer: each mesh of a glTF model is culled by itself. Drop a .glb file
// on the picture.

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { OctreeGroup } from 'scene-octree/three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
document.body.append(renderer.domElement);
document.body.insertAdjacentHTML('beforeend', '<aside><output></output></aside>');
const output = document.querySelector('output')!;

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x131a26);
const sun = new THREE.DirectionalLight(0xfff0d8, 3);
sun.position.set(2, 3, 1);
scene.add(sun, new THREE.HemisphereLight(0xbcd2ff, 0x3b3a45, 1.6));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 1000);
const controls = new OrbitControls(camera, renderer.domElement);

const group = new OctreeGroup();
scene.add(group);
show(createTown());

/** Puts a model into the group, and the camera before it. */
function show(model: THREE.Object3D): void {
  group.clear();
  group.addTree(model, { isStatic: true }); // static: nothing in it moves by itself
  const bounds = new THREE.Box3().setFromObject(model);
  const { center, radius } = bounds.getBoundingSphere(new THREE.Sphere());
  controls.target.copy(center);
  camera.position.set(0.3, 0.28, 0.42).multiplyScalar(radius).add(center);
  camera.near = radius / 500;
  camera.far = radius * 5;
  camera.updateProjectionMatrix();
}

addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (file)
    new GLTFLoader().load(URL.createObjectURL(file), ({ scene }) => show(scene));
});

/** 900 houses, as a glTF file would hold them: groups with meshes. */
function createTown(): THREE.Group {
  const town = new THREE.Group();
  const wall = new THREE.BoxGeometry(4, 3, 4).translate(0, 1.5, 0);
  const roof = new THREE.ConeGeometry(3.4, 2.4, 4)
    .rotateY(Math.PI / 4)
    .translate(0, 4.2, 0);
  const tree = new THREE.IcosahedronGeometry(1.1, 1).translate(3.4, 1.3, 0);
  const [red, green, ...walls] = [
    0xc4553f, 0x6fa05a, 0xf2e3c6, 0xe8c9a0, 0xd9d4cf,
  ].map((color) => new THREE.MeshLambertMaterial({ color, flatShading: true }));
  for (let k = 0; k < 900; k++) {
    const house = new THREE.Group();
    house.position.set((k % 30) * 9 - 130, 0, Math.floor(k / 30) * 9 - 130);
    house.scale.y = 0.8 + ((k * 37) % 10) / 12;
    house.add(new THREE.Mesh(wall, walls[k % 3]));
    house.add(new THREE.Mesh(roof, red), new THREE.Mesh(tree, green));
    town.add(house);
  }
  return town;
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
  controls.update();
  renderer.render(scene, camera);
  const { calls, triangles } = renderer.info.render;
  output.textContent = `${calls} of ${group.octree.size} meshes drawn, ${triangles} triangles`;
});
