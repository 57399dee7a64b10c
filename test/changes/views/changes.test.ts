// What ShadowUpdates and ViewChanges find, without a renderer: each kind of change alone, and none in a scene at rest.

import {
  ArrayCamera,
  BoxGeometry,
  CanvasTexture,
  Color,
  Fog,
  Group,
  LOD,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PerspectiveCamera,
  Plane,
  RenderTarget,
  Scene,
  ShaderMaterial,
  Sprite,
  SpriteMaterial,
  Texture,
  Vector4,
  type BufferAttribute,
  type SpotLight,
} from 'three';
import { SourceDetector } from '../../../src/three/group/source-detector.ts';
import { describe, expect, it } from 'vitest';
import { InstanceChanges, OctreeGroup, OctreeInstances, ShadowUpdates, ViewChanges } from '../../../src/three.ts';
import {
  at,
  corner,
  createChangeTown,
  FakeRenderer,
  opposite,
  watchTown,
  type ChangeTown,
} from '../../support/change-towns.ts';
import { boxes, leafOf } from '../../support/shadow-towns.ts';

/** Tree 9 is under the first light, which is above (-12, -12). */
const NEAR = 9;

/** What a change must do: draw the map of the first light, and change the picture of the camera in its corner. */
type Effect = readonly [isCaster: boolean, change: (town: ChangeTown) => void];

const changes: Record<string, Effect> = {
  'instance moved': [true, ({ trees }) => void trees.setMatrixAt(NEAR, at(-14, -14))],
  'instance moved away': [true, ({ trees }) => void trees.setMatrixAt(NEAR, at(15, 15))],
  'instance moved here': [true, ({ trees }) => void trees.setMatrixAt(63, at(-12, -12))],
  'instance hidden': [true, ({ trees }) => void trees.setVisibleAt(NEAR, false)],
  'instance deleted': [true, ({ trees }) => void trees.deleteInstance(NEAR)],
  'instance added': [true, ({ trees }) => void trees.addInstance(at(-12, -12, 4))],
  'fewer instances': [true, ({ trees }) => void (trees.count = NEAR)],
  'instances written': [
    true,
    ({ trees }) => {
      at(-13, -13).toArray(trees.instanceMatrix.array, 16 * NEAR);
      trees.instanceMatrix.needsUpdate = true;
    },
  ],
  'instance recoloured': [false, ({ trees }) => void trees.setColorAt(NEAR, 0xff0000)],
  'instances moved': [true, ({ trees }) => void (trees.position.x += 1)],
  'instances hidden': [true, ({ trees }) => void (trees.visible = false)],
  'instances without shadow': [true, ({ trees }) => void (trees.castShadow = false)],
  'layers of instances': [true, ({ trees }) => trees.layers.enable(3)],
  'geometry of instances': [true, ({ trees }) => void (trees.geometry = new BoxGeometry(2, 6, 2))],
  'vertices of instances': [
    true,
    ({ trees }) => void ((trees.geometry = trees.geometry.clone()).attributes.position as BufferAttribute).setY(0, 9),
  ],
  'material of instances': [true, ({ trees }) => void (trees.material = new MeshLambertMaterial())],
  'side of instances': [true, ({ trees }) => void (trees.material.side = 2)],
  'colour of the material of instances': [false, ({ trees }) => void trees.material.color.set(0x123456)],
  'level of instances': [true, ({ trees }) => void trees.addLevel(new BoxGeometry(), 10)],
  'child moved': [true, (town) => void leafOf(town, 0).position.set(-12, 5, -12)],
  'child hidden': [true, (town) => void (leafOf(town, 1).visible = false)],
  'child recoloured': [false, (town) => void leafOf(town, 1).material.color.set(0x123456)],
  'child with another order': [false, (town) => void (leafOf(town, 1).renderOrder = 3)],
  'receives shadows': [false, (town) => void (leafOf(town, 1).receiveShadow = false)],
  'parent moved': [true, ({ parent }) => void (parent.position.x += 1)],
  'light moved': [true, ({ lights }) => void (lights[0].position.x += 1)],
  'light brighter': [false, ({ lights }) => void (lights[3].intensity += 1)],
  // Shaders read it of a point light without the projection.
  'near of a shadow camera': [false, ({ lights }) => void (lights[2].shadow.camera.near += 1)],
  background: [false, ({ scene }) => void (scene.background as Color).set(0x112233)],
  fog: [false, ({ scene }) => void (scene.fog = new Fog(0x112233))],
  'environment intensity': [false, ({ scene }) => void (scene.environmentIntensity = 0.5)],
  'order of the group': [false, ({ group }) => void (group.renderOrder = 2)],
};

const mesh = (): Mesh => new Mesh(new BoxGeometry(), new MeshLambertMaterial());

/** A town in which leaf 1 stands under the first light, at rest. */
function rest(): ReturnType<typeof watchTown> & { town: ChangeTown } {
  const town = createChangeTown();
  leafOf(town, 1).position.set(-12, 3, -12);
  leafOf(town, 1).material = new MeshLambertMaterial();
  leafOf(town, 1).geometry = new BoxGeometry();
  const watch = watchTown(town);
  for (let k = 0; k < 3; k++) {
    for (const camera of [corner, opposite]) watch.views.changedIn(camera);
    watch.shadows.setStill(town.floor);
    watch.pass();
    watch.pass();
  }
  for (const camera of [corner, opposite]) watch.views.changedIn(camera);
  return { ...watch, town };
}

describe('changes', () => {
  it('are none in a scene at rest', () => {
    const { views, pass } = rest();
    for (let k = 0; k < 3; k++) {
      expect([views.changedIn(corner), views.changedIn(opposite)]).toEqual([false, false]);
      expect(pass()).toEqual([]);
    }
  });

  it.each(Object.entries(changes))('are found at once, and once: %s', (_, [isCaster, change]) => {
    const { views, pass, town } = rest();
    change(town);
    expect(views.changedIn(corner)).toBe(true);
    expect(pass().includes(town.lights[0])).toBe(isCaster);
    // A change of all that a container shares may be found in two steps.
    views.changedIn(corner);
    pass();
    expect(views.changedIn(corner)).toBe(false);
    expect(pass()).toEqual([]);
  });

  it('of few instances concern only what sees their old or new place', () => {
    const { views, pass, town } = rest();
    for (const light of town.lights) light.castShadow = false;
    town.lights[0].castShadow = town.lights[3].castShadow = true;
    const settle = (): void => {
      for (const camera of [corner, opposite]) views.changedIn(camera);
      pass();
    };
    for (let k = 0; k < 2; k++) settle();
    const seen = (x: number, z: number): unknown[] => {
      town.trees.setMatrixAt(NEAR, at(x, z));
      const answers = [views.changedIn(corner), views.changedIn(opposite)];
      return [...answers, pass().map((light) => town.lights.indexOf(light as never))];
    };
    expect(seen(-13, -13)[2]).toEqual([0]);
    expect(seen(12, 12)[2]).toEqual([0, 3]);
    expect(seen(12, 13)[2]).toEqual([3]);
    for (const light of town.lights) light.castShadow = false;
    settle();
    expect(seen(12, 11).slice(0, 2)).toEqual([false, true]);
    expect(seen(-12, -12).slice(0, 2)).toEqual([true, true]);
    expect(seen(-12, -13).slice(0, 2)).toEqual([true, false]);
  });

  it('of many instances are found, and of instances that move in every frame', () => {
    const { views, pass, town } = rest();
    for (let frame = 0; frame < 30; frame++) {
      for (let k = 0; k < 64; k++) town.trees.setMatrixAt(k, at(-21 + 6 * (k % 8) + frame / 9, -21 + 6 * (k >> 3)));
      expect(views.changedIn(corner)).toBe(true);
      expect(pass()).toContain(town.lights[0]);
    }
    expect(views.changedIn(corner)).toBe(false);
    expect(pass()).toEqual([]);
  });

  it('of a camera, its layers, the canvas, a render target and the renderer are changes of the picture', () => {
    const { views, renderer } = rest();
    const camera = corner.clone();
    const target = new RenderTarget(20, 20);
    const ask = (change: () => void): boolean[] => {
      change();
      return [views.changedIn(camera), views.changedIn(camera)];
    };
    expect(ask(() => {})).toEqual([true, false]);
    expect(ask(() => void (camera.position.x += 1))).toEqual([true, false]);
    // Levels of detail read it.
    expect(ask(() => void (camera.zoom = 2))).toEqual([true, false]);
    expect(ask(() => camera.updateProjectionMatrix())).toEqual([true, false]);
    expect(ask(() => camera.layers.enable(2))).toEqual([true, false]);
    expect(ask(() => void (renderer.size.x = 99))).toEqual([true, false]);
    expect(ask(() => renderer.clearColor.set(0xff0000))).toEqual([true, false]);
    expect(ask(() => void (renderer.toneMappingExposure = 2))).toEqual([true, false]);
    expect(views.changedIn(camera, target)).toBe(true);
    target.setSize(30, 20);
    expect([views.changedIn(camera, target), views.changedIn(camera, target)]).toEqual([true, false]);
    expect(ask(() => views.redrawAll())).toEqual([true, false]);
  });

  it('that no value shows count in each frame in which they are seen, until declared still', () => {
    const { views, town } = rest();
    const thing = leafOf(town, 1);
    const still = (): boolean[] => [corner, opposite].map((camera) => views.changedIn(camera));
    for (const light of town.lights) light.castShadow = false;
    const kinds: Record<string, () => void> = {
      shader: () => void (thing.material = new ShaderMaterial() as never),
      canvas: () => void (thing.material = new MeshBasicMaterial({ map: new CanvasTexture({} as never) }) as never),
      loading: () => void (thing.material = new MeshBasicMaterial({ map: new Texture({ complete: false }) }) as never),
      callback: () => {
        thing.material = new MeshLambertMaterial();
        thing.onBeforeRender = () => {};
      },
    };
    for (const [name, change] of Object.entries(kinds)) {
      change();
      still();
      for (let k = 0; k < 2; k++) expect([name, ...still()]).toEqual([name, true, false]);
      views.setStill(thing);
      still();
      expect([name, ...still()]).toEqual([name, false, false]);
      views.setStill(thing, false);
    }
    Reflect.deleteProperty(thing, 'onBeforeRender');
    const outside = new Mesh(new BoxGeometry(), new MeshLambertMaterial());
    outside.position.set(-12, 1, -12);
    outside.geometry.computeBoundingSphere();
    town.scene.add(outside);
    for (let k = 0; k < 3; k++) still();
    expect(still()).toEqual([true, false]);
    outside.removeFromParent();
    expect(still()).toEqual([true, false]);
    expect(still()).toEqual([false, false]);
    town.scene.onBeforeRender = () => {};
    still();
    expect(still()).toEqual([true, true]);
  });

  it('without a sign but the field itself are found in the same frame', () => {
    const { views, town, renderer, pass } = rest();
    const thing = leafOf(town, 1);
    const map = new Texture({ data: new Uint8Array(4), width: 1, height: 1 });
    const maps = [map, map.clone()];
    const material = new MeshLambertMaterial({ map: maps[0] });
    const sprite = new Sprite(new SpriteMaterial());
    sprite.position.set(-12, 3, -12);
    sprite.center.set(0, 0.5);
    town.group.add(sprite);
    thing.material = material;
    renderer.clippingPlanes = [new Plane()];
    const array = new ArrayCamera([corner.clone()]);
    const ask = (): boolean[] => [views.changedIn(corner), views.changedIn(opposite)];
    const settle = (): void => {
      for (let k = 0; k < 3; k++) ask();
      views.changedIn(array);
      pass();
      for (let k = 0; k < 3; k++) ask();
      expect([...ask(), views.changedIn(array)]).toEqual([false, false, false]);
    };
    settle();
    for (const light of town.lights) light.castShadow = false;
    settle();
    const here: Record<string, () => void> = {
      'another texture with the same image': () => void (material.map = maps[1]),
      'the image of a texture, uploaded by another texture': () => void (maps[0].needsUpdate = true),
      'an offset': () => void (maps[1].offset.x += 0.5),
      'the centre of a sprite, at the same radius': () => void (sprite.center.x = 1),
      'number of instances of a mesh': () => void (thing.count = 0),
      'a group of a geometry': () => thing.geometry.addGroup(0, 3, 1),
    };
    for (const [name, change] of Object.entries(here)) {
      change();
      expect([name, ...ask()]).toEqual([name, true, false]);
      settle();
    }
    renderer.clippingPlanes[0].constant = 3;
    expect(ask()).toEqual([true, true]);
    settle();
    // The camera of an array, which is not the camera that is asked for.
    array.cameras[0].matrixWorld.makeTranslation(1, 2, 3);
    expect(views.changedIn(array)).toBe(true);
    settle();
    Object.assign(array.cameras[0], { viewport: new Vector4(0, 0, 9, 9) });
    expect(views.changedIn(array)).toBe(true);
    settle();
    thing.position.x += 1;
    expect(views.changedIn(array)).toBe(true);
    settle();
    // A callback may do anything, from the first frame on.
    thing.onAfterRender = () => {};
    for (let k = 0; k < 3; k++) expect(ask()).toEqual([true, false]);
    Reflect.deleteProperty(thing, 'onAfterRender');
    settle();
    thing.material = Object.assign(new MeshLambertMaterial(), { colorNode: { isNode: true } });
    for (let k = 0; k < 3; k++) expect(ask()).toEqual([true, false]);
    views.setStill(thing);
    settle();
    Object.assign(renderer, { contextNode: { getFlowContextData: () => ({ modelViewMatrix: {} }) } });
    for (let k = 0; k < 3; k++) expect(ask()).toEqual([true, true]);
    Object.assign(renderer, { highPrecision: true });
    settle();
  });

  it('of shadows that fall into a view from outside change the picture, those of other shadows do not', () => {
    const { views, pass, town } = rest();
    // From the opposite corner to that of the camera, over all trees.
    const light = town.lights[3] as SpotLight;
    for (const each of town.lights) each.castShadow = each === light;
    light.target.position.set(-12, 0, -12);
    light.angle = 0.3;
    light.shadow.camera.far = 80;
    const ask = (): boolean[] => [corner, opposite].map((camera) => views.changedIn(camera));
    for (let k = 0; k < 3; k++) {
      ask();
      pass();
    }
    expect(ask()).toEqual([false, false]);
    // Between the light and the corner: its shadow falls there.
    town.trees.setMatrixAt(63, at(2, 2, 8));
    expect(ask()).toEqual([true, true]);
    pass();
    town.trees.setMatrixAt(63, at(2, 2, 8.5));
    expect(ask()).toEqual([true, false]);
    pass();
    // In front of it, and beside its way.
    town.trees.setMatrixAt(63, at(20, -10, 1));
    ask();
    pass();
    town.trees.setMatrixAt(63, at(20, -10, 2));
    expect(ask()).toEqual([false, false]);
    town.trees.setMatrixAt(63, at(15, 15));
    ask();
    pass();
    for (const light of town.lights) light.castShadow = false;
    for (const camera of [corner, opposite]) views.changedIn(camera);
    town.trees.setMatrixAt(63, at(16, 15));
    expect([views.changedIn(corner), views.changedIn(opposite)]).toEqual([false, true]);
  });

  it('of all instances are the first influences of one, and the removal of all influences', () => {
    const { views, pass, town } = rest();
    const geometry = new BoxGeometry();
    geometry.morphAttributes.position = [geometry.attributes.position.clone()];
    town.trees.geometry = geometry;
    town.trees.morphTargetInfluences = [0.5];
    for (const light of town.lights) light.castShadow = light === town.lights[3];
    const frame = (): unknown[] => [views.changedIn(corner), views.changedIn(opposite), pass().length];
    for (let k = 0; k < 4; k++) frame();
    expect(frame()).toEqual([false, false, 0]);
    town.trees.setMorphAt(NEAR, { morphTargetInfluences: [0.7] });
    expect(frame()).toEqual([true, true, 1]);
    expect(frame()).toEqual([false, false, 0]);
    town.trees.setMorphAt(NEAR, { morphTargetInfluences: [0.8] });
    expect(frame()).toEqual([true, false, 0]);
    town.trees.morphTexture = null;
    expect(frame()).toEqual([true, true, 1]);
    expect(frame()).toEqual([false, false, 0]);
  });

  it('of levels of detail are found in their distances, hysteresis, objects and autoUpdate', () => {
    const { views, pass, town } = rest();
    const lod = new LOD().addLevel(mesh(), 0).addLevel(mesh(), 50);
    lod.position.set(-12, 3, -12);
    town.group.add(lod);
    const kinds: Record<string, () => void> = {
      distance: () => void (lod.levels[1].distance = 5),
      'a level more': () => void lod.addLevel(mesh(), 90),
      'a level less': () => void lod.removeLevel(90),
      'levels swapped': () => {
        const [first, second] = lod.levels;
        [first.object, second.object] = [second.object, first.object];
      },
      autoUpdate: () => void (lod.autoUpdate = false),
      // It is not culled from then on, and counts as changed in each frame.
      hysteresis: () => {
        lod.autoUpdate = true;
        lod.levels[1].hysteresis = 0.1;
      },
    };
    for (const [name, change] of Object.entries(kinds)) {
      for (let k = 0; k < 3; k++) {
        views.changedIn(corner);
        pass();
      }
      expect([name, views.changedIn(corner)]).toEqual([name, false]);
      change();
      expect([name, views.changedIn(corner)]).toEqual([name, true]);
    }
  });

  it.each([
    [false, false],
    [false, true],
    [true, false],
    [true, true],
  ])(
    'of what is above a part of a tree are found (static: %s, with an array of materials: %s)',
    (isStatic, isArray) => {
      const { views, pass, town } = rest();
      const part = mesh();
      const inner = new Group().add(part);
      part.castShadow = true;
      if (isArray) part.material = [new MeshLambertMaterial()];
      const root = new Group().add(new Group().add(inner), mesh().translateX(3));
      root.position.set(-12, 3, -12);
      town.group.addTree(root, { isStatic });
      const frame = (): unknown[] => [views.changedIn(corner), pass().includes(town.lights[0])];
      for (let k = 0; k < 4; k++) frame();
      for (const object of [inner, inner.parent!, root]) {
        for (const isVisible of [false, true]) {
          expect(frame()).toEqual([false, false]);
          object.visible = isVisible;
          expect(frame()).toEqual([true, true]);
        }
      }
    },
  );

  it('that are made after the update of the group, in a callback of the scene, are found in the pass', () => {
    const { pass, town } = rest();
    const added = mesh();
    added.castShadow = true;
    added.position.set(-12, 3, -12);
    let isDue = true;
    town.scene.onBeforeRender = () => {
      if (isDue) town.group.add(added);
      isDue = false;
    };
    expect(pass()).toContain(town.lights[0]);
    pass();
    expect(pass()).toEqual([]);
  });

  it('are no longer followed after dispose', () => {
    const { views, shadows, town } = rest();
    views.dispose();
    shadows.dispose();
    expect(town.group.groupChildren.bodies.detector).toBeInstanceOf(SourceDetector);
  });

  it('need valid arguments', () => {
    const { scene, group, trees } = createChangeTown();
    const renderer = new FakeRenderer();
    expect(() => new ViewChanges(null as never, renderer)).toThrow(/ViewChanges: scene must be an Object3D/);
    expect(() => new ViewChanges(scene, {} as never)).toThrow(/ViewChanges: renderer must have getDrawingBufferSize/);
    expect(() => new ViewChanges(scene, renderer, group as never)).toThrow(/containers must be an array/);
    for (const wrong of [null, {}])
      expect(() => new ShadowUpdates(scene, wrong as never)).toThrow(
        /ShadowUpdates: renderer must have a shadowMap, but is .*; pass the renderer/,
      );
    expect(() => new ShadowUpdates(scene, renderer, group as never)).toThrow(/ShadowUpdates: containers must be/);
    expect(() => new ShadowUpdates(scene, renderer, [trees as never])).toThrow(/be OctreeGroups or InstanceChanges/);
    expect(() => new InstanceChanges(new OctreeGroup() as never)).toThrow(/container must be an OctreeInstances/);
    expect(() => new ViewChanges(scene, renderer).changedIn(null as never)).toThrow(/camera must be a Camera/);
    expect(() => new ViewChanges(scene, renderer).setStill(null as never)).toThrow(/ViewChanges.setStill: object/);
    expect(new InstanceChanges(new OctreeInstances())).toBeInstanceOf(InstanceChanges);
  });
});

/** Whether a picture counts as changed after as many moves, and again in the next question. */
function changedAfter(moves: number): boolean[] {
  const scene = new Scene();
  const group = new OctreeGroup();
  const meshes = Array.from({ length: 2200 }, (_, k) => {
    const mesh = new Mesh(boxes[0], new MeshBasicMaterial());
    mesh.position.set(k % 50, 0, 100 + Math.floor(k / 50));
    return mesh;
  });
  scene.add(group.add(...meshes));
  const changes = new ViewChanges(scene, new FakeRenderer(), [group]);
  const camera = new PerspectiveCamera(50, 1, 1, 1000);
  camera.updateMatrixWorld();
  const ask = (): boolean => {
    scene.updateMatrixWorld();
    return changes.changedIn(camera, null);
  };
  for (let k = 0; k < 4; k++) ask();
  for (const mesh of meshes.slice(0, moves)) mesh.position.y++;
  return [ask(), ask(), ask()];
}

describe('many moves out of view', () => {
  it.each([
    [600, false],
    [1024, false],
    [1025, true],
    [2000, true],
  ])('%i of them: everything counts as changed, twice, or nothing does', (moves, isChanged) => {
    expect(changedAfter(moves)).toEqual([isChanged, isChanged, false]);
  });
});

/** Whether the first camera is still known after some have been asked for. */
function isFirstKnownAfter(count: number): boolean {
  const views = new ViewChanges(new Scene(), new FakeRenderer(), []);
  const cameras = Array.from({ length: count }, () => new PerspectiveCamera());
  for (const camera of cameras) expect(views.changedIn(camera)).toBe(true);
  return !views.changedIn(cameras[0]);
}

it('remembers the cameras of a page, but not all that it has ever seen', () => {
  expect(isFirstKnownAfter(50)).toBe(true);
  expect(isFirstKnownAfter(100)).toBe(false);
});
