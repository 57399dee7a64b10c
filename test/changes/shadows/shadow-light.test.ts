// Which lights ShadowUpdates takes, and what their maps read beside the casters.

import { DirectionalLight, Group, LightShadow, RenderTarget, Scene } from 'three';
import { expect, it, onTestFinished } from 'vitest';
import { ShadowLight } from '../../../src/changes/shadows/shadow-light.ts';
import { createPass, rest, settings } from '../../support/shadow-passes.ts';
import { camera, createTown } from '../../support/shadow-towns.ts';
import { createCamera } from '../../support/three-pictures.ts';

it.each([true, false])('reads autoUpdate (%s) again after all have given it back, and not before', (autoUpdate) => {
  const light = new DirectionalLight();
  const { shadow } = light;
  const take = (): ShadowLight => {
    const taken = new ShadowLight(light, light, null);
    taken.takeChange(camera, false);
    return taken;
  };
  shadow.autoUpdate = autoUpdate;
  const users = [take(), take()];
  users[0].dispose();
  users.push(take());
  for (const user of users.slice(1)) user.dispose();
  expect(shadow.autoUpdate).toBe(autoUpdate);
  shadow.autoUpdate = !autoUpdate;
  take().dispose();
  expect(shadow.autoUpdate).toBe(!autoUpdate);
});

it('draws a map that is new, or was disposed of, and listens to no other', () => {
  const { town, pass, shadows } = rest();
  const [light] = town.lights;
  const targets = [0, 1].map(() => new RenderTarget(8, 8));
  for (const target of targets) {
    light.shadow.map = target as never;
    expect(pass()).toEqual([light]);
    expect(pass()).toEqual([]);
  }
  targets[0].dispose();
  expect(pass()).toEqual([]);
  for (let k = 0; k < 2; k++) {
    targets[1].dispose();
    expect(pass()).toEqual([light]);
    expect(pass()).toEqual([]);
  }
  shadows.dispose();
  for (const target of targets) expect(Reflect.get(target, '_listeners')).toEqual({ dispose: [] });
});

it('draws the maps of all cascades of a CSMShadowNode with all that places them, once it has a camera', () => {
  const town = createTown(1);
  const [sun] = town.lights as DirectionalLight[];
  const own = { lights: [new DirectionalLight(), new DirectionalLight()], breaks: [0.5, 1], lightMargin: 200 };
  const node = { ...own, light: sun, camera: null as unknown };
  const holder = new Group().add(sun);
  town.scene.add(holder);
  Object.assign(sun.shadow, { shadowNode: node });
  // Their maps are drawn as those of other lights.
  town.lights.push(...own.lights);
  const { pass, shadows } = createPass(town);
  for (let k = 0; k < 3; k++) expect(pass()).not.toContain(sun);
  expect(own.lights.map(({ shadow }) => shadow.autoUpdate)).toEqual([true, true]);
  const view = createCamera([0, 10, 10], [0, 0, 0], 100);
  const changes: Record<string, () => void> = {
    camera: () => (node.camera = view),
    'its place': () => (view.matrixWorld = view.matrixWorld.clone().setPosition(1, 2, 3)),
    'its projection': () => (view.projectionMatrix = view.projectionMatrix.clone().multiplyScalar(2)),
    'place of the light': () => (sun.position.x += 1),
    'place of the target': () => (sun.target.position.x += 1),
    'place of the parent': () => (holder.position.x += 1),
    breaks: () => (own.breaks[0] = 0.4),
    margin: () => (node.lightMargin = 100),
  };
  for (const [name, change] of Object.entries(changes)) {
    change();
    expect([name, pass()]).toEqual([name, [sun]]);
    expect([name, pass()]).toEqual([name, []]);
  }
  expect(own.lights.map(({ shadow }) => shadow.autoUpdate)).toEqual([false, false]);
  own.lights[1].shadow.camera.far += 1;
  expect(pass()).toEqual([sun]);
  shadows.dispose();
  expect(own.lights.map(({ shadow }) => shadow.autoUpdate)).toEqual([true, true]);
});

it('leaves shadows of a kind that it does not know to three', () => {
  const town = createTown(1);
  const [, light] = town.lights as { shadow: LightShadow }[];
  light.shadow = new (class extends LightShadow {})(light.shadow.camera);
  const { pass } = createPass(town);
  expect(pass()).toEqual(town.lights.filter((each) => each !== light));
  expect(light.shadow.autoUpdate).toBe(true);
});

it('draws all maps in each pass of a renderer with transmitted light, or with shader code of its own', () => {
  const { town, pass } = rest();
  // Of several scenes one is enough.
  new Scene().add(town.scene);
  const { shadowMap } = settings;
  for (const [target, name, value] of [
    [shadowMap, 'transmitted', true],
    [settings, 'contextNode', { getFlowContextData: () => ({ getAttribute: 1 }) }],
  ] as const) {
    onTestFinished(() => void Reflect.deleteProperty(target, name));
    Reflect.set(target, name, value);
    for (let k = 0; k < 3; k++) expect(pass()).toEqual(town.lights);
    Reflect.deleteProperty(target, name);
    pass();
    expect(pass()).toEqual([]);
  }
});
