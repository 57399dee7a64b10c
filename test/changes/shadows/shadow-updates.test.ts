// Shadow updates without a renderer: a pass is the update of the matrices, and the visit of all LODs.

import { Group, LOD, Mesh, MeshLambertMaterial, Object3D, PCFShadowMap, Scene, VSMShadowMap } from 'three';
import { ClippingGroup } from 'three/webgpu';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { GroupChanges } from '../../../src/changes/views/group-changes.ts';
import { ShadowUpdates } from '../../../src/three.ts';
import { SourceDetector } from '../../../src/three/group/source-detector.ts';
import { createRandom } from '../../support/random.ts';
import { createCamera } from '../../support/three-pictures.ts';
import { boxes, camera, createTown, leafOf, type Town } from '../../support/shadow-towns.ts';
import { createPass, rest, settings } from '../../support/shadow-passes.ts';

const autoUpdates = ({ lights }: Town): boolean[] => lights.map(({ shadow }) => shadow.autoUpdate);
const ALL = [true, true, true, true];

describe('ShadowUpdates', () => {
  it('looks for changes by scene.onBeforeRender only if the user has set it, in nested scenes too', () => {
    const town: Town = createTown(1);
    const outer = new Scene().add(town.scene);
    const { pass } = createPass(town);
    const find = vi.spyOn(town.group.groupChildren, 'findChangedByOthers');
    outer.updateMatrixWorld();
    for (let k = 0; k < 3; k++) pass();
    expect(find).not.toHaveBeenCalled();

    outer.onBeforeRender = () => {};
    pass();
    expect(find).toHaveBeenCalled();
  });

  it('goes on after scene.clear, and after all children were removed one by one', async () => {
    for (const clear of [
      (scene: Scene) => scene.clear(),
      (scene: Scene) => {
        while (scene.children.length > 0) scene.remove(scene.children[0]);
      },
    ]) {
      const { town, pass, shadows } = rest();
      const { scene, lights, parent } = town;
      clear(scene);
      // Until the next pass three draws all maps.
      expect(autoUpdates(town)).toEqual(ALL);
      scene.add(parent, ...lights);
      await Promise.resolve();
      expect(pass()).toEqual(lights);
      expect(pass()).toEqual([]);
      shadows.dispose();
      await Promise.resolve();
      expect(scene.children).toEqual([parent, ...lights]);
    }
  });

  it('works in a scene whose method add puts objects into a group', async () => {
    const { town, pass, shadows } = rest();
    const { scene, group, lights } = town;
    scene.clear();
    scene.add(town.parent, ...lights);
    const { length } = group.children;
    let calls = 0;
    scene.add = (...objects) => {
      if (++calls > 9) throw new Error('The probe is added again and again.');
      group.add(...objects);
      return scene;
    };
    await Promise.resolve();
    for (let microtask = 0; microtask < 9; microtask++) await Promise.resolve();
    expect(pass()).toEqual(lights);
    expect(pass()).toEqual([]);
    expect(group.children.length).toBe(length);
    expect(scene.children.length).toBe(2 + lights.length);
    shadows.dispose();
    await Promise.resolve();
    expect(scene.children.length).toBe(1 + lights.length);
  });

  /**
   * What applications do to a scene that they did not fill alone. `known` are its children without those of the
   * library.
   */
  const isolations: Record<string, (scene: Scene, known: readonly Object3D[]) => void> = {
    'all children hidden, the known ones shown again': (scene, known) => {
      for (const child of scene.children) child.visible = false;
      for (const child of known) child.visible = true;
    },
    'all objects hidden, the known ones shown again': (scene, known) => {
      scene.traverse((object) => (object.visible = false));
      scene.visible = true;
      for (const child of known) child.traverse((object) => (object.visible = true));
    },
    'LODs chosen by the application': (scene) =>
      scene.traverse((object) => object instanceof LOD && (object.autoUpdate = false)),
    'length of children set to 0': (scene, known) => {
      scene.children.length = 0;
      scene.add(...known);
    },
    'children replaced': (scene, known) => void (scene.children = [...known]),
    'unknown children cut out of the array': (scene, known) => {
      for (const child of scene.children.filter((each) => !known.includes(each)))
        scene.children.splice(scene.children.indexOf(child), 1);
    },
    'unknown children removed': (scene, known) =>
      scene.remove(...scene.children.filter((child) => !known.includes(child))),
    'children moved to another scene, and the known ones back': (scene, known) => {
      new Scene().add(...scene.children);
      scene.add(...known);
    },
  };

  it.each(Object.entries(isolations))('goes on after: %s', async (_, isolate) => {
    const town = createTown(1);
    const known = Array.from(town.scene.children);
    const { pass, shadows } = createPass(town);
    for (let k = 0; k < 3; k++) pass();
    isolate(town.scene, known);
    await Promise.resolve();
    for (let k = 0; k < 2; k++) pass();
    expect(pass()).toEqual([]);
    leafOf(town, 0).position.set(12, 3, -12);
    expect(pass()).toContain(town.lights[1]);
    shadows.dispose();
    expect(autoUpdates(town)).toEqual(ALL);
    expect(town.scene.children).toEqual(known);
  });

  it('learns of the passes of all cameras, whatever is done to the layers of the scene', () => {
    const { town, pass } = rest();
    town.scene.traverse((object) => object.layers.set(3));
    const update = vi.spyOn(
      town.scene.children.find((child) => child instanceof LOD)!,
      'update',
    );
    for (const child of town.scene.children)
      if (child instanceof LOD) expect(child.layers.test(new Object3D().layers)).toBe(true);
    pass();
    expect(update).toHaveBeenCalled();
  });

  it('gives autoUpdate back as it was, also if the light has moved to another scene that has one', () => {
    const own = createTown(1);
    own.lights[2].shadow.autoUpdate = false;
    const { pass, shadows } = createPass(own);
    pass();
    expect(autoUpdates(own)).toEqual([false, false, false, false]);
    shadows.dispose();
    expect(autoUpdates(own)).toEqual([true, true, false, true]);
    const [from, to] = [rest(), rest()];
    const [light] = from.town.lights;
    to.town.scene.add(light);
    to.town.lights.push(light);
    to.pass();
    expect(light.shadow.autoUpdate).toBe(false);
    to.shadows.dispose();
    from.shadows.dispose();
    expect(light.shadow.autoUpdate).toBe(true);
  });

  it.each([true, false])(
    'gives autoUpdate back as it was (%s), however several ShadowUpdates share a light',
    (autoUpdate) => {
      const random = createRandom(Number(autoUpdate));
      for (let round = 0; round < 200; round++) {
        const town = createTown(1, 2);
        const inner = new Scene().add(...town.scene.children);
        const roots = [town.scene.add(inner), inner];
        const [light] = town.lights;
        light.shadow.autoUpdate = autoUpdate;
        const users = roots.map((root) => new ShadowUpdates(root, settings));
        const probes = roots.map(({ children }) => children.at(-1) as LOD);
        const order = [0, 1].sort(() => random.between(-1, 1));
        for (let step = 0; step < 8; step++) {
          if (random.below(3) === 0) light.visible = !light.visible;
          const k = random.below(2);
          if (probes[k].parent !== null) probes[k].update(camera);
          if (step > 4 && random.below(3) === 0) users[order.shift() ?? 0].dispose();
        }
        for (const k of order) users[k].dispose();
        expect(light.shadow.autoUpdate).toBe(autoUpdate);
      }
    },
  );

  it('draws no map for what only the materials read that look it up', () => {
    const { town, pass } = rest();
    const { shadow } = town.lights[0];
    const fields = { bias: 0.1, normalBias: 0.1, intensity: 0.5, radius: 3, blurSamples: 5 };
    for (const [name, value] of Object.entries(fields)) {
      Object.assign(shadow, { [name]: value });
      expect([name, pass()]).toEqual([name, []]);
    }
    settings.shadowMap.type = VSMShadowMap;
    town.group.removeFromParent();
    town.scene.children.find((child) => child instanceof Mesh)!.receiveShadow = false;
    for (let k = 0; k < 3; k++) pass();
    for (const name of Object.keys(fields)) {
      expect([name, pass()]).toEqual([name, []]);
      Object.assign(shadow, { [name]: 7 });
      expect([name, pass()]).toEqual([name, ['radius', 'blurSamples'].includes(name) ? [town.lights[0]] : []]);
    }
    settings.shadowMap.type = PCFShadowMap;
  });

  it('compares nothing while there is no map to draw, and draws all maps when there is', () => {
    const { town, pass } = rest();
    const { lights } = town;
    const update = vi.spyOn(GroupChanges.prototype, 'update');
    const ways: Record<string, (isOn: boolean) => void> = {
      'no light casts a shadow': (isOn) => lights.forEach((light) => (light.castShadow = isOn)),
      'the lights are hidden': (isOn) => lights.forEach((light) => (light.visible = isOn)),
      'shadow maps are switched off': (isOn) => void (settings.shadowMap.enabled = isOn),
    };
    for (const [name, set] of Object.entries(ways)) {
      set(false);
      update.mockClear();
      leafOf(town, 0).position.x += 0.1;
      for (let k = 0; k < 3; k++) expect([name, pass()]).toEqual([name, []]);
      expect(update).not.toHaveBeenCalled();
      expect(autoUpdates(town)).toEqual(ALL);
      set(true);
      expect([name, pass()]).toEqual([name, lights]);
      expect([name, pass()]).toEqual([name, []]);
      leafOf(town, 0).position.set(12, 3, -12);
      expect([name, pass().includes(lights[1])]).toEqual([name, true]);
      pass();
    }
  });

  it('leaves the maps of the camera alone in passes that draw none, as those of a Reflector', () => {
    const { town, pass } = rest();
    const far = createCamera([0, 90, 90], [0, 0, 0], 300);
    const shadowMap: { autoUpdate: boolean; needsUpdate?: boolean } = settings.shadowMap;
    onTestFinished(() => void delete shadowMap.needsUpdate);
    for (const needsUpdate of [undefined, false]) {
      Object.assign(shadowMap, { autoUpdate: false, needsUpdate });
      pass(far);
      shadowMap.autoUpdate = true;
      expect(pass()).toEqual([]);
    }
    Object.assign(shadowMap, { autoUpdate: false, needsUpdate: true });
    expect(pass(far).length).toBeGreaterThan(0);
    Object.assign(shadowMap, { autoUpdate: true, needsUpdate: false });
    for (let k = 0; k < 2; k++) pass();
    expect(pass()).toEqual([]);
    settings.shadowMap.autoUpdate = false;
    leafOf(town, 0).position.set(12, 3, -12);
    pass(far);
    settings.shadowMap.autoUpdate = true;
    expect(pass()).toContain(town.lights[1]);
  });

  /** An LOD under the spot light, declared still, in each place where it can stand. */
  const stillLods: Record<string, (lod: LOD, town: Town) => Object3D> = {
    'beside the groups': (lod, { scene }) => scene.add(lod) && lod,
    'below something that is still': (lod, { scene }) => {
      const parent = new Group().add(lod);
      scene.add(parent);
      return parent;
    },
    'a level of another': (lod, { scene }) => {
      const outer = new LOD().addLevel(new Group().add(lod), 0).addLevel(new Object3D(), 500);
      scene.add(outer);
      return outer;
    },
    'in a group': (lod, { group }) => group.add(lod) && lod,
    'in a group, with hysteresis': (lod, { group }) => {
      for (const level of lod.levels) level.hysteresis = 0.05;
      group.add(lod);
      return lod;
    },
    'in a group, in the light only by its child': (lod, { group }) => {
      const parent = new Group().add(lod);
      lod.levels[1].hysteresis = 0.05;
      group.add(parent);
      return group;
    },
    'in a group that does not cull it': (lod, { group }) => {
      lod.levels[0].object.frustumCulled = false;
      group.add(lod);
      return group;
    },
  };

  it.each(Object.entries(stillLods))('follows the camera with an LOD that is declared still: %s', (_, add) => {
    const { town, pass, shadows } = rest();
    const levels = [new Mesh(boxes[0], town.materials[0]), new Mesh(boxes[1], town.materials[0])];
    for (const level of levels) level.castShadow = true;
    const lod = new LOD().addLevel(levels[0], 0).addLevel(levels[1], 80);
    lod.translateX(12).translateZ(-12);
    town.group.remove(...town.group.children);
    shadows.setStill(add(lod, town));
    for (let k = 0; k < 4; k++) pass();
    expect(pass()).toEqual([]);
    const cameras = [createCamera([0, 90, 90], [0, 0, 0], 300), camera];
    for (const [k, view] of cameras.entries()) {
      expect(pass(view)).toContain(town.lights[1]);
      expect(levels.map(({ visible }) => visible)).toEqual([k === 1, k === 0]);
      for (let n = 0; n < 2; n++) pass(view);
      expect(pass(view)).toEqual([]);
    }
  });

  it('draws all maps for each renderer, because each has maps of its own', () => {
    const { town, pass } = rest();
    const { scene, lights } = town;
    const other = { shadowMap: { type: PCFShadowMap } };
    const draw = (renderer: object): number => {
      scene.updateMatrixWorld();
      Reflect.apply(Reflect.get(scene, 'onBeforeRender'), scene, [renderer, scene]);
      for (const child of scene.children) if (child instanceof LOD) child.update(camera);
      const due = lights.filter(({ shadow }) => shadow.needsUpdate).length;
      for (const { shadow } of lights) shadow.needsUpdate = false;
      return due;
    };
    expect([draw(settings), draw(other), draw(other), draw(settings), draw(settings)]).toEqual([0, 4, 0, 4, 0]);
    expect(pass()).toEqual([]);
  });

  it('goes on to update lights that are declared still', () => {
    const { town, shadows, pass } = rest();
    shadows.setStill(town.scene);
    pass();
    expect(pass()).toEqual([]);
    expect(autoUpdates(town)).toEqual([false, false, false, false]);
    leafOf(town, 0).position.set(12, 3, -12);
    expect(pass()).toContain(town.lights[1]);
  });

  it('draws in each pass what WebGPURenderer may change: classic materials with nodes, clipping groups, context nodes', () => {
    const { town, pass, shadows } = rest();
    const { group, scene, lights } = town;
    const mesh = leafOf(town, 0);
    mesh.position.set(12, 3, -12);
    mesh.material = Object.assign(new MeshLambertMaterial(), { positionNode: {} });
    for (let k = 0; k < 3; k++) expect(pass()).toContain(lights[1]);
    shadows.setStill(mesh);
    pass();
    expect(pass()).toEqual([]);

    const clipped = new ClippingGroup();
    clipped.add(new Mesh(boxes[0], town.materials[0]));
    clipped.children[0].castShadow = true;
    clipped.position.set(12, 3, -12);
    group.add(clipped);
    // Until its bounds are known, all lights see it.
    for (let k = 0; k < 2; k++) pass();
    // The light at the second place, and the cube around that of the third.
    for (let k = 0; k < 3; k++) expect(pass()).toEqual(lights.slice(1, 3));
    group.remove(clipped);
    pass();
    expect(pass()).toEqual([]);

    const above = new ClippingGroup();
    scene.add(above.add(town.parent));
    for (let k = 0; k < 3; k++) expect(pass()).toEqual(lights);
    shadows.setStill(above);
    pass();
    expect(pass()).toEqual([]);

    Object.assign(settings, { contextNode: { getFlowContextData: () => ({ overrideNodes: {} }) } });
    for (let k = 0; k < 3; k++) pass();
    expect(pass()).toEqual(lights);
    Reflect.deleteProperty(settings, 'contextNode');
  });

  it('finds changes of static children that were not reported, some passes later', () => {
    const town = createTown(3, 200, { hasStaticChildren: true });
    const { pass } = createPass(town);
    const mesh = leafOf(town, 9);
    mesh.position.set(12, 3, -12);
    mesh.geometry = boxes[0].clone();
    for (let k = 0; k < 3; k++) pass();
    const changes = [
      () => void (mesh.geometry.attributes.position.needsUpdate = true),
      () => mesh.geometry.setDrawRange(0, 6),
      () => void (mesh.castShadow = false),
      () => void (mesh.castShadow = true),
      () => void (mesh.layers.mask = 3),
      () => void (mesh.onBeforeShadow = () => {}),
    ];
    for (const change of changes) {
      expect(pass()).toEqual([]);
      change();
      const due = Array.from({ length: 4 }, () => pass().includes(town.lights[1]));
      expect(due).toContain(true);
    }
  });

  it('misses nothing after frames in which nearly everything moves', () => {
    const town = createTown(1, 10);
    const { group, lights } = town;
    const crowd = Array.from({ length: 1500 }, () => new Mesh(boxes[0], town.materials[0]));
    for (const mesh of crowd) mesh.castShadow = true;
    for (const mesh of crowd) group.add(mesh.translateX(200));
    const hidden = leafOf(town, 0);
    hidden.position.set(12, 3, -12);
    hidden.visible = false;
    const { pass } = createPass(town);
    const settle = (): void => {
      for (let k = 0; k < 4; k++) pass();
      expect(pass()).toEqual([]);
    };
    settle();
    for (let round = 0; round < 3; round++) {
      for (let frame = 0; frame < 3; frame++) {
        for (const mesh of crowd) mesh.position.x += 0.1;
        if (frame === round) hidden.visible = !hidden.visible;
        expect(pass()).toEqual(lights);
      }
      expect(pass()).toEqual(lights);
      expect(pass()).toEqual([]);
      hidden.position.x += 0.1;
      expect(pass().includes(lights[1])).toBe(hidden.visible);
      settle();
    }
  });

  it('keeps no list of changes while nothing is drawn', () => {
    const town = createTown(1);
    const shadows = new ShadowUpdates(town.scene, settings, [town.group]);
    // What is held shows nowhere but in memory.
    const { touched } = shadows.containers.get(town.group) as GroupChanges;
    for (let frame = 0; frame < 60; frame++) {
      for (const child of town.group.children) child.position.x += 0.1;
      const child = new Mesh(boxes[0]);
      town.group.add(child);
      town.scene.updateMatrixWorld();
      town.group.remove(child);
    }
    expect(touched.size).toBeLessThan(400);
    shadows.dispose();
    expect(town.group.groupChildren.bodies.detector).toBeInstanceOf(SourceDetector);
  });
});
