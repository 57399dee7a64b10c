// What counts as changed, and what does not: in a small world with one container of each kind, and objects beside.

import {
  BoxGeometry,
  DirectionalLight,
  Group,
  InstancedMesh,
  LOD,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  Object3D,
  PointLight,
  RenderTarget,
  Scene,
  ShaderMaterial,
  Vector3,
  VSMShadowMap,
} from 'three';
import { describe, expect, it } from 'vitest';
import type { GroupChanges } from '../../../src/changes/views/group-changes.ts';
import { InstanceChanges, OctreeGroup, OctreeInstances, ShadowUpdates, ViewChanges } from '../../../src/three.ts';
import { at, FakeRenderer } from '../../support/change-towns.ts';
import { createCamera } from '../../support/three-pictures.ts';

const box = new BoxGeometry(2, 2, 2);
/** Above the origin: it sees about 10 to each side on the ground, as the light does. Nothing sees 100. */
const [NEAR, FAR] = [3, 100];

const mesh = (x: number): Mesh<BoxGeometry, MeshLambertMaterial> => {
  const created = new Mesh(box, new MeshLambertMaterial());
  created.geometry.computeBoundingSphere();
  created.castShadow = true;
  return created.translateX(x);
};

/** Levels of detail that are chosen at 20 from the camera, which is at 30, and at 90. */
const levels = (...objects: Object3D[]): LOD => {
  const lod = new LOD().addLevel(objects[0], 0).addLevel(objects[1], 50);
  lod.traverse((object) => (object.castShadow = true));
  return lod;
};

interface World {
  readonly scene: Scene;
  readonly group: OctreeGroup;
  /** Children of the group in sight, and far from it. */
  readonly near: Mesh<BoxGeometry, MeshLambertMaterial>;
  readonly far: Mesh<BoxGeometry, MeshLambertMaterial>;
  /** The first is in sight, the second is not. */
  readonly trees: OctreeInstances;
  readonly light: DirectionalLight;
  readonly camera: ReturnType<typeof createCamera>;
  readonly renderer: FakeRenderer;
  readonly views: ViewChanges;
  readonly shadows: ShadowUpdates;
  /** Whether the picture and the map count as changed. */
  readonly frame: () => [picture: boolean, map: boolean];
  readonly rest: () => void;
}

function createWorld(fill: (world: World) => void = () => undefined): World {
  const scene = new Scene();
  const group = new OctreeGroup();
  const [near, far] = [mesh(NEAR), mesh(FAR)];
  const trees = new OctreeInstances(box, new MeshLambertMaterial());
  trees.castShadow = true;
  for (const x of [-NEAR, FAR]) trees.addInstance(at(x, 0, 0));
  const light = new DirectionalLight().translateY(20);
  light.castShadow = true;
  Object.assign(light.shadow.camera, { left: -10, right: 10, top: 10, bottom: -10, far: 40 });
  light.shadow.camera.updateProjectionMatrix();
  const camera = createCamera([0, 30, 0.1], [0, 0, 0], 80);
  camera.fov = 30;
  camera.updateProjectionMatrix();
  scene.add(group.add(near, far), trees, light, light.target);
  const renderer = new FakeRenderer();
  const containers = [group, new InstanceChanges(trees)];
  const views = new ViewChanges(scene, renderer, containers);
  const shadows = new ShadowUpdates(scene, renderer, containers);
  const probe = scene.children.at(-1) as LOD;
  const pass = (): boolean => {
    scene.updateMatrixWorld();
    camera.updateMatrixWorld();
    Reflect.apply(Reflect.get(scene, 'onBeforeRender'), scene, [renderer, scene]);
    probe.update(camera);
    light.shadow.updateMatrices(light);
    light.shadow.needsUpdate = false;
    return shadows.due.includes(light);
  };
  const frame = (): [boolean, boolean] => [views.changedIn(camera), pass()];
  const rest = (): void => {
    for (let k = 0; k < 3; k++) frame();
  };
  const world = { scene, group, near, far, trees, light, camera, renderer, views, shadows, frame, rest };
  fill(world);
  rest();
  return world;
}

type Row = readonly [fill: (world: World) => void, change: (world: World) => void, picture: boolean, map: boolean];
const WRONG = {} as never;
const none = (): void => undefined;

/** What is at rest before the change, and again after it. */
const changes: Record<string, Row> = {
  'child added': [none, ({ group }) => group.add(mesh(NEAR)), true, true],
  'child added far away': [none, ({ group }) => group.add(mesh(FAR)), false, false],
  'child removed': [none, ({ group, near }) => group.remove(near), true, true],
  'child removed far away': [none, ({ group, far }) => group.remove(far), false, false],
  'hidden child moved': [({ near }) => void (near.visible = false), ({ near }) => near.translateX(1), false, false],
  'child without shadow moved': [
    ({ near }) => void (near.castShadow = false),
    ({ near }) => near.translateX(1),
    true,
    false,
  ],
  'hidden child that is not culled, added': [
    none,
    ({ group }) => group.add(Object.assign(mesh(NEAR), { frustumCulled: false, visible: false })),
    false,
    false,
  ],
  'child moved by its owner alone': [
    ({ scene }) => void (scene.matrixWorldAutoUpdate = false),
    ({ near }) => near.translateX(1).updateMatrixWorld(),
    true,
    true,
  ],
  'camera, with minScreenSize': [
    ({ group }) => void (group.minScreenSize = 0.01),
    ({ camera }) => camera.translateZ(1),
    true,
    true,
  ],
  'tree far away, moved there': [none, ({ trees }) => void trees.setMatrixAt(1, at(FAR, 1)), false, false],
  'tree added far away': [none, ({ trees }) => void trees.addInstance(at(FAR, 5)), false, false],
  'hidden tree moved': [
    ({ trees }) => void trees.setVisibleAt(0, false),
    ({ trees }) => void trees.setMatrixAt(0, at(NEAR, 1, 0)),
    false,
    false,
  ],
  'tree moved, without shadows': [
    ({ trees }) => void (trees.castShadow = false),
    ({ trees }) => void trees.setMatrixAt(0, at(-NEAR, 1, 0)),
    true,
    false,
  ],
  'hidden trees moved': [({ trees }) => void (trees.visible = false), ({ trees }) => trees.translateX(1), false, false],
  'camera, with a level that is declared still and casts no shadow': [
    ({ scene, views, shadows }) => {
      const lod = levels(mesh(0), new Group().add(mesh(0)));
      lod.traverse((object) => (object.castShadow = false));
      scene.add(lod.translateX(NEAR));
      for (const each of [views, shadows]) each.setStill(lod);
    },
    ({ camera }) => camera.translateZ(40),
    true,
    false,
  ],
  'material that overrides all others': [
    ({ scene }) => void (scene.overrideMaterial = new MeshLambertMaterial()),
    ({ scene }) => void ((scene.overrideMaterial as MeshLambertMaterial).wireframe = true),
    true,
    false,
  ],
};

it.each(Object.entries(changes))('a change counts where it is seen: %s', (_, [fill, change, picture, map]) => {
  const world = createWorld(fill);
  expect(world.frame()).toEqual([false, false]);
  change(world);
  expect(world.frame()).toEqual([picture, map]);
  world.rest();
  expect(world.frame()).toEqual([false, false]);
});

/** An object that may change without a sign: whether it counts in each frame. */
const parts: Record<string, readonly [(part: Mesh, child: Group, world: World) => void, counts: boolean]> = {
  shown: [none, true],
  hidden: [(part) => void (part.visible = false), false],
  'below a hidden part': [(part) => void (part.parent!.visible = false), false],
  'a hidden child of the group': [(_, child) => void (child.visible = false), false],
  'a hidden level, which the camera may choose': [(part, child) => void child.add(levels(mesh(0), part.parent!)), true],
  'below a level': [(part, child) => void child.add(levels(mesh(0), new Group().add(part))), true],
  'a hidden level, chosen by the application': [
    (part, child) => {
      const lod = levels(mesh(0), part.parent!);
      lod.autoUpdate = part.parent!.visible = false;
      child.add(lod);
    },
    false,
  ],
  'declared still': [(part, _, { views, shadows }) => [views, shadows].forEach((each) => each.setStill(part)), false],
};

it.each(Object.entries(parts))('a part of unknown changes counts in each frame, or never: %s', (_, [set, counts]) => {
  const world = createWorld((created) => {
    const part = mesh(0);
    part.material = new ShaderMaterial() as never;
    const child = new Group().add(new Group().add(part), mesh(1)).translateX(NEAR);
    set(part, child, created);
    created.group.add(child);
  });
  for (let k = 0; k < 2; k++) expect(world.frame()).toEqual([counts, counts]);
});

const unculled = (object: Object3D): Object3D => Object.assign(object, { frustumCulled: false });
const instanced = (): InstancedMesh => {
  const instances = new InstancedMesh(box, new MeshLambertMaterial(), 1);
  instances.setMatrixAt(0, new Matrix4());
  instances.castShadow = true;
  return instances.translateX(FAR);
};

/** Objects that count in each frame, or never, wherever a frustum sees them or not. */
const objects: Record<string, readonly [fill: (world: World) => void, picture: boolean, map: boolean]> = {
  'a child that is not culled': [({ group }) => group.add(unculled(mesh(FAR))), true, true],
  'a hidden child that is not culled': [
    ({ group }) => group.add(Object.assign(unculled(mesh(FAR)), { visible: false })),
    false,
    false,
  ],
  'a child of the trees': [({ trees }) => trees.add(mesh(NEAR)), true, true],
  'a hidden child of the trees': [
    ({ trees }) => trees.add(Object.assign(mesh(NEAR), { visible: false })),
    false,
    false,
  ],
  'trees that are not named': [
    ({ scene }) => scene.add(new OctreeInstances(box, new MeshLambertMaterial(), 1)),
    true,
    false,
  ],
  'a group that is not named, and empty': [({ scene }) => scene.add(new OctreeGroup()), false, false],
  'a shader of the trees': [({ trees }) => void (trees.material = new ShaderMaterial()), true, true],
  'instances without a sphere': [({ scene }) => scene.add(instanced()), true, true],
  'instances with a sphere, out of view': [
    ({ scene }) => {
      const instances = instanced();
      instances.computeBoundingSphere();
      scene.add(instances);
    },
    false,
    false,
  ],
  'a shader that overrides all others': [
    ({ scene }) => void (scene.overrideMaterial = new ShaderMaterial()),
    true,
    false,
  ],
  'an object out of view, whose shadow falls into it': [
    ({ scene, light, camera }) => {
      // Above the camera, in the light.
      scene.add(mesh(0).translateY(36));
      light.position.y = 45;
      light.shadow.camera.far = 60;
      light.shadow.camera.updateProjectionMatrix();
      camera.position.y = 30;
    },
    true,
    true,
  ],
  'an object out of view that casts no shadow': [
    ({ scene, light }) => {
      scene.add(Object.assign(mesh(0).translateY(36), { castShadow: false }));
      light.position.y = 45;
      light.shadow.camera.far = 60;
      light.shadow.camera.updateProjectionMatrix();
    },
    false,
    false,
  ],
};

it.each(Object.entries(objects))(
  'an object of unknown changes counts in each frame, or never: %s',
  (_, [fill, ...told]) => {
    const world = createWorld(fill);
    for (let k = 0; k < 2; k++) expect(world.frame()).toEqual(told);
  },
);

describe('the shadow of a child out of view', () => {
  it.each([
    [true, true],
    [false, false],
  ])('changes the picture, if it casts one (%s)', (castShadow, isChanged) => {
    const { far, frame, rest, light, trees } = createWorld();
    trees.castShadow = false;
    light.position.y = 45;
    light.shadow.camera.far = 60;
    light.shadow.camera.updateProjectionMatrix();
    far.castShadow = castShadow;
    // Above the camera.
    far.position.set(0, 36, 0);
    rest();
    expect(frame()).toEqual([false, false]);
    far.position.x += 1;
    expect(frame()).toEqual([isChanged, castShadow]);
  });

  it('changes the picture in blurred maps, if it only receives shadows', () => {
    const { far, frame, rest, light, renderer } = createWorld();
    renderer.shadowMap.type = VSMShadowMap as never;
    light.position.y = 45;
    light.shadow.camera.far = 60;
    light.shadow.camera.updateProjectionMatrix();
    Object.assign(far, { castShadow: false, receiveShadow: true });
    far.position.set(0, 36, 0);
    rest();
    expect(frame()).toEqual([false, false]);
    far.position.x += 1;
    expect(frame()).toEqual([true, true]);
  });
});

it('one child that changes all the time is not many changes', () => {
  const { scene, far, frame } = createWorld();
  for (let k = 0; k < 2100; k++) {
    far.renderOrder++;
    scene.children[0].updateMatrixWorld();
  }
  expect(frame()).toEqual([false, false]);
});

it('changes are not collected while no light casts shadows', () => {
  const { near, light, group, shadows, frame } = createWorld();
  light.castShadow = false;
  for (let k = 0; k < 2; k++) {
    near.position.x += 0.1;
    frame();
  }
  expect((shadows.containers.get(group) as GroupChanges).touched.size).toBe(0);
  light.castShadow = true;
  expect(frame()[1]).toBe(true);
});

it('instances of unknown changes count as far as they reach, to all sides', () => {
  const { views } = createWorld(({ trees, light }) => {
    light.castShadow = false;
    for (const k of [0, 1]) trees.setMatrixAt(k, at(0, 0, 60 * k));
    trees.onBeforeRender = none;
  });
  // Beside the centre of both, at the height of 30.
  const sides = [0, 1, 2].flatMap((axis) => [-40, -25, 25, 40].map((reach) => [axis, reach]));
  const cameras = sides.map(([axis, reach]) => {
    const target = new Vector3(0, 30, 0);
    target.setComponent(axis, target.getComponent(axis) + reach);
    const place = target.clone().setComponent(axis === 2 ? 0 : 2, 60);
    const camera = createCamera(place.toArray(), target.toArray(), 200);
    camera.fov = 5;
    camera.updateProjectionMatrix();
    return camera;
  });
  for (let k = 0; k < 3; k++) for (const camera of cameras) views.changedIn(camera);
  expect(cameras.map((camera) => views.changedIn(camera))).toEqual(sides.map(([, reach]) => Math.abs(reach) < 30));
});

it('a point light, and one without a map of one kind, show the shadows that they may show', () => {
  const { scene, light, far, frame, rest, shadows, views } = createWorld();
  shadows.dispose();
  light.castShadow = false;
  const lamp = new PointLight(0xffffff, 1, 50).translateY(20);
  lamp.castShadow = true;
  lamp.shadow.camera.far = 50;
  scene.add(lamp);
  const told = (): boolean => {
    for (let k = 0; k < 3; k++) views.changedIn(camera);
    far.translateX(1);
    return views.changedIn(camera);
  };
  const camera = createCamera([0, 30, 0.1], [0, 0, 0], 80);
  expect(told()).toBe(false);
  Object.assign(lamp.shadow, { shadowNode: {} });
  expect(told()).toBe(true);
  // It counts the next frame, too, in which an unknown caster may have gone.
  scene.add(mesh(FAR));
  rest();
  expect(frame()[0]).toBe(true);
});

it('a second picture in a frame of the page is drawn again, if there are shadows', () => {
  const { light, near, views, camera, renderer } = createWorld();
  const info = { frame: 1 };
  Object.assign(renderer, { info });
  for (const castShadow of [true, false]) {
    light.castShadow = castShadow;
    for (let k = 0; k < 4; k++) {
      info.frame++;
      views.changedIn(camera);
    }
    for (const isSecond of [false, true]) {
      if (!isSecond) info.frame++;
      near.translateX(0.1);
      expect(views.changedIn(camera)).toBe(true);
    }
    info.frame++;
    expect([views.changedIn(camera), views.changedIn(camera)]).toEqual([castShadow, false]);
  }
});

it('a picture changes with the viewport of its target, and with a camera whose parent has been updated', () => {
  const { views, camera, scene } = createWorld();
  const target = new RenderTarget(20, 20);
  const ask = (): boolean => views.changedIn(camera, target);
  for (let k = 0; k < 3; k++) ask();
  expect(ask()).toBe(false);
  target.viewport.x = 3;
  expect([ask(), ask()]).toEqual([true, false]);
  const holder = new Group().add(camera);
  camera.translateX(1);
  // As in render, which updates a camera without parent alone.
  expect(ask()).toBe(false);
  scene.add(holder);
  expect([ask(), ask()]).toEqual([true, false]);
});

it.each<[head: string, tail: string, call: (world: World) => unknown]>([
  [
    'ViewChanges: renderer must have getDrawingBufferSize',
    'pass the renderer',
    ({ scene }) => new ViewChanges(scene, WRONG),
  ],
  [
    'ViewChanges: containers must be an array',
    'pass [group]',
    ({ scene }) => new ViewChanges(scene, new FakeRenderer(), WRONG),
  ],
  [
    'ViewChanges: containers must be OctreeGroups or InstanceChanges',
    'pass new InstanceChanges(instances)',
    ({ scene }) => new ViewChanges(scene, new FakeRenderer(), [WRONG]),
  ],
  [
    'ViewChanges.changedIn: camera must be a Camera',
    'pass the camera of render',
    ({ views }) => views.changedIn(WRONG),
  ],
  [
    'ViewChanges.changedIn: target must be a render target or null',
    'pass that of the renderer',
    ({ views, camera }) => views.changedIn(camera, WRONG),
  ],
  ['InstanceChanges: container must be an OctreeInstances', 'pass one', () => new InstanceChanges(WRONG)],
  ['ShadowUpdates.setStill: isStill must be', 'pass', ({ shadows, scene }) => shadows.setStill(scene, WRONG)],
])('wrong arguments: %s', (head, tail, call) => {
  const world = createWorld();
  expect(() => call(world)).toThrow(head);
  expect(() => call(world)).toThrow(tail);
});
