// Random histories of a town whose shadow maps are drawn when they change: each picture must equal that of a town whose
// maps are always drawn, and the history must notice each kind of change that is not reported.

import { BoxGeometry, Matrix4, Mesh, type Object3D } from 'three';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ContainerChanges } from '../../src/three/changes/container-changes.ts';
import { GroupChanges } from '../../src/three/changes/group-changes.ts';
import { ShadowLight } from '../../src/three/shadows/shadow-light.ts';
import { createRandom, type Random } from '../support/random.ts';
import { aim, useRenderer } from '../support/three-pictures.ts';
import { camera, createFullPair, createThing, type FullTown } from '../support/shadow-towns.ts';

const renderer = useRenderer();

afterEach(() => void vi.restoreAllMocks());

const thing = (town: FullTown, k: number): Object3D => town.group.children[k];

describe('a random history', () => {
  /** Changes of each kind at random. They change both towns in the same way. */
  const actions: Record<string, (random: Random) => (town: FullTown) => void> = {
    move: (random) => {
      const [k, x, z] = [random.below(50), random.between(-22, 22), random.between(-22, 22)];
      return (town) => void thing(town, k)?.position.set(x, 2, z);
    },
    visible: (random) => {
      const k = random.below(50);
      return (town) => void (thing(town, k).visible = !thing(town, k).visible);
    },
    castShadow: (random) => {
      const k = random.below(50);
      return (town) => thing(town, k).traverse((object) => (object.castShadow = !object.castShadow));
    },
    layers: (random) => {
      const k = random.below(50);
      return (town) => thing(town, k).layers.toggle(0);
    },
    recoloured: (random) => {
      const [k, color] = [random.below(6), random.below(2 ** 24)];
      return (town) => void town.materials[k].color.set(color);
    },
    material: (random) => {
      const [k, n] = [random.below(50), random.below(6)];
      return (town) => {
        const mesh = thing(town, k);
        if (mesh instanceof Mesh) mesh.material = town.materials[n];
      };
    },
    'material field': (random) => {
      const k = random.below(6);
      return (town) => void (town.materials[k].wireframe = !town.materials[k].wireframe);
    },
    geometry: (random) => {
      const [k, height] = [random.below(50), random.between(1, 6)];
      return (town) => {
        const mesh = thing(town, k);
        if (mesh instanceof Mesh) mesh.geometry = new BoxGeometry(2, height, 2);
      };
    },
    added: (random) => {
      const seed = random.below(1e6);
      return (town) => void town.group.add(createThing(createRandom(seed), town.materials, seed));
    },
    removed: (random) => {
      const k = random.below(50);
      return (town) => void (town.group.children.length > 50 && town.group.remove(thing(town, k)));
    },
    'undone in the same frame': (random) => {
      const k = random.below(50);
      return (town) => {
        const { position } = thing(town, k);
        const before = position.clone();
        position.x += 3;
        if (k % 2 === 0) town.scene.updateMatrixWorld();
        position.copy(before);
      };
    },
    'instance moved': (random) => {
      const [k, x, z] = [random.below(60), random.between(-22, 22), random.between(-22, 22)];
      return ({ trees }) => void (trees.has(k) && trees.setMatrixAt(k, new Matrix4().makeTranslation(x, 2, z)));
    },
    'instance hidden': (random) => {
      const k = random.below(60);
      return ({ trees }) => void (trees.has(k) && trees.setVisibleAt(k, !trees.getVisibleAt(k)));
    },
    'instance recoloured': (random) => {
      const [k, color] = [random.below(60), random.below(2 ** 24)];
      return ({ trees }) => void (trees.has(k) && trees.setColorAt(k, color));
    },
    'instance deleted or added': (random) => {
      const [k, x, z] = [random.below(60), random.between(-22, 22), random.between(-22, 22)];
      return ({ trees }) => {
        if (trees.has(k)) trees.deleteInstance(k);
        else trees.addInstance(new Matrix4().makeTranslation(x, 2, z));
      };
    },
    'material of instances': (random) => {
      const [field, shadows] = [random.pick(['wireframe', 'visible'] as const), random.below(4) === 0];
      return ({ trees }) => {
        if (shadows) trees.castShadow = !trees.castShadow;
        else trees.material[field] = !trees.material[field];
      };
    },
    'shadow level': () => (town) => void (town.trees.shadowLevel = town.trees.shadowLevel === null ? 0 : null),
    'batched house': (random) => {
      const [k, x, kind] = [random.below(60), random.between(-22, 22), random.below(3)];
      return ({ houses }) => {
        const house = houses.children[k];
        if (kind === 0) house.position.x = x;
        if (kind === 1) house.visible = !house.visible;
        if (kind === 2) house.castShadow = !house.castShadow;
        houses.reportMove(house);
      };
    },
    light: (random) => {
      const [k, x] = [random.below(4), random.between(-14, 14)];
      return (town) => void (town.lights[k].position.x = x);
    },
    'level of detail': (random) => {
      const distance = random.between(30, 75);
      return () => aim(camera, [0, distance * 0.7, distance * 0.7], [0, 0, 0]);
    },
    parent: (random) => {
      const [x, angle] = [random.between(-2, 2), random.below(4) === 0 ? 0.1 : 0];
      return ({ parent }) => {
        parent.position.x = x;
        parent.rotation.y += angle;
      };
    },
  };

  /** Plays frames until a picture differs. Returns the number of equal frames. */
  function play(seed: number, frames: number, names = Object.keys(actions)): number {
    const { step } = createFullPair(renderer, seed);
    const random = createRandom(seed);
    for (let frame = 0; frame < frames; frame++) {
      // Many frames change nothing, so that maps are kept.
      const changes = Array.from({ length: Math.max(0, random.below(5) - 2) }, () => {
        const name = random.pick(names);
        return actions[name === 'parent' && random.below(4) > 0 ? 'move' : name](random);
      });
      if (step((town) => changes.forEach((change) => change(town))) > 0) return frame;
    }
    return frames;
  }

  afterEach(() => aim(camera, [0, 45, 45], [0, 0, 0]));

  it('shows the pictures of maps that are always drawn, in 500 frames', () => {
    expect(play(11, 500)).toBe(500);
  }, 120_000);

  /** What the private methods of GroupChanges get. */
  interface Entry {
    readonly member: { readonly object: Mesh };
    flags: number;
    mask: number;
    geometry: unknown;
    material: unknown;
  }
  type Method = (this: ContainerChanges, ...args: unknown[]) => unknown;
  /** Replaces a method. `original` calls the replaced one. */
  function plant(target: object, name: string, create: (original: Method) => Method): void {
    const methods = target as Record<string, Method>;
    const implementation = create(methods[name]);
    vi.spyOn(methods, name).mockImplementation(implementation);
  }
  const { prototype } = GroupChanges;
  /** Has leaves take over a new value without a report. */
  const silence = (take: (entry: Entry) => void): void =>
    plant(
      prototype,
      'compareLeaf',
      (original) =>
        function (entry) {
          take(entry as Entry);
          return original.call(this, entry);
        },
    );
  const faults: Record<string, readonly [kinds: string[], plant: () => void]> = {
    moves: [['move'], () => plant(prototype, 'moving', () => function () {})],
    'new places': [['move'], () => plant(prototype, 'touch', () => function () {})],
    'visible and castShadow': [
      ['visible', 'castShadow'],
      () =>
        silence((entry) => (entry.flags = Number(entry.member.object.visible && entry.member.object.castShadow) * 11)),
    ],
    layers: [['layers'], () => silence((entry) => (entry.mask = entry.member.object.layers.mask))],
    'fields of materials': [['material field'], () => plant(prototype, 'compareResources', () => function () {})],
    'children added': [['added', 'removed'], () => plant(prototype, 'added', () => function () {})],
    'children removed': [['removed', 'added'], () => plant(prototype, 'removed', () => function () {})],
    'levels of detail and groups': [
      ['level of detail', 'visible'],
      () => plant(prototype, 'compareOther', () => function () {}),
    ],
    'whole containers': [
      ['parent'],
      () =>
        plant(
          ContainerChanges.prototype,
          'isSeenBy',
          (original) =>
            function (...args) {
              this.isAll = false;
              return original.apply(this, args);
            },
        ),
    ],
    instances: [
      ['instance moved', 'instance hidden', 'instance deleted or added'],
      () => plant(ContainerChanges.prototype, 'addBox', () => function () {}),
    ],
    'what instances share': [
      ['material of instances'],
      () => plant(ContainerChanges.prototype, 'isSeenBy', () => () => false),
    ],
    lights: [['light'], () => plant(ShadowLight.prototype, 'read', () => () => false)],
  };

  it.each(Object.entries(faults))('would show if changes were not reported: %s', (_, [kinds, plantFault]) => {
    expect(play(12, 60, kinds)).toBe(60);
    plantFault();
    expect(play(12, 60, kinds)).toBeLessThan(60);
  });
});
