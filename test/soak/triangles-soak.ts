/**
 * A scene of triangles at a constant population, tick by tick: meshes move, come and go with geometries of their own,
 * vertices change, a skinned mesh poses, every kind of query runs.
 */

import {
  Bone,
  BoxGeometry,
  Mesh,
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
  solveContacts,
  TriangleHit,
  TriangleScene,
} from '../../src/triangles/index.ts';
import { createRandom } from '../support/random.ts';
import { skinnedGeometry } from '../support/skinned-meshes.ts';

const EDGE = 24;
const MESHES = 120;
const BONES = 6;

export class TriangleWorld {
  private readonly group = new OctreeGroup();
  private readonly random = createRandom(45);
  private readonly meshes: Mesh[] = [];
  private readonly bones = Array.from({ length: BONES }, () => new Bone());
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
    const { group, meshes, bones, random } = this;
    const skinned = new SkinnedMesh(skinnedGeometry(random, { bones: BONES, vertices: 60 }));
    skinned.add(...bones);
    skinned.bind(new Skeleton(bones));
    for (let k = 0; k < MESHES; k++) meshes.push(this.createMesh(k));
    group.add(skinned, ...meshes);
    group.updateMatrixWorld();
    for (const { position } of meshes) intersectTriangles(this.scene, new Sphere(position, 0.1));
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

  /** A tick, in which three meshes move, one is replaced, and vertices of one change. */
  step(): void {
    const { group, meshes, bones, scene, random, hit, gap, place, motion, rays, tick } = this;
    for (let k = 0; k < 3; k++) this.moveTo(random.pick(meshes).position);
    const at = random.below(MESHES);
    group.remove(meshes[at]);
    meshes[at].geometry.dispose();
    meshes[at] = this.createMesh(at);
    group.add(meshes[at]);
    random.pick(meshes).geometry.attributes.position.needsUpdate = true;
    bones[tick % BONES].rotation.x = random.between(-1, 1);
    group.updateMatrixWorld();
    // Builds its tree, so that their number is constant.
    intersectTriangles(scene, new Sphere(meshes[at].position, 0.1));
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
    this.tick++;
  }
}
