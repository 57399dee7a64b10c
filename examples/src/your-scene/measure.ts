// Measures a scene with three alone and with an OctreeGroup: CPU time and draw calls of frames, and picks. Both take
// turns with the same camera.

import {
  type Intersection,
  type Object3D,
  Raycaster,
  type Scene,
  Vector2,
  type WebGLRenderer,
  WebGLRenderTarget,
} from 'three';
import { hash } from '../shared/noise.ts';
import { type CameraPath, type Situation } from './camera-path.ts';
import type { ScenePair } from './scene-pair.ts';
import type { TaskContext } from '../shared/task.ts';
import { untilDrawn } from '../shared/until-drawn.ts';

/** Size of the picture in pixels: small, so that the GPU does not hold up the CPU. Culling does not depend on it. */
const WIDTH = 256;
const HEIGHT = 144;
/** Pairs of frames that are not counted, because they compile and upload. */
const WARM_UP = 3;
const FRAMES: Readonly<Record<Situation, number>> = { inside: 40, outside: 16, away: 24 };
const RAYS = 48;
/** Time after which a part ends, if it has `MIN_SAMPLES`. */
const MAX_MS = 6000;
const MIN_SAMPLES = 12;
/** Least time of a measurement of picks; the clock of a page has a resolution of up to 0.1 ms. */
const MIN_PICK_MS = 1.5;

export interface FrameFigures {
  /** Medians in milliseconds. */
  readonly plainMs: number;
  readonly octreeMs: number;
  /** Medians. */
  readonly plainDrawCalls: number;
  readonly octreeDrawCalls: number;
  /** Pairs of frames. */
  readonly frames: number;
  /** Pairs in which the OctreeGroup took less time. */
  readonly octreeWins: number;
}

export interface PickFigures {
  /** From the median time of a pick. */
  readonly plainPerSecond: number;
  readonly octreePerSecond: number;
  readonly rays: number;
  /** Rays that hit the same mesh at the same distance in both, or nothing in both. */
  readonly equal: number;
  readonly hits: number;
}

export interface Measurement extends Readonly<Record<Situation, FrameFigures>> {
  readonly picks: PickFigures;
}

/** What a scene is drawn with. */
export interface MeasureSetting {
  readonly renderer: WebGLRenderer;
  /** Holds the lights and the background, but none of the two groups. */
  readonly scene: Scene;
  readonly pair: ScenePair;
  readonly path: CameraPath;
  /** Moves animations in each frame. */
  readonly isPlaying: boolean;
}

export async function measure(setting: MeasureSetting, context: TaskContext): Promise<Measurement> {
  const target = new WebGLRenderTarget(WIDTH, HEIGHT);
  try {
    const inside = await measureFrames(setting, 'inside', target, context, 0, 0.4);
    const outside = await measureFrames(setting, 'outside', target, context, 0.4, 0.6);
    const away = await measureFrames(setting, 'away', target, context, 0.6, 0.75);
    return { inside, outside, away, picks: await measurePicks(setting, context, 0.75) };
  } finally {
    target.dispose();
  }
}

async function measureFrames(
  setting: MeasureSetting,
  situation: Situation,
  target: WebGLRenderTarget,
  context: TaskContext,
  from: number,
  to: number,
): Promise<FrameFigures> {
  const { pair, path, isPlaying } = setting;
  const samples = {
    plainMs: [] as number[],
    octreeMs: [] as number[],
    plainDrawCalls: [] as number[],
    octreeDrawCalls: [] as number[],
  };
  const wanted = FRAMES[situation];
  const begin = performance.now();
  for (let k = -WARM_UP; k < wanted; k++) {
    context.signal.throwIfAborted();
    if (k >= MIN_SAMPLES && performance.now() - begin > MAX_MS) break;
    context.progress(from + ((to - from) * (k + WARM_UP)) / (wanted + WARM_UP));
    path.place(situation, k / wanted);
    if (isPlaying) pair.animateTo(Math.max(0, k) / 30);
    // In turns, because the second of a pair finds caches and state that the first has filled.
    const order = k & 1 ? (['plain', 'octree'] as const) : (['octree', 'plain'] as const);
    for (const name of order) {
      const { milliseconds, drawCalls } = drawFrame(setting, name === 'plain' ? pair.plain : pair.culled, target);
      await untilDrawn(setting.renderer);
      if (k < 0) continue;
      samples[`${name}Ms`].push(milliseconds);
      samples[`${name}DrawCalls`].push(drawCalls);
    }
  }
  const { plainMs, octreeMs, plainDrawCalls, octreeDrawCalls } = samples;
  return {
    plainMs: median(plainMs),
    octreeMs: median(octreeMs),
    plainDrawCalls: median(plainDrawCalls),
    octreeDrawCalls: median(octreeDrawCalls),
    frames: plainMs.length,
    octreeWins: plainMs.filter((time, k) => time > octreeMs[k]).length,
  };
}

function drawFrame(
  { renderer, scene, path }: MeasureSetting,
  group: Object3D,
  target: WebGLRenderTarget,
): { milliseconds: number; drawCalls: number } {
  scene.add(group);
  renderer.setRenderTarget(target);
  renderer.clear();
  const before = renderer.info.render.calls;
  const start = performance.now();
  renderer.render(scene, path.camera);
  const milliseconds = performance.now() - start;
  renderer.setRenderTarget(null);
  scene.remove(group);
  return { milliseconds, drawCalls: renderer.info.render.calls - before };
}

async function measurePicks({ pair, path }: MeasureSetting, context: TaskContext, from: number): Promise<PickFigures> {
  const raycaster = new Raycaster();
  const plainTimes: number[] = [];
  const octreeTimes: number[] = [];
  let [equal, hits] = [0, 0];
  const plainPick = (): Intersection | null => raycaster.intersectObject(pair.plain, true)[0] ?? null;
  const octreePick = (): Intersection | null => pair.culled.raycastFirst(raycaster);
  const begin = performance.now();
  for (let k = 0; k < RAYS; k++) {
    context.signal.throwIfAborted();
    if (k >= MIN_SAMPLES && performance.now() - begin > MAX_MS) break;
    context.progress(from + ((1 - from) * k) / RAYS);
    const camera = path.place(k & 1 ? 'inside' : 'outside', k / RAYS);
    raycaster.setFromCamera(new Vector2(hash(k, 0, 17) * 1.4 - 0.7, hash(k, 1, 17) * 1.4 - 0.7), camera);
    const plain = timeOf(plainPick);
    await new Promise((resolve) => setTimeout(resolve));
    const octree = timeOf(octreePick);
    plainTimes.push(plain.milliseconds);
    octreeTimes.push(octree.milliseconds);
    equal += Number(isSame(plain.hit, octree.hit));
    hits += Number(plain.hit !== null);
    await new Promise((resolve) => setTimeout(resolve));
  }
  return {
    plainPerSecond: 1000 / median(plainTimes),
    octreePerSecond: 1000 / median(octreeTimes),
    rays: plainTimes.length,
    equal,
    hits,
  };
}

/** Milliseconds of one run, and its hit. Repeats a short one until the clock can measure it. */
function timeOf(pick: () => Intersection | null): { milliseconds: number; hit: Intersection | null } {
  const start = performance.now();
  for (let runs = 1; ; runs++) {
    const hit = pick();
    const time = performance.now() - start;
    if (time >= MIN_PICK_MS) return { milliseconds: time / runs, hit };
  }
}

/** The two copies of an object have the same uuid. */
const isSame = (a: Intersection | null, b: Intersection | null): boolean =>
  a === null || b === null
    ? a === b
    : a.object.uuid === b.object.uuid && a.distance === b.distance && a.instanceId === b.instanceId;

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
