// Settings of instances, nodes of a renderer, render targets and lights with several maps: each counts once.

import { LOD, Mesh, Object3D, PerspectiveCamera, RenderTarget, SpotLight } from 'three';
import { color } from 'three/tsl';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ShadowUpdates, ViewChanges } from '../../../src/three.ts';
import { at, corner, createChangeTown, FakeRenderer, watchTown, type ChangeTown } from '../../support/change-towns.ts';
import { boxes } from '../../support/shadow-towns.ts';

/** Tree 9 is in view, tree 63 is not. */
const [NEAR, FAR] = [9, 63];

/** A town at rest, without shadows, and the questions of the camera above its corner. */
function rest(renderer?: object): { town: ChangeTown; views: ViewChanges; changed: () => boolean } {
  const town = createChangeTown();
  for (const light of town.lights) light.castShadow = false;
  const watch = watchTown(town);
  const { views } = watch;
  if (renderer) Object.assign(watch.renderer, renderer);
  const changed = (): boolean => views.changedIn(corner);
  for (let k = 0; k < 4; k++) changed();
  return { town, views, changed };
}

function setHeight(y: number): void {
  corner.position.y = y;
  corner.updateMatrixWorld();
}

/** Raises the camera until the end of the test. */
function raiseCorner(height: number): void {
  const { y } = corner.position;
  onTestFinished(() => setHeight(y));
  setHeight(y + height);
}

describe('a picture of instances', () => {
  const seer = new PerspectiveCamera();
  const settings: [string, (town: ChangeTown) => void][] = [
    ['sortObjects', ({ trees }) => void (trees.sortObjects = !trees.sortObjects)],
    ['drawsInOrder', ({ trees }) => void (trees.drawsInOrder = !trees.drawsInOrder)],
    ['renderOrder', ({ trees }) => void (trees.renderOrder = 3)],
    ['providesInstanceId', ({ trees }) => void (trees.providesInstanceId = !trees.providesInstanceId)],
    ['minScreenSize', ({ trees }) => void (trees.minScreenSize = 1e-6)],
    ['cullingCamera', ({ trees }) => void (trees.cullingCamera = seer)],
    ['frustumCulled', ({ trees }) => void (trees.frustumCulled = false)],
    ['colours', ({ trees }) => void trees.setColorAt(NEAR, 0xff0000)],
  ];

  it.each(settings)('changes once with %s', (_, change) => {
    const { town, changed } = rest();
    expect(changed()).toBe(false);
    change(town);
    expect(changed()).toBe(true);
    changed();
    expect(changed()).toBe(false);
  });

  it('changes when the culling camera moves', () => {
    const { town, changed } = rest();
    town.trees.cullingCamera = seer;
    for (let k = 0; k < 3; k++) changed();
    expect(changed()).toBe(false);
    seer.position.x += 1;
    seer.updateMatrixWorld();
    expect(changed()).toBe(true);
  });

  it('changes always while a callback draws them, and not while they are hidden', () => {
    const { town, changed } = rest();
    const { trees } = town;
    trees.onBeforeRender = () => undefined;
    for (let k = 0; k < 4; k++) expect(changed()).toBe(true);
    trees.visible = false;
    for (let k = 0; k < 2; k++) changed();
    for (let k = 0; k < 3; k++) {
      trees.setMatrixAt(NEAR, at(-12 + k, -12));
      expect(changed()).toBe(false);
    }
    trees.visible = true;
    expect(changed()).toBe(true);
  });
});

it.each<[string, (town: ChangeTown) => unknown, boolean]>([
  ['that are drawn from a size on the screen on', ({ trees }) => (trees.minScreenSize = 0.01), true],
  ['with levels of detail', ({ trees }) => trees.addLevel(boxes[1], 30), true],
  [
    'with a level for shadows',
    ({ trees }) => {
      trees.addLevel(boxes[1], 30);
      trees.shadowLevel = 0;
    },
    false,
  ],
  ['without either', () => undefined, false],
])('maps of instances %s follow the camera or not', (_, change, follows) => {
  const town = createChangeTown();
  // Some of its children are levels of detail.
  town.group.remove(...town.group.children);
  const { shadows, pass } = watchTown(town);
  shadows.setStill(town.floor);
  change(town);
  for (let k = 0; k < 4; k++) pass();
  expect(pass()).toEqual([]);
  raiseCorner(40);
  expect(pass().length > 0).toBe(follows);
  pass();
  expect(pass()).toEqual([]);
  // Levels of detail read it without the projection.
  onTestFinished(() => void (corner.zoom = 1));
  corner.zoom = 2;
  expect(pass().length > 0).toBe(follows);
});

it('maps of instances that are drawn from a size on follow the culling camera', () => {
  const town = createChangeTown();
  town.group.remove(...town.group.children);
  const { shadows, pass } = watchTown(town);
  shadows.setStill(town.floor);
  const seer = corner.clone();
  Object.assign(town.trees, { minScreenSize: 0.01, cullingCamera: seer });
  const moved = (camera: PerspectiveCamera): boolean => {
    for (let k = 0; k < 4; k++) pass();
    expect(pass()).toEqual([]);
    camera.position.y += 40;
    camera.updateMatrixWorld();
    return pass().length > 0;
  };
  expect(moved(seer)).toBe(true);
  onTestFinished(() => setHeight(corner.position.y - 40));
  expect(moved(corner)).toBe(false);
});

it('levels below a hidden level of an LOD that is declared still change no map', () => {
  const town = createChangeTown();
  // Some of its children are levels of detail.
  town.group.remove(...town.group.children);
  const { shadows, pass } = watchTown(town);
  shadows.setStill(town.floor);
  const [near, far, farther] = [0, 1, 2].map(() =>
    Object.assign(new Mesh(boxes[0], town.materials[0]), { castShadow: true }),
  );
  const inner = new LOD().addLevel(far, 0).addLevel(farther, 45);
  const outer = new LOD().addLevel(near, 0).addLevel(new Object3D().add(inner), 1000);
  outer.position.set(-12, 3, -12);
  town.scene.add(outer);
  shadows.setStill(outer);
  for (let k = 0; k < 4; k++) pass();
  expect(pass()).toEqual([]);
  raiseCorner(60);
  expect(pass()).toEqual([]);
});

// The shading language adds a method to all nodes that has the name of one of colours and vectors: `toArray`.
it.each(['backgroundNode', 'environmentNode', 'fogNode'])('a scene has a shader node: %s', (field) => {
  const { town, changed } = rest();
  Object.assign(town.scene, { [field]: color(0x22_22_44) });
  for (let k = 0; k < 3; k++) expect(changed()).toBe(true);
});

describe('a renderer', () => {
  it.each<[string, object, boolean, boolean]>([
    ['without data', {}, true, false],
    ['with its own matrices of high precision', { modelViewMatrix: 1, modelNormalViewMatrix: 1 }, true, false],
    ['with such names and low precision', { modelViewMatrix: 1 }, false, true],
    ['with other data', { getOutput: 1 }, false, true],
    ['with other data beside its own', { modelViewMatrix: 1, getOutput: 1 }, true, true],
  ])('has a context node %s', (_, data, highPrecision, isUnknown) => {
    const { changed } = rest({ contextNode: { getFlowContextData: () => data }, highPrecision });
    for (let k = 0; k < 3; k++) expect(changed()).toBe(isUnknown);
  });

  it('is asked for the last target alone: another one may be disposed of', () => {
    const { views } = rest();
    const [first, second] = [new RenderTarget(20, 20), new RenderTarget(20, 20)];
    const changed = (): boolean => views.changedIn(corner, second);
    views.changedIn(corner, first);
    for (let k = 0; k < 2; k++) changed();
    expect(changed()).toBe(false);
    first.dispose();
    expect(changed()).toBe(false);
    second.dispose();
    expect([changed(), changed()]).toEqual([true, false]);
  });

  it('has a canvas that was given its own size again', () => {
    const Canvas = class {
      readonly width = 20;
    };
    const records: unknown[] = [];
    const observed: unknown[] = [];
    const callbacks: (() => void)[] = [];
    const observer = class {
      constructor(callback: () => void) {
        callbacks.push(callback);
      }
      observe(...args: unknown[]): void {
        observed.push(...args);
      }
      disconnect(): void {}
      takeRecords(): unknown[] {
        return records.splice(0);
      }
    };
    const names = { HTMLCanvasElement: Canvas, MutationObserver: observer };
    const before = Object.keys(names).map((name) => [name, Reflect.get(globalThis, name)] as const);
    Object.assign(globalThis, names);
    onTestFinished(() => {
      for (const [name, value] of before)
        if (value === undefined) Reflect.deleteProperty(globalThis, name);
        else Reflect.set(globalThis, name, value);
    });
    const town = createChangeTown();
    for (const light of town.lights) light.castShadow = false;
    const renderer = Object.assign(new FakeRenderer(), { domElement: new Canvas() });
    const views = new ViewChanges(town.scene, renderer, [town.group]);
    for (const object of [town.floor, town.trees]) views.setStill(object);
    for (let k = 0; k < 4; k++) views.changedIn(corner);
    expect(views.changedIn(corner)).toBe(false);
    expect(observed).toEqual([renderer.domElement, { attributeFilter: ['width', 'height'] }]);
    // Before the observer calls back, and after.
    for (const change of [() => records.push({}), ...callbacks]) {
      change();
      expect([views.changedIn(corner), views.changedIn(corner)]).toEqual([true, false]);
    }
  });
});

describe('a light', () => {
  it.each<[string, (light: SpotLight) => void, boolean]>([
    ['with one map', () => undefined, false],
    ['with several maps', ({ shadow }) => (shadow.getViewportCount = () => 2), true],
    ['with a shadow node', ({ shadow }) => Object.assign(shadow, { shadowNode: {} }), true],
  ])('%s may show a change that it does not see, or not', (_, change, isUnknown) => {
    const { town, changed } = rest();
    // Tree 63 is opposite to the first light.
    const [light] = town.lights;
    light.castShadow = true;
    change(light as SpotLight);
    for (let k = 0; k < 4; k++) changed();
    expect(changed()).toBe(false);
    town.trees.setMatrixAt(FAR, at(20, 19));
    expect(changed()).toBe(isUnknown);
  });

  it('is due after a pass alone, and never with a shadow node of one map', () => {
    const town = createChangeTown();
    const { renderer } = watchTown(createChangeTown());
    const shadows = new ShadowUpdates(town.scene, renderer, [town.group]);
    expect(shadows.due).toEqual([]);
    shadows.dispose();
    const watch = watchTown(town);
    Object.assign(town.lights[0].shadow, { shadowNode: {} });
    expect(watch.pass()).toEqual(town.lights.slice(1));
  });
});
