// Measures a scene with three alone and with an OctreeGroup, watched, static, and static with batches: CPU time and
// draw calls of frames, and picks. The OctreeGroup and three take turns with the same camera.

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
import { type BatchFigures, Batching } from './batching.ts';
import { type CameraPath, type Situation } from './camera-path.ts';
import type { ScenePair } from './scene-pair.ts';
import type { TaskContext } from '../shared/task.ts';
import { untilDrawn } from '../shared/until-drawn.ts';

/** Size of the picture in pixels: small, so that the GPU does not hold up the CPU. Culling does not depend on it. */
const WIDTH = 256;
const HEIGHT = 144;
/**
 * Rounds, in each of which the OctreeGroup is watched, then static, then static with batches, so that all see the
 * machine in the same state; and samples in each of them.
 */
const ROUNDS = 3;
const SAMPLES: Readonly<Record<Situation, number>> = { inside: 6, outside: 3, away: 4 };
const SITUATIONS: readonly Situation[] = ['inside', 'outside', 'away'];
const RAYS = 48;
/** Time after which no further round begins. */
const MAX_FRAMES_MS = 12_000;
/** Time after which the picks end, if there are `MIN_PICKS`. */
const MAX_PICKS_MS = 4000;
const MIN_PICKS = 12;
/**
 * Frames are summed until they have taken this long, because the clock of a page has a resolution of up to 0.1 ms; but
 * no more than `MAX_FRAMES`.
 */
const MIN_SAMPLE_MS = 2;
const MAX_FRAMES = 64;
/** Least time of a measurement of picks; the clock of a page has a resolution of up to 0.1 ms. */
const MIN_PICK_MS = 1.5;

/** Frames with three alone and with an OctreeGroup, in turns. */
export interface FrameFigures {
  /** Medians in milliseconds a frame. */
  readonly plainMs: number;
  readonly octreeMs: number;
  /** Medians. */
  readonly plainDrawCalls: number;
  readonly octreeDrawCalls: number;
  /** Pairs of samples, each of one frame or more. */
  readonly samples: number;
  /** Pairs in which the OctreeGroup took less time. */
  readonly octreeWins: number;
}

export type FramesOfAllSituations = Readonly<Record<Situation, FrameFigures>>;

export interface BatchedFrames {
  readonly frames: FramesOfAllSituations;
  readonly batches: BatchFigures;
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

export interface Measurement {
  /** The OctreeGroup compares all objects in each frame, to find moves. */
  readonly watched: FramesOfAllSituations;
  /** Nothing moves by itself. Null while an animation plays. */
  readonly still: FramesOfAllSituations | null;
  /** Static, and drawn in batches. Null while an animation plays. */
  readonly batched: BatchedFrames | null;
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
  const { pair, isPlaying } = setting;
  const target = new WebGLRenderTarget(WIDTH, HEIGHT);
  const [watched, still, batched] = [new Samples(), new Samples(), new Samples()];
  const ways = isPlaying ? [watched] : [watched, still, batched];
  const batching = new Batching(pair.culled);
  const begin = performance.now();
  try {
    for (let round = 0; round < ROUNDS && (round < 2 || performance.now() - begin < MAX_FRAMES_MS); round++) {
      for (const [k, samples] of ways.entries()) {
        const step = 0.75 / ROUNDS / ways.length;
        const done = step * (round * ways.length + k);
        context.progress(done);
        pair.isStatic = samples !== watched;
        if (samples === batched) {
          await context.slices(batching.build(), done, done + step / 2);
          await upload(setting, target);
        }
        for (const situation of SITUATIONS) await measureFrames(setting, situation, target, context, round, samples);
        batching.dispose();
      }
    }
    pair.update();
    const picks = await measurePicks(setting, context, 0.75);
    if (isPlaying) return { watched: watched.figures, still: null, batched: null, picks };
    const frames = batched.figures;
    return { watched: watched.figures, still: still.figures, batched: { frames, batches: batching.figures }, picks };
  } finally {
    batching.dispose();
    pair.isStatic = !isPlaying;
    target.dispose();
  }
}

/**
 * Draws all of both once, because building batches has freed the geometries that three alone draws, and new batches
 * have not been uploaded.
 */
async function upload(setting: MeasureSetting, target: WebGLRenderTarget): Promise<void> {
  const { pair, path, renderer } = setting;
  path.place('outside', 0);
  for (const group of [pair.plain, pair.culled]) {
    drawFrames(setting, group, target, 0);
    await untilDrawn(renderer);
  }
}

/** Milliseconds and draw calls a frame, by situation. */
class Samples {
  private readonly all = { inside: noSamples(), outside: noSamples(), away: noSamples() };

  add(situation: Situation, name: 'plain' | 'octree', { milliseconds, drawCalls }: FrameCost): void {
    this.all[situation][`${name}Ms`].push(milliseconds);
    this.all[situation][`${name}DrawCalls`].push(drawCalls);
  }

  get figures(): FramesOfAllSituations {
    const { inside, outside, away } = this.all;
    return { inside: figuresOf(inside), outside: figuresOf(outside), away: figuresOf(away) };
  }
}

interface FrameCost {
  readonly milliseconds: number;
  readonly drawCalls: number;
}

const noSamples = () => ({
  plainMs: [] as number[],
  octreeMs: [] as number[],
  plainDrawCalls: [] as number[],
  octreeDrawCalls: [] as number[],
});

function figuresOf({ plainMs, octreeMs, plainDrawCalls, octreeDrawCalls }: ReturnType<typeof noSamples>): FrameFigures {
  return {
    plainMs: median(plainMs),
    octreeMs: median(octreeMs),
    plainDrawCalls: median(plainDrawCalls),
    octreeDrawCalls: median(octreeDrawCalls),
    samples: plainMs.length,
    octreeWins: plainMs.filter((time, k) => time > octreeMs[k]).length,
  };
}

async function measureFrames(
  setting: MeasureSetting,
  situation: Situation,
  target: WebGLRenderTarget,
  context: TaskContext,
  round: number,
  samples: Samples,
): Promise<void> {
  const { pair, path, renderer } = setting;
  const count = SAMPLES[situation];
  // The first pair of samples is not counted, because it compiles and uploads.
  for (let k = -1; k < count; k++) {
    context.signal.throwIfAborted();
    const at = round * count + Math.max(0, k);
    path.place(situation, at / (ROUNDS * count));
    // In turns, because the second of a pair finds caches and state that the first has filled.
    const order = at & 1 ? (['plain', 'octree'] as const) : (['octree', 'plain'] as const);
    for (const name of order) {
      const cost = drawFrames(setting, name === 'plain' ? pair.plain : pair.culled, target, at);
      await untilDrawn(renderer);
      if (k >= 0) samples.add(situation, name, cost);
    }
  }
}

/** Draws frames until they can be measured. Returns the figures of one frame. */
function drawFrames(
  { renderer, scene, path, pair, isPlaying }: MeasureSetting,
  group: Object3D,
  target: WebGLRenderTarget,
  sample: number,
): FrameCost {
  scene.add(group);
  renderer.setRenderTarget(target);
  const before = renderer.info.render.calls;
  let [milliseconds, frames] = [0, 0];
  while (milliseconds < MIN_SAMPLE_MS && frames < MAX_FRAMES) {
    if (isPlaying) pair.animateTo((sample + frames / MAX_FRAMES) / 30);
    renderer.clear();
    const start = performance.now();
    renderer.render(scene, path.camera);
    milliseconds += performance.now() - start;
    frames++;
  }
  renderer.setRenderTarget(null);
  scene.remove(group);
  return { milliseconds: milliseconds / frames, drawCalls: (renderer.info.render.calls - before) / frames };
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
    if (k >= MIN_PICKS && performance.now() - begin > MAX_PICKS_MS) break;
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
