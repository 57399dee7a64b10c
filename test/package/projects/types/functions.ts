/**
 * Functions that take the octree: each has the types of the given octree, in its results, its options and its
 * callbacks.
 */
import { Mesh, Ray, Sphere, Vector3 } from 'three';
import * as main from 'scene-octree';
import * as core from 'scene-octree/core';
import { validate } from 'scene-octree/debug';

interface Ship {
  readonly name: string;
}
/** Whether two types are the same. */
type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false;

const list = new main.IndexList();
const point = { x: 0, y: 0, z: 0 };
const ball = { center: point, radius: 1 };
const box = { min: point, max: point };
const capsule = new main.Capsule({ start: point, end: point, radius: 1 });
const range = new main.RayRange({ origin: point, direction: point });
const octree = new main.Octree<Ship>();
const plain = new core.Octree<Ship>();

/** The types of the results, for both octrees. Only the types matter: this never runs. */
export function results() {
  const ofMain = [
    main.castSphere(octree, ball, point)!,
    main.castBox(octree, box, point)!,
    main.castSphereAll(octree, ball, point)[0],
    main.castBoxAll(octree, box, point)[0],
    main.nearest(octree, point, 1)[0],
    main.nearest(octree, range, 1)[0],
    main.intersectPairs(octree)[0],
    main.intersect(octree, capsule)[0],
  ];
  const ofCore = [
    core.castSphere(plain, ball, point)!,
    core.castBox(plain, box, point)!,
    core.castSphereAll(plain, ball, point)[0],
    core.castBoxAll(plain, box, point)[0],
    core.nearest(plain, box, 1)[0],
    core.intersectPairs(plain)[0],
    core.intersect(plain, capsule)[0],
  ];
  const position: Same<(typeof ofMain)[0]['position'], Vector3> = true;
  const data: Same<(typeof ofMain)[0]['body']['data'], Ship> = true;
  const plainPosition: Same<(typeof ofCore)[0]['position'], core.PlainPoint> = true;
  const plainData: Same<(typeof ofCore)[0]['body']['data'], Ship> = true;
  const contacts: main.Contacts<Ship> = main.trackContacts(octree);
  const sensor: main.Sensor<Ship> = main.watch(octree, ball);
  const bands: main.DistanceBands<Ship> = main.watchDistances(octree, point, [1]);
  const plainContacts: core.Contacts<Ship> = core.trackContacts(plain);
  const records: main.IntersectionRecord<Ship>[] = ofMain;
  const plainRecords: core.IntersectionRecord<Ship>[] = ofCore;
  return { position, data, plainPosition, plainData, contacts, sensor, bands, plainContacts, records, plainRecords };
}

/** The types in options and callbacks. */
export function callbacks() {
  const options: main.QueryOptions<Ship> = { filter: ({ data }) => data.name !== '' };
  main.castSphere(octree, ball, point, options)?.position.clone();
  main.castSphere(octree, ball, point, {
    filter: (body) => body.getBox().containsPoint(new Vector3(body.data.name.length)),
  });
  core.castSphere(plain, ball, point, { filter: (body) => body.getBox().min.x > body.data.name.length });
  main.trackContacts(octree, { filter: (body) => !body.getBox().isEmpty() && body.data.name !== '' });
  main.watch(octree, ball, { filter: ({ data }) => data.name !== '' });
  main.visitNearest(octree, point, (body, distance) => (body.getBox().isEmpty() ? distance : body.data.name.length), {
    filter: ({ data }) => data.name !== '',
  });
  main.visitCast(octree, ball, point, (body, time) => (body.getBox().isEmpty() ? time : body.data.name.length));
  core.visitRay(plain, { origin: point, direction: point }, (body, distance) =>
    body.getBox().min.x > distance ? false : body.data.name.length,
  );
  main.intersect(
    octree,
    new main.CustomVolume({
      overlap: (bounds) => (bounds.isEmpty() ? main.VolumeOverlap.Outside : main.VolumeOverlap.Intersecting),
      touchesBox: (one) => one.isEmpty(),
      touchesSphere: (one) => one.isEmpty(),
    }),
  );
  main.onIntersection(
    octree,
    octree.insert(ball, { name: 'a' }),
    ({ normal, other }) => void normal.clone().multiplyScalar(Number(other?.data.name.length)),
  );
  core.onIntersection(
    plain,
    plain.insert(ball, { name: 'b' }),
    ({ normal, other }) => void (normal.x * Number(other?.data.name.length)),
  );
  // @ts-expect-error plain objects have no methods
  core.castSphere(plain, ball, point)?.position.clone();
  // @ts-expect-error the data has no such field
  main.nearest(octree, point, 1, { filter: ({ data }) => data.age > 1 });
  // @ts-expect-error a handle with other data
  main.onIntersection(octree, new main.Octree<string>().insert(ball, 'c'), () => {});
  // @ts-expect-error not an octree
  main.castSphere({}, ball, point);
  // @ts-expect-error not the centre
  main.nearest(octree, new Sphere(), 1);
  // @ts-expect-error not a RayRange
  main.nearest(octree, new Ray(), 1);
  // @ts-expect-error not the box of the mesh
  main.watch(octree, new Mesh());
  // @ts-expect-error a point has no extent
  core.watch(plain, new Vector3());
  // @ts-expect-error not a Capsule
  main.intersect(octree, { start: point, end: point, radius: 1 });
  main.watch(octree, capsule);
  core.watch(plain, new Sphere());
  main.nearest(octree, range, 1);
  core.intersect(plain, capsule);
}

/** Each query knows its own options: the maximum distance has another name in each kind, or none. */
export function foreignOptions() {
  const ray = { origin: point, direction: point };
  const hits = { indices: new Int32Array(1), distances: new Float32Array(1) };
  // @ts-expect-error far
  octree.firstHit(ray, { maxDistance: 2 });
  // @ts-expect-error far
  plain.collectRay(ray, list, { within: 2 });
  // @ts-expect-error the seventh number of each ray
  main.castRays(octree, new Float32Array(7), hits, { far: 2 });
  // @ts-expect-error maxDistance
  main.nearest(octree, point, 1, { far: 2 });
  // @ts-expect-error maxDistance
  core.collectNearest(plain, point, 1, list, { within: 2 });
  // @ts-expect-error within
  main.collectPairs(octree, list, { distance: 5 });
  // @ts-expect-error within
  core.intersectPairs(plain, { maxDistance: 5 });
  // @ts-expect-error the length of the motion
  main.castSphere(octree, ball, point, { far: 5 });
  // @ts-expect-error no distance
  octree.intersectBox(box, { far: 5 });
  // @ts-expect-error no distance
  main.collect(octree, capsule, list, { maxDistance: 5 });
  // @ts-expect-error no distance
  octree.collectFrustum({ planes: [] }, list, { far: 5 });
}

/**
 * The functions whose results have no such types accept both octrees; an octree with three's vectors serves where one
 * without is expected.
 */
export function numbers(either: main.Octree<Ship> | core.Octree<Ship>) {
  core.castSphere(octree, ball, point)?.position.clone();
  for (const one of [octree, plain]) {
    validate(one);
    main.translate(one, point);
    main.castRays(one, new Float32Array(7), { indices: new Int32Array(1), distances: new Float32Array(1) });
    main.moveManyById(one, main.idsOf(one, [0]), new Float32Array(6));
    main.removeManyById(one, [main.idOf(one, main.indexOfId(one, 0))]);
    main.setMaskManyById(one, [], 1);
    main.sortByDistance(one, list, point);
    main.assignBands(one, list, point, [1], new Uint8Array(1));
  }
  return (
    main.collect(either, capsule, list) +
    main.collectNearest(either, point, 1, list) +
    main.collectPairs(either, list) +
    main.collectSphereCast(either, ball, point, list) +
    main.collectBoxCast(either, box, point, list)
  );
}
