/** The scene of a newcomer: meshes in an OctreeGroup, drawn and picked, and a worker with an octree of its own. */

import { BoxGeometry, Mesh, MeshBasicMaterial, PerspectiveCamera, Scene, WebGLRenderer } from 'three';
import { OctreeGroup, pick } from 'scene-octree/three';

const canvas = document.querySelector<HTMLCanvasElement>('#canvas')!;
const renderer = new WebGLRenderer({ canvas });
const camera = new PerspectiveCamera(60, 1, 0.1, 100);
const scene = new Scene();
const group = new OctreeGroup();
scene.add(group);
for (let k = 0; k < 8; k++) {
  const mesh = new Mesh(new BoxGeometry(), new MeshBasicMaterial());
  mesh.name = `mesh ${k}`;
  // One in front of the camera, the others behind it.
  mesh.position.z = k === 0 ? -5 : 5 * k;
  group.add(mesh);
}
renderer.render(scene, camera);
const { left, top, width, height } = canvas.getBoundingClientRect();
const picked = pick({ clientX: left + width / 2, clientY: top + height / 2 }, camera, canvas, group);

const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
worker.onerror = ({ message }) => report({ error: message });
worker.onmessage = ({ data }: MessageEvent<unknown>) => report({ calls: renderer.info.render.calls, picked: picked?.object.name, worker: data });

function report(result: object): void {
  Object.assign(window, { result });
}
