// A container learns the renderer of a pass from `scene.onBeforeRender`. Users of the scene see nothing of it.

import { Scene } from 'three';
import {
  float,
  modelPosition,
  modelWorldMatrix,
  mrt,
  normalLocal,
  normalView,
  normalWorld,
  output,
  packNormalToRGB,
  uniform,
  vec4,
  velocity,
} from 'three/tsl';
import { describe, expect, it, vi } from 'vitest';
import {
  awaitRenderer,
  drawsWithDepth,
  hasSceneCallback,
  LastRenderer,
  needsAllObjects,
  objectCodeOf,
  velocityNodeOf,
} from '../../../src/three/passes/pass-renderer.ts';
import { OctreeGroup, OctreeInstances } from '../../../src/three.ts';
import { cube, namesSeen } from '../../support/three-passes.ts';

/** As a renderer begins a pass. */
function begin(scene: Scene, renderer: object = {}): void {
  scene.updateMatrixWorld();
  Reflect.apply(Reflect.get(scene, 'onBeforeRender'), scene, [renderer, scene]);
}

/** A renderer whose context node moves vertices. */
const moving = { contextNode: { getFlowContextData: () => ({ overrideNodes: new Map() }) } };

describe.each([
  ['OctreeGroup', () => new OctreeGroup()],
  ['OctreeInstances', () => new OctreeInstances()],
])('scene.onBeforeRender above an %s', (_, create) => {
  it('is what it was when a pass begins, and is called once for each pass', () => {
    const scene = new Scene().add(create(), create());
    begin(scene);
    expect(Object.hasOwn(scene, 'onBeforeRender')).toBe(false);

    const callback = vi.fn();
    scene.onBeforeRender = callback;
    const renderer = {};
    begin(scene, renderer);
    begin(scene, renderer);
    expect(Reflect.get(scene, 'onBeforeRender')).toBe(callback);
    expect(callback.mock.calls.map(([first, second]) => [first === renderer, second === scene])).toEqual([
      [true, true],
      [true, true],
    ]);
    expect(callback.mock.contexts).toEqual([scene, scene]);
  });

  it('may be replaced, or wrapped, between the update of the matrices and the pass', () => {
    const scene = new Scene().add(create());
    scene.updateMatrixWorld();
    const wrapped = scene.onBeforeRender.bind(scene);
    const calls: string[] = [];
    const callback: Scene['onBeforeRender'] = (...args) => {
      wrapped(...args);
      calls.push('called');
    };
    scene.onBeforeRender = callback;
    begin(scene);
    begin(scene);
    expect(Reflect.get(scene, 'onBeforeRender')).toBe(callback);
    expect(calls).toEqual(['called', 'called']);
  });

  it('is called for the scene that is rendered, also if it is inside another scene', () => {
    const [outer, inner] = [new Scene(), new Scene()];
    outer.add(inner.add(create()));
    const callbacks = [outer, inner].map((scene) => (scene.onBeforeRender = vi.fn()));
    begin(outer);
    begin(inner);
    begin(inner);
    expect(callbacks.map(({ mock }) => mock.calls.length)).toEqual([1, 2]);
  });
});

describe('a renderer that moves vertices', () => {
  it('gets all children, from its first pass on; any other renderer of the scene does not', () => {
    const group = new OctreeGroup().add(cube(0), cube(100));
    const scene = new Scene().add(group);
    begin(scene, moving);
    expect(namesSeen(group, 10)).toEqual(['cube 0', 'cube 100']);
    begin(scene, {});
    expect(namesSeen(group, 10)).toEqual(['cube 0']);
    begin(scene, { contextNode: { getFlowContextData: () => ({ getOutput: () => null }) } });
    expect(namesSeen(group, 10)).toEqual(['cube 0']);
  });
});

it('LastRenderer notices each change, whichever of two scenes above a container the renderers draw', () => {
  const [outer, inner] = [new Scene(), new Scene()];
  const group = new OctreeGroup().add(cube(0));
  outer.add(inner.add(group));
  const last = new LastRenderer();
  const [a, b] = [{}, {}];
  const isOther = (scene: Scene, renderer: object): boolean => {
    begin(scene, renderer);
    return last.isOther(group);
  };
  expect([isOther(inner, a), isOther(outer, b), isOther(inner, a)]).toEqual([false, true, true]);
  expect([isOther(outer, a), isOther(outer, b), isOther(inner, b)]).toEqual([false, true, false]);
});

/** A scene that a renderer draws. */
function drawnBy(renderer: object): Scene {
  const scene = new Scene();
  awaitRenderer(scene.add(cube(0)).children[0]);
  begin(scene, renderer);
  return scene;
}

/** A node for each call: what is found out about one is kept. */
const withOutputs = (outputs: Record<string, unknown>): object => ({ getMRT: () => mrt(outputs as never) });
const withContext = (data: object, more: object = {}): object => ({
  contextNode: { getFlowContextData: () => data },
  ...more,
});
const draws = (): void => undefined;

it.each<[string, object, RegExp | null]>([
  ['nothing', {}, null],
  ['no function', { getRenderObjectFunction: () => null }, null],
  ['a function', { getRenderObjectFunction: () => draws }, /^a function of the renderer/],
  ['a context without nodes', withContext({}), null],
  ['a context that changes colours', withContext({ getOutput: draws }), /^a context node/],
  ['a context that changes texture coordinates', withContext({ getUV: draws }), /^a context node/],
  ['no outputs', { getMRT: () => null }, null],
  ['the colour', withOutputs({ output }), null],
  ['normals', withOutputs({ output, normal: packNormalToRGB(normalView), world: vec4(normalWorld, 1) }), null],
  ['motion vectors', withOutputs({ output, velocity }), null],
  ['a number of the program', withOutputs({ output, mine: float(1).add(uniform(2)) }), null],
  ['a uniform of each object', withOutputs({ output, mine: uniform(2).onObjectUpdate(() => 3) }), /^an output/],
  ['the matrix of the object', withOutputs({ output, mine: modelWorldMatrix.mul(normalView) }), /^an output/],
  ['the place of the object', withOutputs({ output, mine: modelPosition }), /^an output/],
  ['normals of vertices beside others', withOutputs({ output, mine: normalView.add(normalLocal) }), /^an output/],
])('a renderer with %s reads the objects of a pass, or not', (_, renderer, expected) => {
  const scene = drawnBy(renderer);
  for (let k = 0; k < 2; k++)
    if (expected === null) expect(objectCodeOf(scene)).toBeNull();
    else expect(objectCodeOf(scene)).toMatch(expected);
  expect(objectCodeOf(new Scene())).toBeNull();
});

class Pipeline {
  readonly bundles = null;
}
class OtherPipeline extends Pipeline {}
const moves = withOutputs({ output, velocity });

it.each<[string, object, boolean]>([
  ['nothing', {}, false],
  ['a context without nodes', withContext({}), false],
  ['a context with attributes', withContext({ getAttribute: draws }), true],
  ['a context with a matrix', withContext({ modelViewMatrix: {} }), true],
  ['a context with a matrix, in high precision', withContext({ modelViewMatrix: {} }, { highPrecision: true }), false],
  ['high precision', withContext({}, { highPrecision: true }), false],
  ['motion vectors, and the standard pipeline', { ...moves, drawingPipeline: new Pipeline() }, false],
  ['motion vectors, and no pipeline', moves, false],
  ['motion vectors, and another pipeline', { ...moves, drawingPipeline: new OtherPipeline() }, true],
  ['another pipeline', { ...withOutputs({ output }), drawingPipeline: new OtherPipeline() }, false],
])('a renderer with %s gets all objects, or not', (_, renderer, expected) => {
  expect(needsAllObjects(drawnBy(renderer))).toBe(expected);
});

it.each<[string, object, boolean]>([
  ['nothing', {}, true],
  ['a canvas with depth, of WebGPURenderer', { depth: true }, true],
  ['a canvas without depth, of WebGPURenderer', { depth: false }, false],
  ['a canvas with depth, of WebGLRenderer', { getContextAttributes: () => ({ depth: true }) }, true],
  ['a canvas without depth, of WebGLRenderer', { getContextAttributes: () => ({ depth: false }) }, false],
  ['a context that is lost', { getContextAttributes: () => null }, true],
  ['the canvas as target', { getRenderTarget: () => null, depth: false }, false],
  ['a target without depth', { getRenderTarget: () => ({ depthBuffer: false }), depth: true }, false],
  ['a target with depth', { getRenderTarget: () => ({ depthBuffer: true }), depth: false }, true],
  ['no opaque objects', { opaque: false }, false],
])('a renderer with %s draws with depth, or not', (_, renderer, expected) => {
  expect(drawsWithDepth(drawnBy(renderer))).toBe(expected);
  expect(drawsWithDepth(new Scene())).toBe(true);
});

it('finds the node of three that computes motion vectors, also inside another', () => {
  expect(velocityNodeOf(new Scene())).toBeNull();
  expect(velocityNodeOf(drawnBy({}))).toBeNull();
  expect(velocityNodeOf(drawnBy(withOutputs({ output, other: velocity })))).toBeNull();
  for (const node of [velocity, vec4(velocity as never)])
    expect(velocityNodeOf(drawnBy(withOutputs({ output, velocity: node })))).toBe(velocity);
});

it('knows whether the user has set onBeforeRender, before a pass and after it', () => {
  for (const callback of [null, draws]) {
    const scene = new Scene().add(new OctreeGroup());
    if (callback !== null) scene.onBeforeRender = callback;
    const known = [hasSceneCallback(scene)];
    scene.updateMatrixWorld();
    known.push(hasSceneCallback(scene));
    begin(scene);
    known.push(hasSceneCallback(scene));
    expect(known).toEqual(Array(3).fill(callback !== null));
  }
});

it('calls what waits for a render once, when the next one begins, of whichever scene above', () => {
  const [outer, inner] = [new Scene(), new Scene()];
  const object = cube(0);
  outer.add(inner.add(object));
  const [first, second] = [vi.fn(), vi.fn()];
  awaitRenderer(object, first);
  awaitRenderer(object, first);
  awaitRenderer(object, second);
  begin(inner);
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]);
  begin(inner);
  begin(outer);
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([2, 2]);
});
