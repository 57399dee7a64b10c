/**
 * A scene of triangles at a constant population, tick by tick: meshes move, come and go with geometries of their own,
 * and so do instanced, batched and skinned meshes; vertices, indices and draw ranges change, bones turn, every
 * kind of query runs.
 */

import {
  BatchedMesh,
  Bone,
  BoxGeometry,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  Skeleton,
  SkinnedMesh,
  Sphere,
  SphereGeometry,
  Vector3,
  type BufferGeometry,
} from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { OctreeGroup } from '../../src/three.ts';
import {
  castShape,
  castTriangleRays,
  distanceBetween,
  firstTriangle,
  intersectMeshPairs,
  intersectTriangles,
  MeshDistance,
  nearestPoint,
  selectWithin,
  snap,
  solveContacts,
  TriangleHit,
  TriangleScene,
} from '../../src/triangles/index.ts';
import { createRandom } from '../support/random.ts';
import { skinnedGeometry } from '../support/skinned-meshes.ts';

const EDGE = 24;
const MESHES = 120;
const BONES = 6;
/** Ticks after which a mesh of each kind is replaced. */
const LIFE = 16;
const ELEMENT = {
  clientWidth: 100,
  clientHeight: 100,
  getBoundingClientRect: () => ({ left: 0, top: 0, right: 100, bottom: 100, width: 100, height: 100 }),
};

export class TriangleWorld {
  private readonly group = new OctreeGroup();
  private readonly random = createRandom(45);
  private readonly meshes: Mesh[] = [];
  /** Those of the present skinned mesh. */
  private bones: Bone[] = [];
  /** A skinned, an instanced and a batched mesh. */
  private readonly others: Mesh[] = [];
  private readonly material = new MeshBasicMaterial();
  private readonly camera = new PerspectiveCamera(60, 1, 0.1, 60);
  private readonly scene = new TriangleScene(this.group, { MeshBVH });
  private readonly hit = new TriangleHit<never>();
  private readonly gap = new MeshDistance<never>();
  private readonly place = new Vector3();
  private readonly motion = new Vector3();
  private readonly rays = new Float64Array(7);
  private readonly rayHits = {
    indices: new Int32Array(1),
    faces: new Int32Array(1),
    distances: new Float64Array(1),
  };
  private tick = 0;
  /** Number of results. */
  found = 0;

  constructor() {
    const { group, meshes, others, camera } = this;
    for (let k = 0; k < MESHES; k++) meshes.push(this.createMesh(k));
    for (const create of this.kinds) others.push(create());
    group.add(...meshes, ...others);
    group.updateMatrixWorld();
    camera.position.z = EDGE;
    camera.updateMatrixWorld();
    for (const { position } of meshes) intersectTriangles(this.scene, new Sphere(position, 0.1));
  }

  private readonly kinds: readonly (() => Mesh)[] = [
    () => {
      const skinned = new SkinnedMesh(skinnedGeometry(this.random, { bones: BONES, vertices: 60 }));
      this.bones = Array.from({ length: BONES }, () => new Bone());
      skinned.add(...this.bones);
      skinned.bind(new Skeleton(this.bones));
      return skinned;
    },
    () => {
      const instanced = new InstancedMesh(new SphereGeometry(0.5, 8, 6), this.material, 4);
      for (let k = 0; k < 4; k++) instanced.setMatrixAt(k, this.matrix());
      return instanced;
    },
    () => {
      const batch = new BatchedMesh(4, 200, 400, this.material);
      const geometries = [new BoxGeometry(), new SphereGeometry(0.5, 6, 5)].map((one) => batch.addGeometry(one));
      for (let k = 0; k < 4; k++) batch.setMatrixAt(batch.addInstance(geometries[k % 2]), this.matrix());
      return batch;
    },
  ];

  private matrix(): Matrix4 {
    return new Matrix4().setPosition(this.moveTo(this.place));
  }

  private createMesh(k: number): Mesh {
    const geometry: BufferGeometry = k % 2 === 0 ? new SphereGeometry(1, 12, 8) : new BoxGeometry(1, 2, 1, 2, 2, 2);
    const mesh = new Mesh(geometry);
    this.moveTo(mesh.position);
    mesh.scale.set(1, this.random.between(0.5, 1.5), k % 3 === 0 ? -1 : 1);
    return mesh;
  }

  private moveTo(place: Vector3): Vector3 {
    const within = (): number => this.random.between(-EDGE / 2, EDGE / 2);
    return place.set(within(), within(), within());
  }

  /** A tick, in which three meshes move, one is replaced or two, and a geometry changes in one of three ways. */
  step(): void {
    const { group, meshes, others, scene, random, hit, gap, place, motion, rays, tick } = this;
    for (let k = 0; k < 3; k++) this.moveTo(random.pick(meshes).position);
    const at = random.below(MESHES);
    group.remove(meshes[at]);
    meshes[at].geometry.dispose();
    meshes[at] = this.createMesh(at);
    group.add(meshes[at]);
    const kind = tick % LIFE;
    if (kind < others.length) {
      group.remove(others[kind]);
      (others[kind] as Partial<InstancedMesh>).dispose?.();
      others[kind].geometry.dispose();
      group.add((others[kind] = this.kinds[kind]()));
    }
    const changed = random.pick(meshes);
    const { geometry } = changed;
    if (tick % 3 === 0) geometry.attributes.position.needsUpdate = true;
    else if (tick % 3 === 1) geometry.index!.needsUpdate = true;
    else geometry.setDrawRange(3 * random.below(4), Infinity);
    this.bones[tick % BONES].rotation.x = random.between(-1, 1);
    group.updateMatrixWorld();
    // Builds their trees, so that the number of trees is constant.
    for (const { position } of [meshes[at], changed]) intersectTriangles(scene, new Sphere(position, 0.1));
    this.moveTo(place);
    this.moveTo(motion);
    const sphere = new Sphere(place, 1.5);
    const contacts = intersectTriangles(scene, sphere);
    this.found += contacts.length;
    solveContacts(contacts, motion, motion);
    if (castShape(scene, sphere, motion, { except: meshes[at] }, hit) !== null) this.found++;
    if (firstTriangle(scene, { origin: place, direction: motion }, { filter: ({ object }) => object !== null }, hit))
      this.found++;
    rays.set([...place, ...motion.normalize(), EDGE]);
    castTriangleRays(scene, rays, this.rayHits);
    nearestPoint(scene, place, { maxDistance: 3 }, hit);
    distanceBetween(scene, meshes[0], meshes[1], undefined, gap);
    if (tick % 10 === 0) this.found += intersectMeshPairs(scene, { within: 0.1 }).length;
    if (tick % 20 === 0) this.look();
    this.tick++;
  }

  /** Looks for what is on the screen. */
  private look(): void {
    const { camera, scene } = this;
    const corners = [20, 40].map((at) => ({ clientX: at, clientY: at }));
    this.found += selectWithin(corners, camera, ELEMENT as never, scene).length;
    if (snap(corners[0], camera, ELEMENT as never, scene, { pixels: 20 }) !== null) this.found++;
  }
}
