import {
  BoxGeometry,
  Frustum,
  Group,
  Matrix4,
  Mesh,
  OrthographicCamera,
  PerspectiveCamera,
  Plane,
  Raycaster,
  Sphere,
  Sprite,
  Vector3,
  Object3D,
} from 'three';
import { describe, expect, it, vi } from 'vitest';
import { nearest } from '../../../src/index.ts';
import { BodyStore } from '../../../src/octree/bodies/body-store.ts';
import { OctreeGroup } from '../../../src/three.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { cube, geometry, namesSeen, passOver, rowOfCubes, slab } from '../../support/three-passes.ts';
import { createTwins, scatter, type Twins } from '../../support/three-scenes.ts';
import { validate } from '../../../src/debug/index.ts';
import { hasVertexIn } from '../../support/pass-lists.ts';

const REACH = 60;

/** Gives both groups the same random invertible matrix, with shear and mirroring. */
function move(twins: Twins, random: Random): void {
  const matrix = new Matrix4();
  do {
    matrix.fromArray(
      Array.from({ length: 16 }, (_, k) =>
        k % 4 === 3 ? Number(k === 15) : random.between(-2, 2) * (k < 12 ? 1 : 30),
      ),
    );
  } while (Math.abs(matrix.determinant()) < 0.3);
  twins.each(({ scene, group }) => {
    group.matrixAutoUpdate = false;
    group.matrix.copy(matrix);
    scene.updateMatrixWorld();
  });
}

function randomFrustum(random: Random): Frustum {
  const camera = new PerspectiveCamera(random.between(20, 90), 1, 0.1, random.between(50, 300));
  camera.position.set(random.between(-REACH, REACH), random.between(-REACH, REACH), random.between(-REACH, REACH));
  camera.lookAt(random.between(-REACH, REACH), random.between(-REACH, REACH), 0);
  camera.updateMatrixWorld();
  return new Frustum().setFromProjectionMatrix(
    new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
  );
}

describe('an OctreeGroup that moves as a whole', () => {
  it('draws everything that is in the frustum, with any matrix', () => {
    const twins = createTwins(1, (group, random) => scatter(group, random, 300, REACH, 4));
    twins.each(({ scene }) => scene.updateMatrixWorld());
    const random = createRandom(2);
    const { group } = twins.octree;
    let drawnInAll = 0;
    let seenInAll = 0;
    for (let k = 0; k < 60; k++) {
      move(twins, random);
      const frustum = randomFrustum(random);
      const seen = new Set(passOver(group, frustum));
      const drawn = group.children.filter((child) => child instanceof Mesh && hasVertexIn(frustum, child));
      expect(drawn.filter((child) => !seen.has(child)).map(({ name }) => name)).toEqual([]);
      drawnInAll += drawn.length;
      seenInAll += seen.size;
    }
    expect(drawnInAll).toBeGreaterThan(500);
    expect(seenInAll).toBeLessThan(2 * drawnInAll);
  });

  it('draws what three draws by a sphere that is older than the vertices, also when it is stretched', () => {
    const flat = new BoxGeometry(8, 4, 0.5);
    flat.boundingSphere = new Sphere(new Vector3(), 1);
    const mesh = new Mesh(flat);
    const group = new OctreeGroup().add(mesh, cube(0));
    group.updateMatrixWorld();
    void group.octree;
    const camera = new OrthographicCamera(-50, -1.5, 50, -50, -50, 50);
    const frustum = new Frustum().setFromProjectionMatrix(camera.projectionMatrix);
    expect(passOver(group, frustum)).toEqual([]);
    group.scale.y = 2;
    group.updateMatrixWorld();
    expect(mesh.intersectsFrustum(frustum)).toBe(true);
    expect(passOver(group, frustum)).toEqual([mesh]);
  });

  it('gives the hits of a plain Group, and the same first hit', () => {
    const twins = createTwins(3, (group, random) => scatter(group, random, 300, REACH, 4));
    twins.each(({ scene }) => scene.updateMatrixWorld());
    const random = createRandom(4);
    let hits = 0;
    for (let k = 0; k < 1_000; k++) {
      if (k % 20 === 0) move(twins, random);
      const origin = new Vector3(
        random.between(-REACH, REACH),
        random.between(-REACH, REACH),
        random.between(-REACH, REACH),
      );
      const aim = new Vector3().setFromMatrixPosition(random.pick(twins.plain.group.children).matrixWorld);
      const raycaster = new Raycaster(origin, aim.sub(origin).normalize(), 0, k % 3 === 0 ? 50 : Infinity);
      const [expected, found] = [twins.plain, twins.octree].map(({ group }) =>
        raycaster.intersectObject(group).map(({ object, distance }) => [object.name, distance]),
      );
      expect(found).toEqual(expected);
      const first = (twins.octree.group as OctreeGroup).raycastFirst(raycaster);
      expect(first === null ? [] : [[first.object.name, first.distance]]).toEqual(expected.slice(0, 1));
      hits += expected.length;
    }
    expect(hits).toBeGreaterThan(500);
  });

  it('moves none of its bodies until its octree is read', () => {
    const group = rowOfCubes(20);
    geometry.computeBoundingSphere();
    const moves = vi.spyOn(BodyStore.prototype, 'move');
    group.position.x = -100;
    group.updateMatrixWorld();
    expect(namesSeen(group, 5)).toEqual(['cube 100']);
    expect(moves).not.toHaveBeenCalled();
    expect(nearest(group.octree, { x: 0, y: 0, z: 0 }, 1)[0].body.data).toBe(group.children[10]);
    expect(moves).toHaveBeenCalledTimes(20);
    moves.mockRestore();
    expect(namesSeen(group, 5)).toEqual(['cube 100']);
    group.position.x = 0;
    group.updateMatrixWorld();
    expect(namesSeen(group, 5)).toEqual(['cube 0']);
  });

  it('has the bounds of matrices that code of a later child writes, from the first update on', () => {
    geometry.computeBoundingSphere();
    const [moved, writer] = [new Mesh(geometry), new Object3D()];
    const group = new OctreeGroup().add(moved, writer);
    const expectBodyAt = (x: number): void => {
      group.updateMatrixWorld();
      expect(moved.matrixWorld.elements[12]).toBe(x);
      expect(group.bodyOf(moved)?.getSphere().center.x ?? group.bodyOf(moved)?.getBox().min.x).toBeCloseTo(x, 3);
    };
    for (let k = 1; k < 3; k++) {
      moved.position.x = k;
      expectBodyAt(k);
    }
    writer.updateMatrixWorld = (isForced) => {
      Object3D.prototype.updateMatrixWorld.call(writer, isForced);
      moved.matrixWorld.setPosition(100, 0, 0);
    };
    for (let k = 3; k < 6; k++) {
      moved.position.x = k;
      expectBodyAt(100);
    }
    Reflect.deleteProperty(writer, 'updateMatrixWorld');
    for (let k = 6; k < 9; k++) {
      moved.position.x = k;
      expectBodyAt(k);
    }
  });

  it('moves a reported child once in an update', () => {
    geometry.computeBoundingSphere();
    const group = rowOfCubes(8);
    group.setStatic(group.children[0]);
    group.updateMatrixWorld();
    const moves = vi.spyOn(BodyStore.prototype, 'move');
    for (const child of group.children.slice(0, 4)) {
      child.position.y += 1;
      group.reportMove(child);
    }
    group.updateMatrixWorld();
    expect(moves).toHaveBeenCalledTimes(4);
    moves.mockRestore();
  });

  it('handles children that move, are added and are removed in the same frame', () => {
    const group = rowOfCubes(3);
    group.position.set(500, 0, 0);
    group.scale.x = 2;
    group.updateMatrixWorld();
    group.children[1].position.x = -250;
    group.add(cube(-249.5));
    group.remove(group.children[0]);
    group.updateMatrixWorld();
    expect(namesSeen(group, 5)).toEqual(['cube 10', 'cube -249.5']);
    group.position.x = 460;
    group.updateMatrixWorld();
    expect(namesSeen(group, 5)).toEqual([]);
    expect(namesSeen(group, 45)).toEqual(['cube 10', 'cube -249.5']);
    expect(validate(group.octree)).toEqual([]);
  });

  it('draws objects that three culls by a sphere in world space, though it is no sphere in body space', () => {
    // A sprite faces the camera, so a vertical scale of the group scales its culling sphere in all directions.
    const group = new OctreeGroup().add(
      new Sprite().translateX(10),
      new Group().add(new Sprite().translateX(10), new Sprite().translateX(11)),
    );
    group.updateMatrixWorld();
    expect(passOver(group, slab(5)).length).toBe(0);
    group.scale.y = 20;
    group.updateMatrixWorld();
    expect(passOver(group, slab(5))).toEqual(group.children);
    group.scale.y = 1;
    group.rotation.z = Math.PI / 3;
    group.updateMatrixWorld();
    expect(passOver(group, slab(3.5)).length).toBe(0);
  });

  it('may be scaled to zero and back, and start with a scale of zero', () => {
    for (const firstScale of [1, 0]) {
      const parent = new Group();
      const group = new OctreeGroup().add(cube(0), cube(30));
      parent.add(group);
      for (const scale of [firstScale, 0, 1, 2]) {
        parent.scale.setScalar(scale);
        parent.updateMatrixWorld();
        expect(namesSeen(group, 31)).toEqual(scale === 2 ? ['cube 0'] : ['cube 0', 'cube 30']);
      }
    }
  });

  it('is culled by an infinite frustum', () => {
    const group = rowOfCubes(3);
    group.position.x = 5;
    group.updateMatrixWorld();
    const infinite = slab(16);
    infinite.planes[4] = new Plane(new Vector3(NaN, NaN, NaN), Infinity);
    expect(passOver(group, infinite).length).toBe(2);
  });
});

/** Has three leave the world matrix of an object as it is now. */
function fix<T extends Object3D>(object: T): T {
  object.updateMatrixWorld(true);
  object.matrixWorldAutoUpdate = false;
  return object;
}

describe('children that do not follow the group', () => {
  /** Sees x from 95 to 105. */
  const there = new Frustum().setFromProjectionMatrix(
    new OrthographicCamera(95, 105, 1000, -1000, -1000, 1000).projectionMatrix,
  );

  /** Meshes at x = 100 that stay there, each with what is drawn of it. */
  const fixed: Record<string, () => [child: Object3D, isTree?: boolean]> = {
    'matrixWorldAutoUpdate = false': () => [fix(cube(100))],
    'an updateMatrixWorld of its own': () => {
      const child = cube(100);
      child.updateMatrixWorld = () => void child.matrixWorld.makeTranslation(100, 0, 0);
      return [child];
    },
    'a part with matrixWorldAutoUpdate = false': () => [new Group().add(fix(cube(100)))],
    'a part below a group with matrixWorldAutoUpdate = false': () => [new Group().add(fix(new Group().add(cube(100))))],
    'a part of an opened tree with matrixWorldAutoUpdate = false': () => [new Group().add(fix(cube(100))), true],
    'a part of an opened tree below a group with matrixWorldAutoUpdate = false': () => [
      fix(new Group().add(new Group().add(cube(100)))),
      true,
    ],
  };

  it.each(Object.entries(fixed))('are drawn and hit where three draws them: %s', (_, create) => {
    for (const isStatic of [false, true]) {
      const [child, isTree = false] = create();
      const group = new OctreeGroup().add(child, cube(0));
      if (isTree) group.addTree(child);
      group.setStatic(child, isStatic);
      for (const x of [0, 500, 700, 0, 300]) {
        group.position.x = x;
        for (let k = 0; k < 2; k++) {
          group.updateMatrixWorld();
          expect(passOver(group, there)).toHaveLength(1);
          expect(new Raycaster(new Vector3(100, 0, 10), new Vector3(0, 0, -1)).intersectObject(group)).toHaveLength(2);
        }
      }
    }
  });

  it('are found again when they begin to follow it, and the other way round', () => {
    for (const isPart of [false, true]) {
      const mesh = cube(100);
      const group = new OctreeGroup().add(isPart ? new Group().add(mesh, cube(100)) : mesh);
      const seen = (): number => (group.updateMatrixWorld(), passOver(group, slab(99)).length);
      expect([seen(), seen()]).toEqual([0, 0]);
      mesh.matrixWorldAutoUpdate = false;
      mesh.matrixWorld.makeTranslation(0, 0, 0);
      expect([seen(), seen()]).toEqual([1, 1]);
      mesh.matrixWorldAutoUpdate = true;
      expect([seen(), seen()]).toEqual([0, 0]);
      mesh.matrixAutoUpdate = false;
      expect([seen(), seen()]).toEqual([0, 0]);
      mesh.matrixAutoUpdate = true;
      mesh.position.x = 0;
      expect([seen(), seen()]).toEqual([1, 1]);
      mesh.matrixAutoUpdate = false;
      mesh.matrix.makeTranslation(100, 0, 0);
      expect([seen(), seen()]).toEqual([0, 0]);
    }
  });
});
