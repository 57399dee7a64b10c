// A container learns the renderer of a pass from `scene.onBeforeRender`. Users of the scene see nothing of it.

import { Scene } from 'three';
import { describe, expect, it, vi } from 'vitest';
import { LastRenderer } from '../../../src/three/passes/pass-renderer.ts';
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
