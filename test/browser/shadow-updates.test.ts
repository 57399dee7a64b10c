// Shadow maps that are drawn only when they change: the pictures must equal those of maps that are always drawn, and a
// map that does not change must not be drawn.

import {
  AmbientLight,
  BasicShadowMap,
  BoxGeometry,
  BufferAttribute,
  Color,
  DataTexture,
  DirectionalLight,
  Group,
  LOD,
  Mesh,
  MeshLambertMaterial,
  PCFShadowMap,
  PerspectiveCamera,
  PlaneGeometry,
  PointLight,
  Scene,
  SphereGeometry,
  SpotLight,
  VSMShadowMap,
  type Material,
  type Object3D,
} from 'three';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OctreeGroup, ShadowUpdates } from '../../src/three/index.ts';
import { CasterChanges } from '../../src/three/shadows/caster-changes.ts';
import { createRandom, type Random } from '../support/random.ts';
import { aim, createCamera, loseContext, readPicture, useRenderer } from '../support/three-pictures.ts';

const renderer = useRenderer();
const camera = createCamera([0, 45, 45], [0, 0, 0], 200);
const boxes = [new BoxGeometry(2, 4, 2), new BoxGeometry(3, 1, 2)];
const balls = [new SphereGeometry(1.5, 8, 6), new SphereGeometry(1, 4, 3)];

type ShadowLight = DirectionalLight | SpotLight | PointLight;

interface Town {
  readonly scene: Scene;
  readonly parent: Group;
  readonly group: OctreeGroup;
  readonly lights: ShadowLight[];
  readonly materials: MeshLambertMaterial[];
}

/** A town of 80 meshes, LODs and groups on a floor, and four lights over its corners. */
function createTown(seed: number, count = 80, options = {}): Town {
  const random = createRandom(seed);
  const scene = new Scene();
  scene.background = new Color(0x334455);
  const floor = new Mesh(new PlaneGeometry(100, 100), new MeshLambertMaterial());
  floor.rotation.x = -Math.PI / 2;
  floor.receiveShadow = true;
  const parent = new Group();
  const group = new OctreeGroup(options);
  scene.add(floor, new AmbientLight(0xffffff, 0.5), parent.add(group));
  const materials = Array.from({ length: 6 }, (_, k) => new MeshLambertMaterial({ color: 0x884400 + 40 * k }));
  for (let k = 0; k < count; k++) group.add(createThing(random, materials, k));
  const lights = [new DirectionalLight(0xffffff, 1), new SpotLight(0xffddaa, 900), new PointLight(0xaaddff, 500), new SpotLight(0xffffff, 700)];
  lights.forEach((light, k) => {
    light.position.set(k % 2 === 0 ? -12 : 12, 14, k < 2 ? -12 : 12);
    light.castShadow = true;
    light.shadow.mapSize.set(256, 256);
    light.shadow.camera.far = 40;
    if (light instanceof SpotLight || light instanceof DirectionalLight) {
      light.target.position.set(light.position.x, 0, light.position.z);
      scene.add(light.target);
    }
    if (light instanceof SpotLight) light.angle = 0.6;
    if (light instanceof PointLight) light.distance = 22;
    if (light instanceof DirectionalLight) Object.assign(light.shadow.camera, { left: -9, right: 9, top: 9, bottom: -9 });
    light.shadow.camera.updateProjectionMatrix();
    scene.add(light);
  });
  return { scene, parent, group, lights, materials };
}

function createThing(random: Random, materials: readonly Material[], k: number): Object3D {
  const material = random.pick(materials);
  const kind = random.below(10);
  let thing: Object3D = new Mesh(random.pick(boxes), material);
  if (kind === 0) thing = new LOD().addLevel(new Mesh(balls[0], material), 0).addLevel(new Mesh(balls[1], material), 60);
  if (kind === 1) thing = new Group().add(new Mesh(balls[0], material), new Mesh(boxes[1], material).translateY(2));
  thing.traverse((object) => (object.castShadow = object.receiveShadow = true));
  thing.position.set(random.between(-22, 22), random.between(0, 4), random.between(-22, 22));
  thing.rotation.y = random.between(-3, 3);
  thing.name = `thing ${k}`;
  return thing;
}

/** Draws a town. Returns the draw calls. */
function draw({ scene }: Town, view = camera): number {
  renderer.info.reset();
  renderer.render(scene, view);
  return renderer.info.render.calls;
}

/** The draw calls of the town without shadow maps. */
function mainCallsOf(town: Town): number {
  renderer.shadowMap.enabled = true;
  const before = town.lights.map(({ shadow }) => [shadow.autoUpdate, shadow.needsUpdate] as const);
  town.lights.forEach(({ shadow }) => (shadow.autoUpdate = shadow.needsUpdate = false));
  const calls = draw(town);
  town.lights.forEach(({ shadow }, k) => ([shadow.autoUpdate, shadow.needsUpdate] = before[k]));
  return calls;
}

function differences(a: Uint32Array, b: Uint32Array): number {
  return a.reduce((sum, pixel, k) => sum + Number(pixel !== b[k]), 0);
}

/** A town with updates, and the same town whose maps are always drawn. */
interface Pair {
  readonly towns: readonly [Town, Town];
  readonly shadows: ShadowUpdates;
  /** Applies a change to both, and draws both. Returns the number of pixels that differ. */
  step(change: (town: Town) => void, view?: PerspectiveCamera): number;
}

function createPair(seed = 1, count = 80, options = {}): Pair {
  const towns = [createTown(seed, count, options), createTown(seed, count, options)] as const;
  const shadows = new ShadowUpdates(towns[0].scene, renderer, [towns[0].group]);
  const step = (change: (town: Town) => void, view = camera): number => {
    towns.forEach(change);
    const [a, b] = towns.map((town) => readPicture(renderer, () => void draw(town, view)));
    return differences(a, b);
  };
  for (let k = 0; k < 3; k++) expect(step(() => {})).toBe(0);
  return { towns, shadows, step };
}

const still = (): void => {};
const thingOf = (town: Town, k: number): Object3D => town.group.children[k % town.group.children.length];
const leafOf = (town: Town, k: number): Mesh<BoxGeometry, MeshLambertMaterial> =>
  town.group.children.filter((child) => child instanceof Mesh)[k] as Mesh<BoxGeometry, MeshLambertMaterial>;
/** Above the corner of each light. */
const PLACES = [[-12, -12], [12, -12], [-12, 12], [12, 12]] as const;

afterEach(() => {
  vi.restoreAllMocks();
  renderer.shadowMap.type = PCFShadowMap;
});

describe('shadow maps that are drawn when they change', () => {
  it('draws none for a town that stands still', () => {
    const { towns, shadows, step } = createPair();
    step(still);
    expect(shadows.due).toEqual([]);
    expect(draw(towns[0])).toBe(mainCallsOf(towns[0]));
    expect(draw(towns[1])).toBeGreaterThan(draw(towns[0]) + 20);
  });

  it('draws the maps of those lights that see the place of a move', () => {
    const { shadows, towns, step } = createPair();
    PLACES.forEach(([x, z], k) => {
      step((town) => leafOf(town, 3).position.set(x, 1, z));
      step((town) => (leafOf(town, 3).position.x += 0.1));
      expect(shadows.due).toEqual([towns[0].lights[k]]);
      step(still);
      expect(shadows.due).toEqual([]);
    });
  });

  /** Each kind of change alone. The first place is under the spot light. */
  const changes: Record<string, (town: Town, k: number) => void> = {
    move: (town) => void (leafOf(town, 0).position.x += 2),
    visible: (town) => void (leafOf(town, 0).visible = !leafOf(town, 0).visible),
    castShadow: (town) => void (leafOf(town, 0).castShadow = !leafOf(town, 0).castShadow),
    layers: (town) => leafOf(town, 0).layers.toggle(0),
    'material swapped': (town) =>
      void (leafOf(town, 0).material = new MeshLambertMaterial({ side: 2, wireframe: true })),
    'material field': (town) =>
      void (leafOf(town, 0).material.visible = !leafOf(town, 0).material.visible),
    'geometry swapped': (town) => void (leafOf(town, 0).geometry = new BoxGeometry(1, 7, 1)),
    vertices: (town) => {
      const { geometry } = leafOf(town, 0);
      (geometry.attributes.position as BufferAttribute).setY(0, 9).needsUpdate = true;
      geometry.computeBoundingSphere();
    },
    'draw range': (town, k) => leafOf(town, 0).geometry.setDrawRange(0, k === 0 ? 12 : 36),
    removed: (town) => void town.group.remove(leafOf(town, 0)),
    added: (town) => {
      const mesh = new Mesh(boxes[0], town.materials[0]);
      mesh.castShadow = true;
      mesh.position.set(12, 3, -12);
      town.group.add(mesh);
    },
    'child of a child': (town) => {
      const mesh = new Mesh(balls[0], town.materials[0]).translateY(4);
      mesh.castShadow = true;
      leafOf(town, 0).add(mesh);
    },
    'parent moved': (town) => void (town.parent.position.y += 1),
    'parent hidden': (town) => void (town.parent.visible = !town.parent.visible),
    'light moved': (town) => void (town.lights[1].position.x += 1),
    'light target': (town) => void ((town.lights[1] as SpotLight).target.position.x += 2),
    'light angle': (town) => void ((town.lights[1] as SpotLight).angle = 0.4),
    'shadow camera': (town) => {
      town.lights[1].shadow.camera.near = 9;
      town.lights[1].shadow.camera.updateProjectionMatrix();
    },
    resolution: (town) => town.lights[1].shadow.mapSize.set(64, 64),
    'map disposed of': (town) => town.lights[1].shadow.dispose(),
    'shadow replaced': (town) => void (town.lights[1].shadow = town.lights[1].shadow.clone()),
    'type of shadow maps': () => void (renderer.shadowMap.type = BasicShadowMap),
    'custom depth material': (town) =>
      void (leafOf(town, 0).customDepthMaterial = new MeshLambertMaterial({ colorWrite: false, depthWrite: false })),
  };

  it.each(Object.entries(changes))('shows a change in the same frame: %s', (_, change) => {
    const { towns, step } = createPair();
    const place = (town: Town): void => {
      leafOf(town, 0).position.set(12, 3, -12);
      // Its own geometry and material: no other mesh changes.
      leafOf(town, 0).geometry = boxes[0].clone();
      leafOf(town, 0).material = new MeshLambertMaterial();
    };
    for (let k = 0; k < 4; k++) expect(step(place)).toBe(0);
    const before = readPicture(renderer, () => void draw(towns[0]));
    for (let k = 0; k < 2; k++) {
      expect(step((town) => change(town, k))).toBe(0);
      if (k === 0) expect(differences(before, readPicture(renderer, () => void draw(towns[0])))).toBeGreaterThan(0);
      expect(step(still)).toBe(0);
    }
  });
});
