/** Queries of triangles equal a loop over what three draws, whatever has changed since the last query. */

import {
  BatchedMesh,
  Bone,
  BufferAttribute,
  BufferGeometry,
  CylinderGeometry,
  Float32BufferAttribute,
  Group,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  Ray,
  Skeleton,
  SkinnedMesh,
  Sphere,
  Vector3,
  type Object3D,
} from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { expect, it } from 'vitest';
import { OctreeGroup, OctreeInstances } from '../../src/three.ts';
import {
  castShape,
  firstTriangle,
  intersectMeshPairs,
  intersectTriangles,
  nearestPoint,
  selectWithin,
  TriangleScene,
} from '../../src/triangles/index.ts';
import { BruteForceTriangles } from '../../src/debug/index.ts';
import { createRandom, type Random } from '../support/random.ts';
import { IS_LONG } from '../support/sampled.ts';
import { createGeometries, createMatrix, directionOf, pointIn } from '../support/triangle-scenes.ts';

const SEEDS = IS_LONG ? 60 : 3;
const STEPS = 30;
/** Bones and groups are computed in another way here: what lies between both radii may be found or not. */
const ROUNDING = 1e-5;
const EXTENT = 6;
const ORIGIN = new Vector3();
const material = new MeshBasicMaterial();
const element = { getBoundingClientRect: () => ({ left: 0, top: 0, width: 100, height: 100 }) };

/** Triangles that are drawn, as a geometry of its own, with their numbers. */
interface Drawn {
  readonly object: Mesh;
  readonly instanceId: number;
  readonly faces: readonly number[];
  readonly geometry: BufferGeometry;
  readonly matrix: ArrayLike<number>;
}

/** A geometry, perhaps with a tree of the user. */
type WithTree = Omit<BufferGeometry, 'boundsTree'> & { boundsTree?: unknown };

function createArm(): SkinnedMesh {
  const geometry: BufferGeometry = new CylinderGeometry(0.3, 0.3, 3, 9, 9);
  const { position } = geometry.attributes;
  const along = Array.from({ length: position.count }, (_, k) => (position.getY(k) + 1.5) / 3);
  const indices = along.flatMap(() => [0, 1, 0, 0]);
  const weights = along.flatMap((part) => [1 - part, part, 0, 0]);
  geometry.setAttribute('skinIndex', new Float32BufferAttribute(indices, 4));
  geometry.setAttribute('skinWeight', new Float32BufferAttribute(weights, 4));
  geometry.morphAttributes.position = [position.clone()];
  const mesh = new SkinnedMesh(geometry, material);
  const bones = [-1.5, 3].map((y) => new Bone().translateY(y));
  mesh.add(bones[0].add(bones[1]));
  mesh.updateMatrixWorld(true);
  mesh.bind(new Skeleton(bones));
  return mesh;
}

/** The corners of triangles that draw range and groups hold, each once. */
function cornersOf({ geometry, material: one }: Mesh, range = geometry.drawRange): number[] {
  const { groups, index } = geometry;
  const end = Math.min(index?.count ?? geometry.attributes.position.count, range.start + range.count);
  const parts = Array.isArray(one) ? groups : [{ start: 0, count: Infinity }];
  const corners = parts.flatMap((part) => {
    const first = Math.max(part.start, range.start);
    const length = Math.max(0, Math.min(end, part.start + part.count) - first);
    return Array.from({ length: Math.floor(length / 3) }, (_, k) => first + 3 * k);
  });
  return [...new Set(corners)];
}

function drawnOf(object: Mesh, instanceId: number, matrix: Matrix4, range?: BufferGeometry['drawRange']): Drawn {
  const { geometry } = object;
  const { index } = geometry;
  const corners = cornersOf(object, range);
  const vertices = corners.flatMap((corner) => [0, 1, 2].map((k) => index?.getX(corner + k) ?? corner + k));
  const positions = vertices.flatMap((vertex) =>
    range === undefined && instanceId < 0
      ? object.getVertexPosition(vertex, new Vector3()).toArray()
      : new Vector3().fromBufferAttribute(geometry.attributes.position, vertex).toArray(),
  );
  return {
    object,
    instanceId,
    faces: corners.map((corner) => Math.floor((corner - (range?.start ?? 0)) / 3)),
    geometry: new BufferGeometry().setAttribute('position', new BufferAttribute(Float64Array.from(positions), 3)),
    matrix: matrix.elements,
  };
}

/** The meshes and instances that three draws. */
function drawnIn(group: Object3D): Drawn[] {
  const list: Drawn[] = [];
  const matrix = new Matrix4();
  group.traverseVisible((object) => {
    if (object instanceof BatchedMesh) {
      for (const id of instancesOf(object)) {
        if (!object.getVisibleAt(id)) continue;
        const range = object.getGeometryRangeAt(object.getGeometryIdAt(id));
        list.push(
          drawnOf(
            object,
            id,
            object.getMatrixAt(id, new Matrix4()).premultiply(object.matrixWorld),
            range ?? undefined,
          ),
        );
      }
    } else if (object instanceof OctreeInstances) {
      for (let id = 0; id < MOST_INSTANCES; id++)
        if (object.has(id) && object.getVisibleAt(id))
          list.push(
            drawnOf(object as never, id, object.getMatrixAt(id, matrix).clone().premultiply(object.matrixWorld)),
          );
    } else if (object instanceof Mesh) list.push(drawnOf(object, -1, object.matrixWorld));
  });
  return list;
}

const MOST_INSTANCES = 60;

function instancesOf(batch: BatchedMesh): number[] {
  const { _instanceInfo: infos } = batch as unknown as {
    readonly _instanceInfo: readonly { readonly active: boolean }[];
  };
  return infos.flatMap(({ active }, id) => (active ? [id] : []));
}

class World {
  readonly group = new OctreeGroup();
  readonly withTrees = new TriangleScene(this.group, { MeshBVH });
  readonly scenes = [this.withTrees, new TriangleScene(this.group)] as readonly TriangleScene[];
  private readonly random: Random;
  private readonly geometries: readonly BufferGeometry[];
  private readonly removed: Object3D[] = [];

  constructor(random: Random) {
    this.random = random;
    this.geometries = createGeometries(random);
    const instances = new OctreeInstances(new CylinderGeometry(0.3, 0.3, 1, 6), material);
    for (let k = 0; k < 4; k++) instances.addInstance(this.matrix());
    const batch = new BatchedMesh(MOST_INSTANCES, 10_000, 30_000, material);
    batch.frustumCulled = false;
    for (const object of [instances, batch, createArm()]) this.add(object);
    for (let k = 0; k < 5; k++) this.add(new Mesh(random.pick(this.geometries), material));
  }

  private matrix(): Matrix4 {
    const { random } = this;
    return createMatrix(random.pick(['rigid', 'scaled', 'mirrored'] as const), 1, random).setPosition(
      pointIn(random, ORIGIN, EXTENT),
    );
  }

  private add(object: Object3D): void {
    this.place(object);
    const parent = new Group().add(object);
    const kind = this.random.below(3);
    if (kind === 0) this.group.add(parent);
    else if (kind === 1) this.group.addTree(parent);
    else this.group.add(object);
  }

  private place(object: Object3D): void {
    this.matrix().decompose(object.position, object.quaternion, object.scale);
  }

  change(): void {
    const { random, group, removed } = this;
    const meshes: Mesh[] = [];
    group.traverse(
      (object) => void (object instanceof Mesh || object instanceof OctreeInstances ? meshes.push(object as never) : 0),
    );
    const mesh = random.pick(meshes);
    const kind = random.below(5);
    if (kind === 0) this.place(mesh);
    else if (kind === 1) mesh.visible = !mesh.visible;
    else if (kind === 2 && meshes.length > 6) removed.push(mesh.removeFromParent());
    else if (kind === 2 && removed.length > 0) this.add(removed.pop()!);
    else if (mesh instanceof BatchedMesh) changeBatch(mesh, this.matrix(), random);
    else if (mesh instanceof OctreeInstances) changeInstances(mesh, this.matrix(), random);
    else if (mesh instanceof SkinnedMesh && kind === 3) {
      random.pick((mesh as SkinnedMesh).skeleton.bones).rotation.z += 0.5;
      mesh.morphTargetInfluences = [random.pick([0, 0.2])];
    } else changeGeometry(mesh, random);
  }

  compare(): void {
    const { group, random } = this;
    group.updateMatrixWorld();
    const drawn = drawnIn(group);
    const reference = new BruteForceTriangles(drawn);
    const center = pointIn(random, ORIGIN, 1.5 * EXTENT);
    const radius = random.between(0.1, 2);
    const [must, may] = [-ROUNDING, ROUNDING].map((by) =>
      reference
        .intersectTriangles(new Sphere(center, radius + by))
        .map(({ mesh, face }) => `${drawn[mesh].object.id} ${drawn[mesh].instanceId} ${drawn[mesh].faces[face]}`),
    );
    const nearest = reference.nearestPoint(center)?.value ?? Infinity;
    const ray = new Ray(center, directionOf(random));
    const first = reference.firstTriangle(ray)?.value ?? Infinity;
    const motion = directionOf(random).multiplyScalar(4);
    const ball = new Sphere(center, 0.1);
    const time = reference.castShape(ball, motion)?.value ?? Infinity;
    for (const scene of this.scenes) {
      const found = intersectTriangles(scene, new Sphere(center, radius)).map(
        ({ object, instanceId, face }) => `${object!.id} ${instanceId} ${face}`,
      );
      expect(without(must, found)).toEqual([]);
      expect(without(found, may)).toEqual([]);
      expect(nearestPoint(scene, center)?.distance ?? Infinity).toBeCloseTo(nearest, 4);
      expect(firstTriangle(scene, ray)?.distance ?? Infinity).toBeCloseTo(first, 4);
      expect(castShape(scene, ball, motion)?.time ?? Infinity).toBeCloseTo(time, 4);
    }
    const [pairs, pairsWithoutTrees] = this.scenes.map((scene) =>
      intersectMeshPairs(scene, { within: 0.3, closest: true }).map(({ object, instanceId, face, distance, other }) =>
        [object!.id, instanceId, face, other.object!.id, other.instanceId, other.face, distance].join(' '),
      ),
    );
    expect(pairs).toEqual(pairsWithoutTrees);
    const camera = new PerspectiveCamera(90, 1, 0.1, 100);
    camera.position.z = 2 * EXTENT;
    camera.updateMatrixWorld();
    const corners = [0, 100].map((at) => ({ clientX: at, clientY: at }));
    const selected = this.scenes.map((scene) =>
      selectWithin(corners, camera, element, scene).map(({ object, instanceId }) => `${object!.id} ${instanceId}`),
    );
    const names = drawn.map(({ object, instanceId }) => `${object.id} ${instanceId}`);
    expect(selected[0]).toEqual(selected[1]);
    expect(without(selected[0], names)).toEqual([]);
  }
}

/** What one list holds more often than another. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const rest = [...other];
  return list.filter((one) => {
    const at = rest.indexOf(one);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}

function changeInstances(instances: OctreeInstances, matrix: Matrix4, random: Random): void {
  const ids = Array.from({ length: MOST_INSTANCES }, (_, id) => id).filter((id) => instances.has(id));
  const kind = random.below(4);
  if (kind === 0 || ids.length < 2) instances.addInstance(matrix);
  else if (kind === 1) instances.deleteInstance(random.pick(ids));
  else if (kind === 2) instances.setVisibleAt(random.pick(ids), random.below(2) === 0);
  else instances.setMatrixAt(random.pick(ids), matrix);
}

function changeBatch(batch: BatchedMesh, matrix: Matrix4, random: Random): void {
  const ids = instancesOf(batch);
  const edges = 3 + random.below(6);
  const geometry = new CylinderGeometry(0.3, 0.5, 1, edges, 2);
  const kind = random.below(6);
  if (kind === 0 || ids.length === 0)
    batch.setMatrixAt(batch.addInstance(batch.addGeometry(geometry, 100, 300)), matrix);
  else if (kind === 1) batch.setMatrixAt(batch.addInstance(batch.getGeometryIdAt(random.pick(ids))), matrix);
  else if (kind === 2) batch.deleteInstance(random.pick(ids));
  else if (kind === 3) batch.setVisibleAt(random.pick(ids), random.below(2) === 0);
  else if (kind === 4) batch.optimize();
  else batch.setGeometryAt(batch.getGeometryIdAt(random.pick(ids)), geometry);
}

function changeGeometry(mesh: Mesh, random: Random): void {
  const geometry: WithTree = mesh.geometry;
  const { index } = geometry;
  const { position } = geometry.attributes;
  const count = index?.count ?? position.count;
  const kind = random.below(6);
  const hadTree = geometry.boundsTree !== undefined;
  geometry.boundsTree = undefined;
  // The tree has put the index in another order. One that comes and goes between two queries is seen by the version.
  if (hadTree && index !== null) index.needsUpdate = true;
  if (kind === 0) {
    if (hadTree) return;
    if (geometry.drawRange.count === Infinity && geometry.groups.length === 0)
      geometry.boundsTree = new MeshBVH(mesh.geometry, { indirect: random.below(2) === 0 });
    return;
  }
  if (kind === 1) {
    for (let k = 0; k < position.count; k++) position.setX(k, 0.9 * position.getX(k) + 0.05);
    position.needsUpdate = true;
    geometry.boundingSphere = geometry.boundingBox = null;
  } else if (kind === 2 && index !== null) {
    const [a, b] = [3 * random.below(count / 3), 3 * random.below(count / 3)];
    for (let k = 0; k < 3; k++) {
      const vertex = index.getX(a + k);
      index.setX(a + k, index.getX(b + k));
      index.setX(b + k, vertex);
    }
    index.needsUpdate = true;
  } else if (kind === 3) {
    const isWhole = random.below(3) === 0;
    geometry.setDrawRange(isWhole ? 0 : random.below(count / 3), isWhole ? Infinity : random.below(count));
  } else if (kind === 4) {
    geometry.clearGroups();
    for (let k = random.below(4); k > 0; k--) geometry.addGroup(random.below(count / 2), random.below(count), 0);
  } else mesh.material = Array.isArray(mesh.material) ? material : [material];
}

it.each(Array.from({ length: SEEDS }, (_, k) => k + 1))('changes of seed %i', (seed) => {
  const random = createRandom(seed);
  const world = new World(random);
  for (let step = 0; step < STEPS; step++) {
    for (let k = random.below(3); k >= 0; k--) world.change();
    world.compare();
  }
});
