// What WebGPURenderer does to all objects of a pass: context nodes that move vertices, motion vectors, drawing
// pipelines that cull on the GPU.

import {
  BoxGeometry,
  type BufferGeometry,
  FloatType,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  RenderTarget,
  Scene,
  SphereGeometry,
  type Object3D,
  type PerspectiveCamera,
} from 'three';
import { MeshletDrawingPipeline } from 'three/addons/pipelines/MeshletDrawingPipeline.js';
import { VisibilityBufferDrawingPipeline } from 'three/addons/pipelines/VisibilityBufferDrawingPipeline.js';
import { mrt, output, overrideNode, pass, positionView, vec3, velocity } from 'three/tsl';
import { RenderPipeline, StandardDrawingPipeline, type Node, type WebGPURenderer } from 'three/webgpu';
import { describe, expect, it } from 'vitest';
import { OctreeGroup, OctreeInstances } from '../../src/three.ts';
import { sampleFrom } from '../support/sampled.ts';
import { createCamera } from '../support/three-pictures.ts';
import { BACKENDS, hasWebGPU, useWebGPURenderer } from '../support/webgpu-pictures.ts';

const EDGE = 96;
/** High and narrow: the sphere by which three culls is far larger than the box. */
const pole = new BoxGeometry(0.5, 8, 0.5);

function lookAhead(): PerspectiveCamera {
  return createCamera([0, 0, 12], [0, 0, 0]);
}

function sceneOf(container: Object3D): Scene {
  return new Scene().add(container);
}

/** Meshes at these places along the x axis, in both kinds of group. */
function groupsOf(places: readonly number[], geometry: BufferGeometry = pole): [Group, Group] {
  const material = new MeshBasicMaterial();
  const fill = (group: Group): Group => {
    for (const x of places) group.add(new Mesh(geometry, material).translateX(x));
    return group;
  };
  return [fill(new Group()), fill(new OctreeGroup())];
}

/** The same of instances. */
function instancesOf(places: readonly number[], geometry: BufferGeometry = pole): [InstancedMesh, OctreeInstances] {
  const material = new MeshBasicMaterial();
  const mesh = new InstancedMesh(geometry, material, places.length);
  mesh.frustumCulled = false;
  const instances = new OctreeInstances(geometry, material, places.length);
  places.forEach((x, id) => {
    for (const each of [mesh, instances]) each.setMatrixAt(id, new Matrix4().makeTranslation(x, 0, 0));
  });
  return [mesh, instances];
}

/** A context node that moves all vertices, into view. */
function shifted(x: number): Node {
  return overrideNode(positionView, () => positionView.add(vec3(x, 0, 0)));
}

async function litPixels(renderer: WebGPURenderer, draw: () => void): Promise<number> {
  const target = new RenderTarget(EDGE, EDGE);
  await new Promise(requestAnimationFrame);
  renderer.setRenderTarget(target);
  draw();
  const pixels = (await renderer.readRenderTargetPixelsAsync(target, 0, 0, EDGE, EDGE)) as Uint8Array;
  renderer.setRenderTarget(null);
  target.dispose();
  return pixels.filter((value, k) => k % 4 === 0 && value > 0).length;
}

/** The horizontal motion vectors of a frame, one for each pixel. */
async function motionOf(
  renderer: WebGPURenderer,
  target: RenderTarget,
  scene: Scene,
  camera: PerspectiveCamera,
): Promise<Float32Array> {
  await new Promise(requestAnimationFrame);
  renderer.setRenderTarget(target);
  renderer.setMRT(mrt({ output, velocity }));
  renderer.render(scene, camera);
  renderer.setMRT(null);
  const pixels = (await renderer.readRenderTargetPixelsAsync(target, 0, 0, EDGE, EDGE, 1)) as Float32Array;
  renderer.setRenderTarget(null);
  return pixels.filter((_, k) => k % 4 === 0);
}

function createMotionTarget(): RenderTarget {
  const target = new RenderTarget(EDGE, EDGE, { count: 2, type: FloatType });
  target.textures[0].name = 'output';
  target.textures[1].name = 'velocity';
  return target;
}

/** The greatest difference of two pictures of motion vectors, and the number of pixels that move in the first. */
function differenceOf(plain: Float32Array, octree: Float32Array): { worst: number; moving: number } {
  let worst = 0;
  let moving = 0;
  plain.forEach((value, k) => {
    // The background has no motion: three divides 0 by 0.
    if (Number.isNaN(value) && Number.isNaN(octree[k])) return;
    if (value !== 0) moving++;
    const difference = Math.abs(value - octree[k]);
    worst = Math.max(worst, Number.isNaN(difference) ? Infinity : difference);
  });
  return { worst, moving };
}

describe.each(BACKENDS)('with the %s backend of WebGPURenderer', (name, forceWebGL) => {
  const { isTested, get } = useWebGPURenderer(name, forceWebGL);

  it.runIf(isTested).each([
    ['an OctreeGroup', () => groupsOf([-7.5, -60])],
    ['OctreeInstances', () => instancesOf([-7.5, -60])],
  ])('%s shows what a contextNode of the renderer or of a pass moves into view', async (_, create) => {
    const renderer = get();
    for (const isOfPass of [false, true]) {
      const lit: number[] = [];
      for (const container of create()) {
        const scene = sceneOf(container);
        const camera = lookAhead();
        if (isOfPass) {
          const scenePass = pass(scene, camera);
          scenePass.contextNode = shifted(4) as never;
          const pipeline = new RenderPipeline(renderer, scenePass);
          lit.push(await litPixels(renderer, () => pipeline.render()));
          pipeline.dispose();
        } else {
          const before = renderer.contextNode;
          renderer.contextNode = shifted(4) as never;
          lit.push(await litPixels(renderer, () => renderer.render(scene, camera)));
          renderer.contextNode = before;
        }
        expect(Object.hasOwn(scene, 'onBeforeRender')).toBe(false);
      }
      expect(lit[0]).toBeGreaterThan(100);
      expect(lit[1]).toBe(lit[0]);
    }
  });

  it.runIf(isTested)(
    'a child of an OctreeGroup that comes into view has the motion vectors of a child that is always drawn',
    async () => {
      const renderer = get();
      const groups = groupsOf([-12, 0, 30]);
      // The truth: three remembers the matrix of each frame.
      groups[0].traverse((object) => (object.frustumCulled = false));
      // A group that is one body, and one whose meshes have a body each.
      for (const group of groups)
        for (let k = 0; k < 2; k++) group.add(new Group().add(new Mesh(pole, new MeshBasicMaterial())));
      (groups[1] as OctreeGroup).addTree(groups[1].children[4]);
      const scenes = groups.map(sceneOf);
      const targets = groups.map(createMotionTarget);
      const cameras = groups.map(lookAhead);
      scenes[0].traverse((object) => (object.frustumCulled = false));
      let moved = 0;
      for (let frame = 0; frame < 24; frame++) {
        for (const { children } of groups) {
          // Comes in from the left, leaves, rests outside, and comes again.
          children[0].position.x = -9 - 4 * Math.cos(frame * 0.6);
          children[2].position.x = frame === 12 ? 1 : 30;
          children[3].position.x = 9 + 4 * Math.cos(frame * 0.5);
          children[4].position.x = 9 + 4 * Math.sin(frame * 0.7);
        }
        const [plain, octree] = [
          await motionOf(renderer, targets[0], scenes[0], cameras[0]),
          await motionOf(renderer, targets[1], scenes[1], cameras[1]),
        ];
        const { worst, moving } = differenceOf(plain, octree);
        expect([frame, worst]).toEqual([frame, 0]);
        moved += moving;
      }
      expect(moved).toBeGreaterThan(500);
      for (const target of targets) target.dispose();
    },
  );
});

describe.each([
  ['MeshletDrawingPipeline', MeshletDrawingPipeline],
  ['VisibilityBufferDrawingPipeline', VisibilityBufferDrawingPipeline],
])('motion vectors with a %s', (what, Pipeline) => {
  const { isTested, get } = useWebGPURenderer('WebGPU', false);

  const containers: [string, typeof groupsOf | typeof instancesOf][] = [
    ['an OctreeGroup', groupsOf],
    ['OctreeInstances', instancesOf],
  ];
  const tried = sampleFrom(containers, 2, Number(what.startsWith('Meshlet')));
  it.runIf(isTested && hasWebGPU).each(tried)(
    'are those of plain objects while the visible set of %s changes',
    async (__, create) => {
      const renderer = get();
      const places = [-4, -1, 2, 5];
      const containers = create(places, new SphereGeometry(1, 16, 12));
      const scenes = containers.map(sceneOf);
      const pipelines = containers.map(() => new Pipeline());
      const targets = containers.map(createMotionTarget);
      const cameras = containers.map(lookAhead);
      for (let frame = 0; frame < 12; frame++) {
        const pictures: Float32Array[] = [];
        for (const [k, container] of containers.entries()) {
          renderer.drawingPipeline = pipelines[k];
          if (frame === 0) await pipelines[k].prepareAsync(scenes[k], cameras[k]);
          // The first leaves the picture and comes back; the last moves.
          const xs = [frame % 4 < 2 ? -4 : -40, -1, 2, 5 + 0.05 * frame];
          if ('children' in container && container instanceof Group)
            container.children.forEach((child, id) => (child.position.x = xs[id]));
          else
            xs.forEach((x, id) => {
              (container as InstancedMesh).setMatrixAt(id, new Matrix4().makeTranslation(x, 0, 0));
            });
          if (container instanceof InstancedMesh) container.instanceMatrix.needsUpdate = true;
          pictures.push(await motionOf(renderer, targets[k], scenes[k], cameras[k]));
        }
        const { worst } = differenceOf(pictures[0], pictures[1]);
        expect([frame, worst]).toEqual([frame, 0]);
      }
      renderer.drawingPipeline = new StandardDrawingPipeline();
      for (const target of targets) target.dispose();
    },
  );
});
