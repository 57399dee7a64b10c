/**
 * Jolt with a body for each mesh: contacts of a capsule, and the first triangle that a moving capsule touches. Its
 * shapes hold no shear, which is left out. Float32, so that results differ in their last digits.
 */

import initJolt from 'jolt-physics';
import { Quaternion, Vector3, type BufferGeometry, type Mesh } from 'three';
import type { CapsuleLike } from '../../../src/index.ts';
import { newWorld } from './jolt.ts';

type Api = typeof initJolt;

/** Offsets in a result of CollideShape, in numbers of four bytes: three vectors of four numbers, then the depth. */
const DEPTH = 12;

export async function loadJoltMeshes(meshes: readonly Mesh[], capsule: CapsuleLike): Promise<JoltMeshes> {
  return new JoltMeshes(await initJolt<object>(), meshes, capsule);
}

export class JoltMeshes {
  private readonly api: Api;
  private readonly query: initJolt.NarrowPhaseQuery;
  private readonly filters: readonly [
    initJolt.BroadPhaseLayerFilter,
    initJolt.ObjectLayerFilter,
    initJolt.BodyFilter,
    initJolt.ShapeFilter,
  ];
  private readonly capsule: initJolt.Shape;
  private readonly one: initJolt.Vec3;
  private readonly place: initJolt.RVec3;
  private readonly motion: initJolt.Vec3;
  private readonly base: initJolt.RVec3;
  private readonly upright: initJolt.Quat;
  private readonly collide: initJolt.CollideShapeSettings;
  private readonly cast: initJolt.ShapeCastSettings;
  private readonly contactCollector: initJolt.CollideShapeCollectorJS;
  private readonly first: initJolt.CastShapeClosestHitCollisionCollector;
  private count = 0;
  /** Of the last contacts. */
  deepest = 0;

  /** @param capsule An upright one, of the size of all that are asked for. */
  constructor(api: Api, meshes: readonly Mesh[], { start, end, radius }: CapsuleLike) {
    this.api = api;
    const world = newWorld(api, meshes.length);
    const system = world.GetPhysicsSystem();
    const bodies = system.GetBodyInterface();
    const shapes = new Map<BufferGeometry, initJolt.Shape>();
    const ids = new api.ArrayBodyID();
    const [at, turn, scale] = [new Vector3(), new Quaternion(), new Vector3()];
    for (const { geometry, matrixWorld } of meshes) {
      let shape = shapes.get(geometry);
      if (shape === undefined) shapes.set(geometry, (shape = meshShape(api, geometry)));
      matrixWorld.decompose(at, turn, scale);
      const scaled = new api.ScaledShape(shape, new api.Vec3(scale.x, scale.y, scale.z));
      const settings = new api.BodyCreationSettings(
        scaled,
        new api.RVec3(at.x, at.y, at.z),
        new api.Quat(turn.x, turn.y, turn.z, turn.w),
        api.EMotionType_Static,
        0,
      );
      ids.push_back(bodies.CreateBody(settings).GetID());
      api.destroy(settings);
    }
    const added = bodies.AddBodiesPrepare(ids.data(), meshes.length);
    bodies.AddBodiesFinalize(ids.data(), meshes.length, added, api.EActivation_DontActivate);
    system.OptimizeBroadPhase();
    this.query = system.GetNarrowPhaseQuery();
    this.filters = [
      new api.BroadPhaseLayerFilter(),
      new api.ObjectLayerFilter(),
      new api.BodyFilter(),
      new api.ShapeFilter(),
    ];
    this.capsule = new api.CapsuleShape((end.y - start.y) / 2, radius);
    this.capsule.AddRef();
    this.one = new api.Vec3(1, 1, 1);
    this.place = new api.RVec3(0, 0, 0);
    this.motion = new api.Vec3(0, 0, 0);
    this.base = new api.RVec3(0, 0, 0);
    this.upright = new api.Quat(0, 0, 0, 1);
    this.collide = new api.CollideShapeSettings();
    this.collide.mActiveEdgeMode = api.EActiveEdgeMode_CollideWithAll;
    this.collide.mBackFaceMode = api.EBackFaceMode_CollideWithBackFaces;
    this.cast = new api.ShapeCastSettings();
    this.cast.mActiveEdgeMode = api.EActiveEdgeMode_CollideWithAll;
    this.cast.mBackFaceModeTriangles = api.EBackFaceMode_CollideWithBackFaces;
    this.contactCollector = new api.CollideShapeCollectorJS();
    // The results are read where WebAssembly stores them.
    this.contactCollector.AddHit = (address) => {
      this.count++;
      this.deepest = Math.max(this.deepest, api.HEAPF32[address / 4 + DEPTH]);
    };
    this.contactCollector.Reset = this.contactCollector.OnBody = () => {};
    this.first = new api.CastShapeClosestHitCollisionCollector();
  }

  private matrixOf({ start, end }: CapsuleLike): initJolt.RMat44 {
    this.place.Set((start.x + end.x) / 2, (start.y + end.y) / 2, (start.z + end.z) / 2);
    return this.api.RMat44.prototype.sRotationTranslation(this.upright, this.place);
  }

  /** The number of triangles that a capsule touches. */
  contacts(capsule: CapsuleLike): number {
    const { query, one, collide, base, contactCollector, filters } = this;
    this.count = this.deepest = 0;
    query.CollideShape(this.capsule, one, this.matrixOf(capsule), collide, base, contactCollector, ...filters);
    return this.count;
  }

  /** The time of the first touch, 0 to 1; 2 for none. */
  castTime(capsule: CapsuleLike, { x, y, z }: Vector3): number {
    const { api, query, one, motion, cast, base, first, filters } = this;
    motion.Set(x, y, z);
    const moved = new api.RShapeCast(this.capsule, one, this.matrixOf(capsule), motion);
    first.Reset();
    query.CastShape(moved, cast, base, first, ...filters);
    api.destroy(moved);
    return first.HadHit() ? first.mHit.mFraction : 2;
  }
}

function meshShape(api: Api, geometry: BufferGeometry): initJolt.Shape {
  const { position } = geometry.attributes;
  const index = geometry.index!;
  const vertices = new api.VertexList();
  const triangles = new api.IndexedTriangleList();
  for (let k = 0; k < position.count; k++) {
    const vertex = new api.Float3(position.getX(k), position.getY(k), position.getZ(k));
    vertices.push_back(vertex);
    api.destroy(vertex);
  }
  for (let k = 0; k < index.count; k += 3) {
    const triangle = new api.IndexedTriangle(index.getX(k), index.getX(k + 1), index.getX(k + 2), 0);
    triangles.push_back(triangle);
    api.destroy(triangle);
  }
  const settings = new api.MeshShapeSettings(vertices, triangles, new api.PhysicsMaterialList());
  const shape = settings.Create().Get();
  shape.AddRef();
  api.destroy(settings);
  return shape;
}
