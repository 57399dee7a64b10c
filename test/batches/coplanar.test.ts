// Meshes with faces in one plane that overlap are left to the renderer, against a comparison of all pairs by points.

import {
  BackSide,
  BoxGeometry,
  BufferGeometry,
  CircleGeometry,
  DoubleSide,
  Float32BufferAttribute,
  FrontSide,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PlaneGeometry,
  SphereGeometry,
  Vector3,
  type Material,
} from 'three';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CoplanarMembers } from '../../src/batches/coplanar.ts';
import type { BatchKey } from '../../src/batches/mergeable.ts';
import { OctreeGroup, StaticBatches } from '../../src/three.ts';
import { poseSoon } from '../support/batch-limits.ts';
import type { Member } from '../../src/three/group/member.ts';
import {
  batch,
  drawn,
  drawnAlone,
  everything,
  expectSame,
  RESTING_UPDATES,
  runUpdates,
} from '../support/batched-meshes.ts';
import { projectPass } from '../support/pass-lists.ts';
import { createRandom, type Random } from '../support/random.ts';
import { sampleOf } from '../support/sampled.ts';

const painted = new MeshBasicMaterial({ vertexColors: true });

function paint<T extends BufferGeometry>(geometry: T): T {
  const { count } = geometry.attributes.position;
  return geometry.setAttribute('color', new Float32BufferAttribute(new Float32Array(3 * count).fill(0.5), 3));
}

const card = (x: number, y: number, z = 0, material: Material = painted): Mesh => {
  const mesh = new Mesh(paint(new PlaneGeometry(1, 1)), material);
  mesh.position.set(x, y, z);
  return mesh;
};

const angleOf = ({ x, y }: Vector3): number => Math.atan2(y, x);

const colored = (k: number): Material => new MeshLambertMaterial({ color: k });

const box = (x: number, size: number, material: Material): Mesh => {
  const mesh = new Mesh(new BoxGeometry(size, 1, size), material);
  mesh.position.x = x;
  return mesh;
};

function higher(mesh: Mesh, scale: number): Mesh {
  mesh.scale.y = scale;
  return mesh;
}

function turned(mesh: Mesh, turns: number): Mesh {
  mesh.rotation.y = turns * Math.PI;
  return mesh;
}

const sided = new MeshBasicMaterial({ vertexColors: true });

const reasonsOf = (batches: StaticBatches): number =>
  Array.from(batches.finish().report().unmerged).reduce(
    (sum, [reason, count]) => sum + (reason.startsWith('faces in one plane') ? count : 0),
    0,
  );

describe('flat meshes', () => {
  it.each<[string, number, (k: number) => Mesh]>([
    ['one over another', 40, (k) => card(0.5 * k, 0)],
    ['side by side', 0, (k) => card(k, 0)],
    ['side by side, far from the origin', 0, (k) => card(1000 + k, 3000)],
    ['at corners', 0, (k) => card(k, k)],
    ['one behind another', 0, (k) => card(0, 0, 0.01 * k)],
    ['back to back', 0, (k) => turned(card(k >> 1, 0), k % 2)],
    ['of one colour, which look alike', 0, (k) => card(0.5 * k, 0, 0, new MeshBasicMaterial())],
  ])('%s: %i are left out', (_, count, create) => {
    const meshes = Array.from({ length: 40 }, (__, k) => create(k));
    if (count === 0) for (const mesh of meshes) mesh.material = meshes[0].material;
    const { group, batches } = batch(meshes);
    expect(reasonsOf(batches)).toBe(count);
    expect(batches.report().batched).toBe(40 - count);
    expect(drawnAlone(group)).toBe(count);
  });

  it.each([1, 2, 3])('in random planes are left out where points of both meet: seed %i', (seed) => {
    const random = createRandom(seed);
    const meshes = Array.from({ length: 120 }, () => randomFlat(random));
    const { group, batches } = batch(meshes);
    reasonsOf(batches);
    const alone = drawn(group);
    const isLeftOut = meshes.map((mesh) => alone.includes(mesh));
    const expected = meshes.map((mesh, k) => meshes.some((other, j) => j !== k && doMeet(mesh, other)));
    expect(expected.filter(Boolean).length).toBeGreaterThan(20);
    expect(expected.filter((meets) => !meets).length).toBeGreaterThan(20);
    expect(isLeftOut).toEqual(expected);
  });
});

/** A rectangle or a disc in one of some planes, mirrored or turned round. */
function randomFlat(random: Random): Mesh {
  const geometry = random.pick([new PlaneGeometry(2, 1), new CircleGeometry(0.7, 9), new PlaneGeometry(1, 3, 2, 2)]);
  const mesh = new Mesh(paint(geometry), painted);
  const turn = random.below(3);
  mesh.rotation.set(turn === 0 ? 0 : 0.7 * turn, 0, 0);
  const [x, y] = [random.between(-9, 9), random.between(-9, 9)];
  mesh.position.set(x, y, 0).applyEuler(mesh.rotation);
  mesh.position.addScaledVector(new Vector3(0, 0, 1).applyEuler(mesh.rotation), random.below(3));
  mesh.rotateZ(random.between(-3, 3));
  if (random.next() < 0.2) mesh.scale.x = -1;
  mesh.updateMatrixWorld();
  return mesh;
}

/** Whether both lie in one plane, and what is left of one after cutting it by the edges of the other has an area. */
function doMeet(mesh: Mesh, other: Mesh): boolean {
  const toMesh = mesh.matrixWorld.clone().invert().multiply(other.matrixWorld);
  let rest = outlineOf(other).map((point) => point.applyMatrix4(toMesh));
  if (rest.some(({ z }) => Math.abs(z) > 1e-5)) return false;
  const outline = outlineOf(mesh);
  outline.forEach((from, k) => {
    const edge = outline[(k + 1) % outline.length].clone().sub(from);
    const sideOf = ({ x, y }: Vector3): number => edge.x * (y - from.y) - edge.y * (x - from.x);
    rest = rest.flatMap((point, j) => {
      const next = rest[(j + 1) % rest.length];
      const [side, nextSide] = [sideOf(point), sideOf(next)];
      const kept = side >= 0 ? [point] : [];
      return side * nextSide < 0 ? [...kept, point.clone().lerp(next, side / (side - nextSide))] : kept;
    });
  });
  const area = rest.reduce((sum, { x, y }, j) => {
    const next = rest[(j + 1) % rest.length];
    return sum + (x * next.y - y * next.x) / 2;
  }, 0);
  return Math.abs(area) > 1e-9;
}

/** The corners of a convex flat mesh, counter-clockwise. */
function outlineOf({ geometry }: Mesh): Vector3[] {
  const { position } = geometry.attributes;
  const points = Array.from({ length: position.count }, (_, k) => new Vector3().fromBufferAttribute(position, k));
  const far = Math.max(...points.map((point) => point.length()));
  return points.filter((point) => point.length() > 0.99 * far).sort((p, q) => angleOf(p) - angleOf(q));
}

describe('solid meshes', () => {
  it.each<[string, boolean, number, (k: number) => Mesh]>([
    ['with tops in one plane, in two colours', true, 40, (k) => box(0.7 * k, 1, colored(k))],
    ['with tops in one plane, each with a material of its own', false, 0, (k) => box(0.7 * k, 1, colored(0))],
    ['side by side, in two colours', true, 0, (k) => box(k, 1, colored(k))],
    ['one in another, in two colours', true, 0, (k) => higher(box(9 * (k >> 1), 1 + (k % 2), colored(k)), 1 + (k % 2))],
  ])('%s: %s, %i are left out', (_, mergesMaterials, count, create) => {
    const group = new OctreeGroup({ hasStaticChildren: true });
    const meshes = Array.from({ length: 40 }, (__, k) => create(k));
    group.add(...meshes);
    const batches = new StaticBatches(group, { mergesMaterials });
    expect(reasonsOf(batches)).toBe(count);
  });
});

const green = new MeshLambertMaterial({ color: 0x00ff00 });
const plain = (size: number): BoxGeometry => new BoxGeometry(size, 1, size);
const floor = (segments = 1): Mesh =>
  new Mesh(new PlaneGeometry(9, 9, segments, segments).rotateX(-Math.PI / 2), green);
/** Its first 100 triangles have no area. */
const raggedFloor = (): Mesh => {
  const mesh = floor(60);
  for (let k = 0; k < 300; k++) mesh.geometry.index!.setX(k, 0);
  return mesh;
};
/** Boxes with a material each, 3 apart, and another mesh, which is drawn on its own. */
const town = (other: Mesh): { group: OctreeGroup; batches: StaticBatches } => {
  // No batch draws it.
  other.onBeforeRender = () => undefined;
  const group = new OctreeGroup().add(other);
  for (let k = 0; k < 8; k++) {
    const house = box(3 * k, 1, colored(k));
    group.add(house);
    group.setStatic(house);
  }
  return { group, batches: new StaticBatches(group).finish() };
};
const at = (mesh: Mesh, x: number, y = 20): Mesh => {
  mesh.position.set(x, y, 0);
  return mesh;
};

describe('a mesh that is drawn on its own', () => {
  it.each<[string, number, () => Mesh, (other: Mesh, group: OctreeGroup) => void]>([
    ['that moves beside one, its top in one plane', 1, () => at(box(0, 1, green), 20), (other) => at(other, 3.6, 0)],
    ['that moves to touch one', 0, () => at(box(0, 1, green), 20), (other) => at(other, 4, 0)],
    ['that moves to a place without others', 0, () => at(box(0, 1, green), 20), (other) => at(other, 4.5, 0)],
    ['a wide one that moves', 3, () => at(new Mesh(plain(6), green), 20), (other) => at(other, 6, 0)],
    [
      'that is turned inside out beside one',
      1,
      () => at(box(0, 1, green.clone()), 4, 0),
      (other) => {
        Object.assign(other.material, { side: BackSide });
      },
    ],
    [
      'that gets a larger geometry',
      2,
      () => at(box(0, 1, green), 4.5, 0),
      (other) => void (other.geometry = plain(2.2)),
    ],
    [
      'that gets a material of its own',
      1,
      () => at(box(0, 1, new MeshBasicMaterial({ transparent: true })), 3.6, 0),
      (other) => {
        other.material = green;
      },
    ],
    ['that is added', 1, () => at(box(0, 1, green), 20), (_, group) => void group.add(at(box(0, 1, green), 3.6, 0))],
    [
      'with a child, that moves beside one',
      1,
      () => at(box(0, 1, green), 20).add(box(9, 1, green)),
      (other) => at(other, -5.4, 0),
    ],
    [
      'whose child is moved beside one',
      1,
      () => at(box(0, 1, green), 30, 0).add(box(9, 1, green)),
      (other) => {
        other.children[0].position.x = -26.4;
      },
    ],
    ['a floor at their tops', 3, () => at(floor(), 20), (other) => at(other, 3, 0.5)],
    ['a floor of 7,200 triangles at their tops', 3, () => at(floor(60), 20), (other) => at(other, 3, 0.5)],
    ['one that begins with 100 without area', 3, () => at(raggedFloor(), 20), (other) => at(other, 3, 0.5)],
    ['a floor at their bottoms, which faces up', 0, () => at(floor(), 20), (other) => at(other, 3, -0.5)],
  ])('%s: %i leave the batch in the same update, until it has left', async (_, count, create, change) => {
    const other = create();
    const { group, batches } = town(other);
    expect(batches.report().batched).toBe(8);
    const added = group.children.length;
    change(other, group);
    await runUpdates(group, 1);
    expect(batches.report()).toMatchObject({ batched: 8 - count, out: count });
    for (const child of [other, ...group.children.slice(added)]) at(child as Mesh, 20);
    await runUpdates(group, RESTING_UPDATES + 2);
    expect(batches.report().batched).toBe(8);
  });

  it('stays there: they are left out', async () => {
    const other = at(box(0, 1, green), 20);
    const { group, batches } = town(other);
    at(other, 3.6, 0);
    await runUpdates(group, RESTING_UPDATES + 2);
    expect(batches.report()).toMatchObject({ batched: 7, out: 0 });
    expect(reasonsOf(batches)).toBe(1);
  });

  it('is left out with an equal one at the same place, whatever its shape', () => {
    const group = new OctreeGroup({ hasStaticChildren: true });
    for (let k = 0; k < 20; k++)
      group.add(at(new Mesh(new CircleGeometry(1, 9).translate(0, 0, 1), colored(k)), 5 * k));
    const sphere = new SphereGeometry(1, 8, 6).rotateX(0.4);
    for (let k = 0; k < 20; k++)
      group.add(at(new Mesh(sphere, colored(k)), 5 * (k >> 1), 40 + (k % 2) * (k < 6 ? 0 : 0.1)));
    expect(reasonsOf(new StaticBatches(group))).toBe(6);
  });

  it('is not compared with others that left their batch in the same update', async () => {
    const group = new OctreeGroup();
    const sphere = new SphereGeometry(1, 8, 6);
    for (let k = 0; k < 20; k++) group.add(at(new Mesh(sphere, colored(k)), 0.3 * k, 0.01 * k));
    const batches = new StaticBatches(group).finish();
    expect(batches.report().batched).toBe(20);
    const move = async (): Promise<void> => {
      for (const child of group.children) child.position.y += 0.01;
      await runUpdates(group, 1);
    };
    await move();
    const reads = vi.spyOn(sphere.index!, 'getX');
    await move();
    expect(batches.report().moving).toBe(20);
    expect(reads).toHaveBeenCalledTimes(0);
  });

  it('leaves the batch in turn, of many that move: 128 in each update', async () => {
    const others = Array.from({ length: 200 }, (_, k) => at(box(0, 1, green), 2 * k, 20));
    const { group, batches } = town(others[0]);
    group.add(...others.slice(1));
    await runUpdates(group, 3);
    for (const other of others) other.position.y++;
    at(others[199], 3.6, 0);
    await runUpdates(group, 1);
    expect(batches.report().batched).toBe(8);
    await runUpdates(group, 1);
    expect(batches.report().batched).toBe(7);
  });

  it('leaves the batch at once, of many that get another material or side, whatever moves meanwhile', async () => {
    const inside = green.clone();
    const others = Array.from({ length: 400 }, (_, k) => at(box(0, 1, k < 200 ? green : inside), 2 * k, 20));
    at(others[399], 4, 0);
    // No batch draws them.
    for (const other of others) other.onBeforeRender = () => undefined;
    const { group, batches } = town(others[0]);
    group.add(...others.slice(1));
    await runUpdates(group, 4);
    expect(batches.report().batched).toBe(8);
    for (const other of others.slice(0, 200)) other.position.y++;
    inside.side = BackSide;
    await runUpdates(group, 1);
    expect(batches.report().batched).toBe(7);
  });

  it('keeps no mesh that rests out of its batch, however many others move', async () => {
    const others = Array.from({ length: 400 }, (_, k) => at(box(0, 1, green), 2 * k, 20));
    for (const other of others) other.onBeforeRender = () => undefined;
    const { group, batches } = town(others[0]);
    group.add(...others.slice(1));
    const house = group.children.find((child) => group.isStatic(child))!;
    house.position.y = 5;
    group.reportMove(house);
    for (let k = 0; k < RESTING_UPDATES + 2; k++) {
      for (const other of others.slice(0, 150)) other.position.y += 0.01;
      await runUpdates(group, 1);
    }
    expect(batches.report()).toMatchObject({ batched: 8, out: 0 });
  });
});

afterEach(() => void vi.restoreAllMocks());

describe('in slices of time, whatever changes', () => {
  // How two meshes are compared is held by the tests above.
  const evenKey = { layout: 0, hasPalette: false } as BatchKey;

  // From 13 on, some of them move in each update, and posed chunks draw them.
  it.each(sampleOf(18, 6, 0))('no batch draws a mesh with walls in one plane with another: seed %i', async (seed) => {
    const random = createRandom(seed);
    const group = new OctreeGroup();
    const materials = Array.from({ length: 6 }, (_, k) => new MeshLambertMaterial({ color: k }));
    const add = (): void => {
      const mesh = box(0, random.below(2) + 1, random.pick(materials));
      group.add(at(mesh, 0.25 * random.below(300), random.below(3)));
      if (random.below(2) === 0) group.setStatic(mesh);
    };
    for (let k = 0; k < 80; k++) add();
    const batches = new StaticBatches(group, { posesMovers: seed > 12 });
    if (seed > 12) poseSoon(batches, 2);
    const slices = [0.05, 0.5, 2];
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += slices[seed % 3]));
    const bodies = group.groupChildren.bodies;
    const toGroup = new Matrix4();
    const compared = new CoplanarMembers(bodies, {
      matrixOf: ({ matrixWorld }) => toGroup.copy(matrixWorld),
      keyInBatch: () => null,
      leaveBatch: () => undefined,
    });
    const members = (): Member[] => group.children.flatMap((child) => group.groupChildren.memberOf(child) ?? []);
    let batched = 0;
    let posed = 0;
    for (let frame = 0; frame < 250; frame++) {
      const mesh = random.pick(group.children) as Mesh<BoxGeometry, MeshLambertMaterial>;
      const kind = frame % 2 === 0 ? random.below(6) : -1;
      if (kind === 0) mesh.material.side = random.pick([FrontSide, BackSide, DoubleSide]);
      else if (kind === 1) mesh.position.x = 0.25 * random.below(300);
      else if (kind === 2) mesh.material = random.pick(materials);
      else if (kind === 3) mesh.visible = !mesh.visible;
      else if (kind === 4) add();
      else if (kind === 5) group.remove(mesh);
      if (kind >= 0 && mesh.parent === group && group.isStatic(mesh)) group.reportMove(mesh);
      if (seed > 12)
        for (const child of group.children.slice(0, 30).filter((one) => !group.isStatic(one)))
          child.position.x += 0.25 * random.below(2);
      await runUpdates(group, 1);
      posed += batches.report().posed;
      const alone = new Set(projectPass(group, everything).map(({ object }) => object));
      compared.clear();
      for (const member of members()) {
        const { object } = member;
        if (!object.visible || alone.has(object)) continue;
        batched++;
        const partners = compared.partnersOf(member, ({ object: other }) => (other.visible ? evenKey : null));
        expect(partners.map(({ object: other }) => other.position.toArray())).toEqual([]);
      }
    }
    expect(batched).toBeGreaterThan(500);
    // Of the smallest slices, few builds are done.
    if (seed <= 12 || seed % 3 < 2) expect(posed > 100).toBe(seed > 12);
    batches.dispose();
  });
});

describe('flat meshes on others', () => {
  it('a decal on a box is left out, and the box', () => {
    const boxes = Array.from({ length: 20 }, (_, k) => {
      const mesh = new Mesh(paint(new BoxGeometry(1, 1, 1)), painted);
      mesh.position.x = 3 * k;
      return mesh;
    });
    const { group, batches } = batch([...boxes, card(3, 0.1, 0.5), card(6, 0, 0.6)]);
    expect(reasonsOf(batches)).toBe(2);
    expect(batches.report().batched).toBe(20);
    expectSame(group);
  });

  it.each([
    ['the back', BackSide, 0],
    ['both', DoubleSide, 1],
  ] as const)('count by the side that is drawn: %s', (_, side, count) => {
    const others = Array.from({ length: 20 }, (__, k) => card(3 * k, 0));
    const { batches } = batch([...others, ...others.map((each) => card(each.position.x + 0.2, 0, 0, sided))]);
    sided.side = side;
    expect(reasonsOf(batches)).toBe(40 * count);
  });

  it.each<[string, (mesh: Mesh) => void]>([
    ['an array of materials with a gap', (mesh) => void (mesh.material = [undefined as never, painted])],
    ['an array of materials with null', (mesh) => void (mesh.material = [null as never, painted])],
    ['an array without materials', (mesh) => void (mesh.material = [])],
    [
      'positions that were dropped',
      ({ geometry }) => void Object.assign(geometry.attributes.position, { array: null }),
    ],
    ['an index that was dropped', ({ geometry }) => void Object.assign(geometry.index!, { array: null })],
  ])('are compared with %s without an error', (_, change) => {
    const other = card(0.3, 0);
    const group = new OctreeGroup({ hasStaticChildren: true });
    group.add(...Array.from({ length: 20 }, (__, k) => card(3 * k, 0)), other);
    // Bounds stay when code drops the vertices after their upload.
    expect(group.octree.size).toBe(21);
    change(other);
    const { batched, unmerged } = new StaticBatches(group).finish().report();
    expect(batched).toBeGreaterThanOrEqual(19);
    expect(Array.from(unmerged.values()).reduce((sum, count) => sum + count)).toBe(21 - batched);
  });

  it('that moves on another leaves the batch with it', async () => {
    const cards = Array.from({ length: 40 }, (_, k) => card(2 * k, 0));
    const { group, batches } = batch(cards);
    expect(batches.finish().report().batched).toBe(40);
    cards[0].position.x = 2.3;
    group.reportMove(cards[0]);
    await runUpdates(group, RESTING_UPDATES + 2);
    expect(batches.report()).toMatchObject({ batched: 38, out: 0 });
    expect(reasonsOf(batches)).toBe(2);
    expectSame(group);
  });
});
