import {
  Group,
  LOD,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  Raycaster,
  SphereGeometry,
  Vector2,
  Vector3,
  BoxGeometry,
  type Intersection,
  type Object3D,
} from 'three';
import { describe, expect, it, vi } from 'vitest';
import { OctreeGroup } from '../../../src/three.ts';
import { expectSameTexts } from '../../support/pass-lists.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { IS_LONG } from '../../support/sampled.ts';
import { createTwins, place, scatter, type Twin, type Twins } from '../../support/three-scenes.ts';
import { validate } from '../../../src/debug/index.ts';
const REACH = 60;
const material = new MeshBasicMaterial();

/** Every hit as text: object, distance, point, face, instance and index. */
function hitsOf({ group }: Twin, raycaster: Raycaster): string[] {
  return raycaster.intersectObject(group, true).map(describeHit);
}

function describeHit({ object, distance, point, faceIndex, instanceId, index }: Intersection): string {
  return [pathOf(object), distance, ...point.toArray(), faceIndex, instanceId, index].join(' ');
}

function pathOf(object: Object3D): string {
  return object.parent === null
    ? ''
    : `${pathOf(object.parent)}/${object.name}.${object.parent.children.indexOf(object)}`;
}

function randomRaycaster(random: Random, camera: PerspectiveCamera): Raycaster {
  const raycaster = new Raycaster();
  const origin = new Vector3(
    random.between(-REACH, REACH),
    random.between(-REACH, REACH),
    random.between(-REACH, REACH),
  );
  const aim = new Vector3(random.between(-REACH, REACH), random.between(-REACH, REACH), random.between(-REACH, REACH));
  raycaster.set(origin, aim.sub(origin).normalize());
  raycaster.camera = camera;
  return raycaster;
}

const RAYS = IS_LONG ? 10_000 : 3000;

function createScene(seed: number, count: number): Twins {
  const twins = createTwins(seed, (group, random) => scatter(group, random, count, REACH));
  twins.each(({ scene }) => scene.updateMatrixWorld());
  return twins;
}

function createCamera(): PerspectiveCamera {
  const camera = new PerspectiveCamera();
  camera.updateMatrixWorld();
  return camera;
}

/**
 * A scene with objects of every kind, and random rays with the hits of the plain group: two tests share them,
 * because a plain group takes long.
 */
const castPlain = once(() => {
  const twins = createScene(1, 500);
  const random = createRandom(2);
  const camera = createCamera();
  const casts = Array.from({ length: RAYS }, () => {
    const raycaster = randomRaycaster(random, camera);
    return {
      raycaster,
      hits: raycaster
        .intersectObject(twins.plain.group)
        .map((hit) => ({ distance: hit.distance, text: describeHit(hit) })),
    };
  });
  return { twins, casts };
});

function once<R>(make: () => R): () => R {
  let made: { readonly result: R } | undefined;
  return () => (made ??= { result: make() }).result;
}

describe('OctreeGroup.raycast', () => {
  it(`gives what a plain group gives, on ${RAYS} random rays through objects of every kind`, () => {
    const { twins, casts } = castPlain();
    let count = 0;
    for (const { raycaster, hits } of casts) {
      expectSameTexts(
        hitsOf(twins.octree, raycaster),
        hits.map(({ text }) => text),
      );
      count += hits.length;
    }
    expect(count).toBeGreaterThan(RAYS);
  });

  it('gives the same under a mirrored, stretched and turned parent, with near and far, and after everything has moved', () => {
    const twins = createScene(3, 200);
    const camera = createCamera();
    twins.each(({ scene, group }) => {
      group.scale.set(-1, 2, 0.5);
      group.rotation.set(0.5, 1, 0);
      group.position.set(3, 4, 5);
      const random = createRandom(4);
      group.children.forEach((child) => place(child, random, REACH));
      scene.updateMatrixWorld();
    });
    const random = createRandom(5);
    for (let k = 0; k < 1_000; k++) {
      const raycaster = randomRaycaster(random, camera);
      raycaster.near = random.between(0, 20);
      raycaster.far = raycaster.near + random.between(0, 60);
      expect(hitsOf(twins.octree, raycaster)).toEqual(hitsOf(twins.plain, raycaster));
    }
  });

  it('gives the same for an opened tree with parts that are moved, hidden, added and removed', () => {
    const twins = createTwins(13, (group, random) => {
      const root = new Group();
      for (let k = 0; k < 10; k++) {
        const nested = new Group();
        scatter(nested, random, 30, REACH);
        place(nested, random, 10);
        root.add(nested);
      }
      if (group instanceof OctreeGroup) group.addTree(root);
      else group.add(root);
    });
    const random = createRandom(14);
    const camera = createCamera();
    for (let k = 0; k < 300; k++) {
      if (k % 100 === 0) {
        twins.each(({ scene, group }) => {
          const [first, second, third] = group.children[0].children;
          scene.updateMatrixWorld();
          first.position.x += 5;
          second.visible = false;
          third.remove(third.children[2]);
          third.add(first.children[k / 100]);
          scene.updateMatrixWorld();
        });
      }
      const raycaster = randomRaycaster(random, camera);
      expect(hitsOf(twins.octree, raycaster)).toEqual(hitsOf(twins.plain, raycaster));
    }
  });

  it('tests the layers of the children, and not those of the group', () => {
    const twins = createScene(6, 200);
    twins.each(({ group }) => {
      group.layers.set(3);
      group.children.forEach((child, k) => child.layers.set(k % 3));
    });
    const random = createRandom(7);
    const camera = createCamera();
    for (let k = 0; k < 500; k++) {
      const raycaster = randomRaycaster(random, camera);
      raycaster.layers.set(k % 3);
      expect(hitsOf(twins.octree, raycaster)).toEqual(hitsOf(twins.plain, raycaster));
      expect(twins.octree.group.children.length).toBe(201);
    }
  });

  it('respects the thresholds of lines and points', () => {
    const twins = createScene(8, 200);
    const random = createRandom(9);
    const camera = createCamera();
    for (let k = 0; k < 300; k++) {
      const raycaster = randomRaycaster(random, camera);
      raycaster.params.Line.threshold = raycaster.params.Points.threshold = 5;
      expect(hitsOf(twins.octree, raycaster)).toEqual(hitsOf(twins.plain, raycaster));
    }
  });

  it('hits hidden objects, as three does, and objects with their own raycast wherever that hits', () => {
    const twins = createScene(10, 50);
    twins.each(({ group }) => {
      const far = new Mesh(new BoxGeometry(), material);
      far.name = 'far';
      far.position.set(500, 0, 0);
      far.raycast = (_, hits) => void hits.push({ distance: 1, point: new Vector3(), object: far });
      group.add(far);
      group.children[0].visible = false;
      group.updateMatrixWorld();
    });
    const random = createRandom(11);
    const camera = createCamera();
    for (let k = 0; k < 200; k++) {
      const raycaster = randomRaycaster(random, camera);
      raycaster.set(
        raycaster.ray.origin,
        twins.plain.group.children[k % 5].position.clone().sub(raycaster.ray.origin).normalize(),
      );
      expect(hitsOf(twins.octree, raycaster)).toEqual(hitsOf(twins.plain, raycaster));
    }
  });

  it('lists hits at equal distances in the order of the children, also after a child was inserted between others', () => {
    const twins = createTwins(0, (group) => {
      for (let k = 0; k < 40; k++) group.add(Object.assign(new Mesh(new BoxGeometry(), material), { name: `${k}` }));
      const [first] = group.children;
      group.remove(group.children[7]).add(first);
      const inserted = new Mesh(new BoxGeometry(), material);
      inserted.parent = group;
      group.children.splice(5, 0, inserted);
      group.dispatchEvent({ type: 'childadded', child: inserted });
    });
    twins.each(({ scene }) => scene.updateMatrixWorld());
    const raycaster = new Raycaster(new Vector3(0.1, 0.2, 9), new Vector3(0, 0, -1));
    expect(hitsOf(twins.octree, raycaster)).toEqual(hitsOf(twins.plain, raycaster));
    expect(hitsOf(twins.octree, raycaster).length).toBe(40);
  });

  it('hits before the first frame, when no matrix has been updated', () => {
    const parent = new Group();
    parent.position.x = 100;
    const group = new OctreeGroup();
    parent.add(group.add(new Mesh(new SphereGeometry(), material).translateY(7)));
    const [hit] = new Raycaster(new Vector3(100, 7, 50), new Vector3(0, 0, -1)).intersectObject(parent);
    expect(hit.object).toBe(group.children[0]);
    expect(hit.distance).toBeCloseTo(49, 9);
  });

  it('never hits a removed object, and never misses an added one', () => {
    const group = new OctreeGroup();
    const sphere = new Mesh(new SphereGeometry(), material);
    const raycaster = new Raycaster(new Vector3(0, 0, 5), new Vector3(0, 0, -1));
    group.add(sphere);
    expect(raycaster.intersectObject(group).length).toBe(1);
    group.remove(sphere);
    expect(raycaster.intersectObject(group)).toEqual([]);
    group.add(sphere).add(sphere);
    expect(raycaster.intersectObject(group).length).toBe(1);
    new Group().add(sphere);
    expect(raycaster.intersectObject(group)).toEqual([]);
  });

  it('tests only the children near the ray', () => {
    const { group } = createTwins(12, (to, random) => scatter(to, random, 1000, REACH, 4)).octree;
    const raycaster = new Raycaster(new Vector3(-REACH, 0, 0), new Vector3(1, 0, 0));
    raycaster.intersectObject(group);
    const spy = vi.spyOn(Mesh.prototype, 'raycast');
    try {
      // A patched raycast counts as one that may hit outside the bounds. The bodies were made before, so this has no
      // effect on them.
      raycaster.intersectObject(group);
      expect(spy.mock.calls.length).toBeLessThan(50);
    } finally {
      spy.mockRestore();
    }
  });

  it.each([0, 1])(
    'gives its hits once as a level of an LOD, as a plain group, on the layers of the raycaster or not: layer %i',
    (layer) => {
      const raycaster = new Raycaster(new Vector3(0, 0.1, 9), new Vector3(0, 0, -1));
      raycaster.layers.set(layer);
      const [plain, own] = [Group, OctreeGroup].map((Kind) => {
        const child = new Mesh(new BoxGeometry(), material);
        child.layers.set(layer);
        const lod = new LOD().addLevel(new Kind().add(child), 0);
        return [raycaster.intersectObject(lod).length, raycaster.intersectObject(new OctreeGroup().add(lod)).length];
      });
      expect(own).toEqual(plain);
      expect(own).toEqual([1, 1]);
    },
  );

  it('throws for a ray without direction and one with NaN', () => {
    const group = new OctreeGroup().add(new Mesh(new BoxGeometry(), material));
    const raycaster = new Raycaster(new Vector3(), new Vector3());
    expect(() => raycaster.intersectObject(group)).toThrow(
      /^OctreeGroup\.raycast: raycaster\.ray must have .* direction is \(0, 0, 0\)/,
    );
    raycaster.ray.direction.set(NaN, 0, 1);
    expect(() => raycaster.intersectObject(group)).toThrow(
      /^OctreeGroup\.raycast: .* direction is \(NaN, 0, 1\); set it with/,
    );
    for (const lost of [NaN, Infinity]) {
      raycaster.ray.set(new Vector3(0, lost, 0), new Vector3(0, 0, 1));
      expect(() => raycaster.intersectObject(group)).toThrow(
        new RangeError(
          `OctreeGroup.raycast: raycaster.ray must have a finite origin and a direction, but its origin is (0, ${lost}, 0); set it with setFromCamera or set.`,
        ),
      );
    }
    for (const none of [null, new Vector3()]) {
      expect(() => group.raycastFirst(none as never)).toThrow(
        /^OctreeGroup\.raycastFirst: raycaster must be a Raycaster, but is (null|a Vector3); pass one that was set/,
      );
    }
    raycaster.ray.origin.set(0, 0, 0);
    for (const [given, fault] of [
      [null, 'options must be an object, but is null; pass {}, or one with filter.'],
      [() => true, 'options must be an object, but is a function; pass {}, or one with filter.'],
      [{ filter: null }, 'options.filter must be a function, but is null; leave it out for none.'],
      [{ includesHidden: true }, 'unknown option includesHidden, which is true; use filter.'],
    ] as const)
      expect(() => group.raycastFirst(raycaster, given as never)).toThrow(
        new TypeError(`OctreeGroup.raycastFirst: ${fault}`),
      );
    raycaster.ray.direction.set(0, 0, 1);
    raycaster.far = -1;
    expect(raycaster.intersectObject(group)).toEqual([]);
  });
});

const isOdd = (object: Object3D): boolean => object.id % 2 === 1;

describe('OctreeGroup.raycastAll', () => {
  it('gives the hits of a raycaster, nearest first, those of a filter only, and rejects bad input', () => {
    const random = createRandom(31);
    const twins = createScene(31, 60);
    const camera = createCamera();
    let count = 0;
    for (let k = 0; k < 40; k++) {
      const raycaster = randomRaycaster(random, camera);
      const group = twins.octree.group as OctreeGroup;
      const all = group.raycastAll(raycaster);
      count += all.length;
      expect(all.map(describeHit)).toEqual(hitsOf(twins.plain, raycaster));
      expect(group.raycastAll(raycaster, { filter: isOdd }).map(describeHit)).toEqual(
        all.filter(({ object }) => isOdd(object)).map(describeHit),
      );
      expect(() => group.raycastAll(raycaster, { filter: 1 as never })).toThrow(
        'OctreeGroup.raycastAll: options.filter must be a function, but is 1; leave it out for none.',
      );
    }
    expect(count).toBeGreaterThan(5);
  });

  it('gives the nearest hit of each object to a raycaster with firstHitOnly, and skips objects without a raycast', () => {
    const cubes = [0, 5, 10].map((x) => new Mesh(new BoxGeometry(), material).translateX(x));
    const [, middle] = cubes;
    const group = new OctreeGroup().add(...cubes);
    const raycaster = new Raycaster(new Vector3(-5, 0.1, 0.2), new Vector3(1, 0, 0));
    Object.assign(raycaster, { firstHitOnly: true });
    expect(group.raycastAll(raycaster).map(({ object }) => object)).toEqual(cubes);
    Object.assign(middle, { raycast: null });
    expect(group.raycastAll(raycaster).map(({ object }) => object)).toEqual([cubes[0], cubes[2]]);
    expect(group.raycastFirst(raycaster)!.object).toBe(cubes[0]);
  });
});

describe('OctreeGroup.raycastFirst', () => {
  it(`is the first hit of a plain group, on ${RAYS / 2} random rays`, () => {
    const { twins, casts } = castPlain();
    for (const [k, { raycaster, hits }] of casts.slice(0, RAYS / 2).entries()) {
      const far = k % 3 === 0 ? 40 : Infinity;
      const hit = (twins.octree.group as OctreeGroup).raycastFirst(Object.assign(raycaster, { far }));
      const expected = hits.filter(({ distance }) => distance <= far).map(({ text }) => text);
      expect(hit === null ? [] : [describeHit(hit)]).toEqual(expected.slice(0, 1));
    }
  });

  it('finds hits behind objects that the filter rejects', () => {
    const group = new OctreeGroup();
    for (let k = 0; k < 5; k++) group.add(new Mesh(new BoxGeometry(), material).translateZ(-3 * k));
    const raycaster = new Raycaster(new Vector3(0, 0, 5), new Vector3(0, 0, -1));
    expect(group.raycastFirst(raycaster)!.object).toBe(group.children[0]);
    const isFar = (object: Object3D): boolean => group.children.indexOf(object) >= 3;
    expect(group.raycastFirst(raycaster, { filter: isFar })!.object).toBe(group.children[3]);
    expect(group.raycastFirst(raycaster, { filter: () => false })).toBeNull();
  });

  it('may be called from its own filter, which may remove objects', () => {
    const group = new OctreeGroup();
    for (let k = 0; k < 30; k++) group.add(new Mesh(new BoxGeometry(), material).translateZ(-3 * k));
    const along = new Raycaster(new Vector3(0.1, 0.2, 5), new Vector3(0, 0, -1));
    const back = new Raycaster(new Vector3(0.1, 0.2, -500), new Vector3(0, 0, 1));
    const last = group.children.at(-1)!;
    const seen: Object3D[] = [];
    const filter = (object: Object3D): boolean => {
      expect(group.raycastFirst(back)!.object).toBe(last);
      if (seen.length === 0)
        group.remove(...group.children.filter((child) => child !== object && child.position.z > -9));
      seen.push(object);
      return object.position.z <= -9;
    };
    const hit = group.raycastFirst(along, { filter });
    expect(hit!.object.position.z).toBe(-9);
    expect(seen.filter(({ position }) => position.z > -9).length).toBeLessThan(2);
  });

  it('takes the first child of two at the same distance, also if its filter has removed the other', () => {
    const [first, second] = [0, 1].map(() => new Mesh(new BoxGeometry(), material));
    second.frustumCulled = false; // Tested before objects that are culled.
    const group = new OctreeGroup().add(first, second);
    const raycaster = new Raycaster(new Vector3(0.1, 0.2, 9), new Vector3(0, 0, -1));
    expect(group.raycastFirst(raycaster, { filter: (object) => group.remove(object) === group })).toMatchObject({
      object: first,
      distance: 8.5,
    });
  });

  it('lets its filter move objects and update all matrices', () => {
    const group = new OctreeGroup();
    for (let k = 0; k < 30; k++) group.add(new Mesh(new BoxGeometry(), material).translateZ(-3 * k));
    const along = new Raycaster(new Vector3(0.1, 0.2, 5), new Vector3(0, 0, -1));
    const filter = (object: Object3D): boolean => {
      object.position.x += 100;
      group.updateMatrixWorld();
      return object.position.z < -20;
    };
    const hit = group.raycastFirst(along, { filter });
    expect(hit!.object.position.z).toBe(-21);
    expect(validate(group.octree)).toEqual([]);
    expect(group.raycastFirst(along)!.object).toBe(along.intersectObject(group)[0].object);
  });

  it('tests few children that the ray enters behind the nearest hit', () => {
    const group = new OctreeGroup();
    for (let k = 0; k < 100; k++) group.add(new Mesh(new SphereGeometry(), material).translateZ(-3 * k));
    const raycaster = new Raycaster(new Vector3(0.1, 0.1, 5), new Vector3(0, 0, -1));
    group.raycastFirst(raycaster);
    const spy = vi.spyOn(Mesh.prototype, 'raycast');
    try {
      group.raycastFirst(raycaster);
      // Bodies in the same leaf are tested in any order.
      expect(spy.mock.calls.length).toBeLessThan(17);
    } finally {
      spy.mockRestore();
    }
  });

  it('finds a nearer hit in a body that the ray enters later', () => {
    const group = new OctreeGroup();
    // The flat disc is hit far behind the place where the ray enters its bounds.
    const disc = new Mesh(new BoxGeometry(20, 20, 0.01), material).translateZ(-5);
    disc.rotation.y = 1.2;
    const sphere = new Mesh(new SphereGeometry(), material);
    sphere.position.set(0, 0, -1);
    group.add(disc, sphere);
    const raycaster = new Raycaster(new Vector3(0, 0, 50), new Vector3(0, 0, -1));
    expect(group.raycastFirst(raycaster)!.object).toBe(sphere);
  });

  it('works with a camera ray and a group with any matrix', () => {
    const camera = new PerspectiveCamera(50, 1, 0.1, 100);
    camera.position.set(0, 0, 10);
    camera.updateMatrixWorld();
    const group = new OctreeGroup().add(new Mesh(new BoxGeometry(), material));
    group.matrixAutoUpdate = false;
    group.matrix.copy(new Matrix4().makeShear(0.5, 0, 0, 0, 0, 0)).scale(new Vector3(-1, 1, 1));
    group.matrixWorldNeedsUpdate = true;
    const raycaster = new Raycaster();
    raycaster.setFromCamera(new Vector2(), camera);
    expect(group.raycastFirst(raycaster)!.distance).toBeCloseTo(9.5, 9);
  });
});
