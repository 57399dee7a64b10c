/** Random histories of towns with shadows: changes of each kind. */

import { BoxGeometry, Matrix4, Mesh, type Object3D } from 'three';
import type { Random } from './random.ts';
import { camera, createThing, type FullTown } from './shadow-towns.ts';
import { createRandom } from './random.ts';
import { aim } from './three-pictures.ts';

type Change = (town: FullTown) => void;

const thing = (town: FullTown, k: number): Object3D => town.group.children[k];

/** Changes of each kind at random. They change both towns in the same way. */
export const actions: Record<string, (random: Random) => (town: FullTown) => void> = {
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
    // With its levels: an LOD that alone leaves the layers keeps the level of the last pass, which may be a shadow
    // pass.
    return (town) => thing(town, k).traverse(({ layers }) => layers.toggle(0));
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

/** The changes of a frame. Many frames change nothing, so that maps are kept. */
export function changesOf(random: Random, names = Object.keys(actions)): Change[] {
  return Array.from({ length: Math.max(0, random.below(5) - 2) }, () => {
    const name = random.pick(names);
    return actions[name === 'parent' && random.below(4) > 0 ? 'move' : name](random);
  });
}
