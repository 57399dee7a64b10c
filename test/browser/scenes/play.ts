/** Plays a scene frame by frame, and records the pictures, draw calls, callbacks and hits. */

import { BoxGeometry, Color, Raycaster, Vector2, type Intersection, type Object3D } from 'three';
import type { Octree } from '../../../src/index.ts';
import { OctreeGroup } from '../../../src/three.ts';
import { createRandom } from '../../support/random.ts';
import { mesh } from './meshes.ts';
import { KeptFrames } from './kept-frames.ts';
import { EDGE, Stage, type AnyRenderer, type ExampleScene, type Variant } from './stage.ts';

/** Whether things move in a frame: they move, stand still, and move again. */
const MOVES = [true, true, true, true, false, false, false, true, true, true, false, true];
export const FRAMES = MOVES.length;
const RAYS_PER_FRAME = 3;
const SEED = 7;

/** Draws frames with one renderer, and keeps their pictures. */
export interface Screen<R extends AnyRenderer = AnyRenderer> {
  readonly renderer: R;
  /** Draws one frame, and keeps its picture under its number. */
  draw(frame: number, render: () => void): void;
  /** Draw calls of the last frame. */
  readonly drawCalls: number;
  /** The pictures of all frames, one after the other. Valid until the next call. */
  read(): Promise<Uint32Array>;
}

/** What a scene has shown. The arrays have one element for each frame. */
export interface Recording {
  readonly pixels: Uint32Array;
  readonly drawCalls: readonly number[];
  readonly callbacks: readonly string[][];
  readonly hits: readonly string[][];
  /** The world matrices of all objects of the scene, by the path of the object. */
  readonly matrices: readonly Map<string, number[]>[];
  /** Bodies that frustum queries left out, over all frames. */
  readonly culled: number;
  /** Whether the scene has an InstancedMesh or an OctreeInstances. */
  readonly hasInstances: boolean;
  /** Largest number of objects that were drawn from batches in a frame. */
  readonly batched: number;
  /** Largest number of objects that were drawn from posed chunks in a frame. */
  readonly posed: number;
  /** Whether a pass was drawn without batches, because of the whole group or scene. */
  readonly isWithoutBatches: boolean;
  /** Bodies and nodes that were hidden, over all frames. */
  readonly hidden: number;
  /** Shadow maps and frames that were not drawn. */
  readonly kept: readonly [maps: number, frames: number];
}

/** Builds a scene, and plays all its frames. */
export async function play<R extends AnyRenderer>(
  example: ExampleScene<R>,
  variant: Variant,
  screen: Screen<R>,
): Promise<Recording> {
  const { renderer } = screen;
  const stage = new Stage(renderer, variant, SEED);
  const { scene, camera, group, batched, occluded } = stage;
  scene.background = new Color(0x334455);
  addBystanders(stage);
  if (batched !== null) batched.hasStatic = example.movesUnreported !== true;
  const script = example.build(stage);
  const render = script.render ?? (() => renderer.render(scene, camera));
  const kept = variant === 'changes' ? new KeptFrames(stage) : null;
  const keptFrames: number[] = [];
  const culling = { count: 0 };
  const rays = createRandom(SEED);
  const recording = {
    drawCalls: [] as number[],
    callbacks: [] as string[][],
    hits: [] as string[][],
    matrices: [] as Map<string, number[]>[],
  };
  let time = 0;
  try {
    for (const [frame, isMoving] of MOVES.entries()) {
      if (isMoving) script.move?.(time++);
      batched?.reportChanges();
      script.update?.(frame);
      batched?.reportChanges();
      // What is drawn otherwise than by one camera has questions of its own.
      if (kept === null || script.render !== undefined) screen.draw(frame, render);
      else if (kept.isDue() || frame % 5 === 0) {
        // The question has updated the matrices.
        scene.matrixWorldAutoUpdate = false;
        screen.draw(frame, render);
        scene.matrixWorldAutoUpdate = true;
      } else keptFrames.push(frame);
      if (keptFrames.at(-1) !== frame) kept?.endFrame();
      occluded?.endFrame();
      await batched?.endFrame();
      recording.drawCalls.push(screen.drawCalls);
      recording.matrices.push(matricesOf(scene, kept?.probe));
      recording.hits.push(pick(stage, rays));
      recording.callbacks.push(stage.callbacks.splice(0));
      // Not before the first frame: the first read of the octree computes matrices.
      if (frame === 0 && group instanceof OctreeGroup) countCulled(group.octree, culling);
    }
  } finally {
    script.end?.();
    occluded?.dispose();
    batched?.dispose();
    kept?.dispose();
  }
  const pixels = (await screen.read()).slice();
  for (const frame of keptFrames) pixels.set(pictureOf(pixels, frame - 1), frame * EDGE * EDGE);
  return {
    ...recording,
    pixels,
    kept: [kept?.maps ?? 0, keptFrames.length],
    culled: culling.count,
    hasInstances: stage.allInstances.length > 0,
    batched: batched?.most ?? 0,
    posed: batched?.mostPosed ?? 0,
    isWithoutBatches: batched?.isWithoutBatches ?? true,
    hidden: occluded?.hidden ?? 0,
  };
}

/**
 * Four boxes around the scene, out of sight, and one behind a wall in the background: every scene has something to
 * cull.
 */
function addBystanders({ add }: Stage): void {
  const geometry = new BoxGeometry(2, 2, 2);
  for (const [x, y, z] of [
    [60, 0, 0],
    [-60, 0, 0],
    [0, 60, 0],
    [0, 0, 60],
  ])
    add(mesh(0xffffff, x, y, z, geometry));
  add(mesh(0x556677, 14, 14, -60, new BoxGeometry(6, 6, 2)), mesh(0xff00ff, 14.2, 14.2, -64, geometry));
}

/** From now on, adds up the bodies that each frustum query leaves out. */
function countCulled(octree: Octree<Object3D>, culling: { count: number }): void {
  const collect = octree.collectFrustum.bind(octree);
  octree.collectFrustum = (frustum, list, options) => {
    const visible = collect(frustum, list, options);
    culling.count += octree.size - visible;
    return visible;
  };
}

/** The hits of a few rays through the picture. */
function pick({ camera, group }: Stage, random: ReturnType<typeof createRandom>): string[] {
  const raycaster = new Raycaster();
  raycaster.params.Points.threshold = 0.2;
  raycaster.params.Line.threshold = 0.1;
  const hits: string[] = [];
  for (let k = 0; k < RAYS_PER_FRAME; k++) {
    raycaster.setFromCamera(new Vector2(random.between(-0.6, 0.6), random.between(-0.6, 0.6)), camera);
    for (const hit of raycaster.intersectObject(group)) hits.push(describe(hit));
  }
  return hits;
}

function describe({ object, distance, point, instanceId, index, faceIndex, batchId }: Intersection): string {
  return JSON.stringify([pathOf(object), distance, point.toArray(), instanceId, index, faceIndex, batchId]);
}

/** What is beside the picture: helpers that other code draws, labels, physics. @param probe Is left out. */
function matricesOf(scene: Object3D, probe?: Object3D): Map<string, number[]> {
  const matrices = new Map<string, number[]>();
  scene.traverse((object) => {
    if (object !== probe) matrices.set(pathOf(object, probe), [...object.matrixWorld.elements]);
  });
  return matrices;
}

/** The place of an object in the scene, equal in all variants. */
function pathOf(object: Object3D, probe?: Object3D): string {
  const { parent } = object;
  if (parent === null) return '';
  return `${pathOf(parent, probe)}/${parent.children.filter((child) => child !== probe).indexOf(object)}`;
}

/** By frame: the number of pixels whose colour is not that of the first pixel. */
export function coloredPixels({ pixels }: Recording): number[] {
  return MOVES.map((_, frame) => {
    const picture = pictureOf(pixels, frame);
    return picture.reduce((sum, pixel) => sum + Number(pixel !== picture[0]), 0);
  });
}

/** Number of frames whose picture differs from that of the frame before. */
export function countChanges({ pixels }: Recording): number {
  return MOVES.filter((_, frame) => {
    const before = pictureOf(pixels, frame - 1);
    return frame > 0 && pictureOf(pixels, frame).some((pixel, k) => pixel !== before[k]);
  }).length;
}

export function pictureOf(pixels: Uint32Array, frame: number): Uint32Array {
  return pixels.subarray(frame * EDGE * EDGE, (frame + 1) * EDGE * EDGE);
}
