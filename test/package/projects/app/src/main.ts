/**
 * The scene of a newcomer: meshes in an OctreeGroup, drawn by both renderers and picked, and a worker with an octree of
 * its own.
 */

import { BoxGeometry, Mesh, MeshBasicMaterial, PerspectiveCamera, RenderTarget, Scene, WebGLRenderer } from 'three';
import { WebGPURenderer } from 'three/webgpu';
import { Octree } from 'scene-octree/core';
import { OctreeGroup, pick } from 'scene-octree/three';
import { moveCrowd } from '../../plain/crowd.js';

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

const webgpu = new WebGPURenderer();
await webgpu.init();
const target = new RenderTarget(16, 16);
webgpu.setRenderTarget(target);
webgpu.render(scene, camera);
// The mesh in front of the camera is in the middle, and white.
const [red] = await webgpu.readRenderTargetPixelsAsync(target, 8, 8, 1, 1);

const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
worker.onerror = ({ message }) => report({ error: message });
const { calls } = renderer.info.render;
worker.onmessage = async ({ data }: MessageEvent<unknown>) =>
  report({ calls, red, picked: picked?.object.name, moves: await moveCrowd(Octree), worker: data });

function report(result: object): void {
  Object.assign(window, { result });
}
