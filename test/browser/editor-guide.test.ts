// The first code block of the guide to editors, with a real mouse: what the gizmo holds is still held after a drag.

import {
  BoxGeometry,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
  type Object3D,
} from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import guide from '../../docs/guides/editor.md?raw';
import { OctreeGroup, pick } from '../../src/three.ts';

/** Edge of the canvas in pixels. */
const EDGE = 300;

const [, block] = /```ts\n([\s\S]*?)```/.exec(guide)!;
const sample = block.replaceAll(/^import .*$/gm, '');

async function frames(): Promise<void> {
  for (let k = 0; k < 3; k++) await new Promise(requestAnimationFrame);
}

it('the first sample holds the dragged object after the drag, beside others', async () => {
  const renderer = new WebGLRenderer();
  renderer.setSize(EDGE, EDGE);
  const canvas = renderer.domElement;
  canvas.style.position = 'fixed';
  document.body.prepend(canvas);
  const camera = new PerspectiveCamera(60, 1, 0.1, 100);
  camera.position.z = 12;
  const scene = new Scene();
  const group = new OctreeGroup();
  for (let k = 0; k < 81; k++) {
    const box = new Mesh(new BoxGeometry(1, 1, 1), new MeshBasicMaterial());
    box.position.set((k % 9) * 1.2 - 4.8, Math.floor(k / 9) * 1.2 - 4.8, 0);
    group.add(box);
  }
  // eslint-disable-next-line typescript/no-implied-eval -- The code that a reader copies.
  const run = new Function(
    'TransformControls',
    'pick',
    'scene',
    'group',
    'camera',
    'canvas',
    `${sample}; return gizmo`,
  ) as (...args: unknown[]) => TransformControls & { object: Object3D | undefined };
  const gizmo = run(TransformControls, pick, scene, group, camera, canvas);
  renderer.setAnimationLoop(() => renderer.render(scene, camera));
  const pixelOf = (place: Vector3): { x: number; y: number } => {
    const { x, y } = place.clone().project(camera);
    return { x: Math.round(((x + 1) / 2) * EDGE), y: Math.round(((1 - y) / 2) * EDGE) };
  };
  const element = page.elementLocator(canvas);
  await frames();

  const centre = group.children[40];
  await userEvent.click(element, { position: pixelOf(centre.position) });
  expect(gizmo.object).toBe(centre);
  await frames();
  // The arrow of the x axis: three draws the gizmo in a size that depends on the distance of the camera.
  const arrow = (camera.position.z * 1.9 * Math.tan(Math.PI / 6)) / 4 / 2.5;
  const sourcePosition = pixelOf(new Vector3(arrow, 0, 0));
  const targetPosition = { x: sourcePosition.x + 60, y: sourcePosition.y };
  await userEvent.dragAndDrop(element, element, { sourcePosition, targetPosition });
  await frames();
  expect(centre.position.x).toBeGreaterThan(1);
  expect(centre.position.y).toBe(0);
  expect(group.children.indexOf(gizmo.object)).toBe(40);

  renderer.setAnimationLoop(null);
  gizmo.dispose();
  renderer.dispose();
  canvas.remove();
});
