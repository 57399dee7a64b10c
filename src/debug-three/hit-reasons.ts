/** Why a ray hits an object, or misses it. */

import { DoubleSide, Raycaster, Sphere, Vector3, type Intersection, type Object3D } from 'three';
import { OctreeInstances } from '../instances/octree-instances.ts';
import { isEmptyRaycast } from '../three/bounds/bounded-raycasts.ts';
import { cullingSphereOf } from '../three/bounds/bounds-of.ts';
import { transformSphere } from '../three/bounds/bounds-math.ts';
import { nameOf } from '../three/bounds/object-kinds.ts';
import { isDrawn } from '../three/bounds/object-traits.ts';
import { boundingSphereOf } from '../three/bounds/vertex-bounds.ts';
import { isHitClipped } from '../three/picking/clipping.ts';
import { isShown } from '../three/picking/pickable.ts';
import { canHit } from '../three/picking/raycast-checks.ts';
import type { Explanation } from './explanation.ts';
import { worldMatrixOf } from './instance-reasons.ts';
import { clippingRendererOf, drawnMaterialsOf, firstMoved, sphereNote } from './sentences.ts';
import { pathTo } from './pass-walk.ts';

/** Digits of distances. */
const DIGITS = 4;

export function explainHit(object: Object3D, raycaster: Raycaster, instanceId?: number): Explanation {
  const path = pathTo(object);
  const name = instanceId === undefined ? nameOf(object) : `the instance ${instanceId} of ${nameOf(object)}`;
  const isOf = (hit: Intersection): boolean =>
    hit.object === object && (instanceId === undefined || hit.instanceId === instanceId);
  const isHittable = canHit('explain', raycaster);
  const hits = raycaster.intersectObject(path[0]);
  const isCut = (hit: Intersection): boolean => isHitClipped(hit, clippingRendererOf(path[0]));
  const seen = hits.findIndex((hit) => isOf(hit) && !isCut(hit));
  const index = seen >= 0 ? seen : hits.findIndex(isOf);
  const notes: string[] = [];
  if (firstMoved(path) !== null) notes.push('it has moved since the last update, and rays test it where it was');
  if (!isShown(object)) notes.push('it is hidden: rays hit it all the same, pick leaves it out');
  if (seen < 0 && index >= 0) notes.push('clipping planes cut this point away: pick leaves it out');
  const end = notes.length === 0 ? '' : `; ${notes.join('; ')}`;
  if (index >= 0) {
    const { distance } = hits[index];
    const [first] = hits;
    const why = isShown(first.object) ? isCut(first) && 'cut away by clipping planes' : 'hidden';
    const left = why ? `, which is ${why}: pick leaves that one out` : '';
    const before =
      index === 0 ? 'the nearest hit' : `behind ${nameOf(first.object)} at ${short(first.distance)}${left}`;
    return {
      isDrawn: true,
      kind: 'ray',
      about: [object],
      text: `${name} is hit at ${short(distance)}, ${before}${end}`,
    };
  }
  const why = isHittable
    ? missReason(object, raycaster, path, instanceId, isOf)
    : `far of the raycaster is ${raycaster.far}`;
  return { isDrawn: false, kind: 'ray', about: [object], text: `${name} is not hit: ${why}${end}` };
}

/** The ray meets no hit of the object: its own settings, the object alone, its containers, in this order. */
function missReason(
  object: Object3D,
  raycaster: Raycaster,
  path: readonly Object3D[],
  instanceId: number | undefined,
  isOf: (hit: Intersection) => boolean,
): string {
  if (object instanceof OctreeInstances && !object.store.isVisible(instanceId!))
    return 'it is hidden, or its id is not below count';
  if (!object.layers.test(raycaster.layers)) return 'it shares no layer with the raycaster';
  // Of a container this ends what the test of the layers has begun.
  void object.children;
  if (object.raycast === null || isEmptyRaycast(object))
    return isDrawn(object) ? 'its raycast is switched off' : 'it has no geometry of its own';
  const isHitBy = (change: Partial<Raycaster>, owner: Pick<Object3D, 'raycast'> = object): boolean => {
    const other = Object.assign(new Raycaster(), raycaster, change);
    const hits: Intersection[] = [];
    owner.raycast.call(object, other, hits);
    return hits.some(isOf);
  };
  if (isHitBy({})) {
    const stopping = path.find((node) => node !== object && node.raycast !== object.raycast && stops(node, raycaster));
    return stopping === undefined
      ? 'by itself it is hit, but its container tests it with other bounds: call reportMove after a change that is not found'
      : `${nameOf(stopping)} above it keeps rays from what is below it`;
  }
  const { near, far } = raycaster;
  if (isHitBy({ near: 0, far: Infinity })) return `it is not between near and far, ${short(near)} and ${short(far)}`;
  if (withBothSides(object, () => isHitBy({}))) return 'the ray meets only the sides that its material does not draw';
  if (Object.hasOwn(object, 'raycast') && isHitBy({}, Object.getPrototypeOf(object) as Object3D))
    return 'its own raycast finds no hit, where that of its class finds one';
  const isInstances = object instanceof OctreeInstances;
  const local = isInstances ? boundingSphereOf(object.geometry) : cullingSphereOf(object);
  if (local === null) return 'the ray passes it';
  const world = isInstances ? worldMatrixOf(object, instanceId!) : object.matrixWorld;
  transformSphere(local, world, missReason_sphere);
  const gap = raycaster.ray.distanceToPoint(missReason_sphere.center) - missReason_sphere.radius;
  return gap > 0
    ? `the ray passes its bounding sphere at a distance of ${short(gap)}${sphereNote(object)}`
    : 'the ray meets its bounding sphere, but no triangle of it';
}
const missReason_sphere = /* @__PURE__ */ new Sphere(/* @__PURE__ */ new Vector3());

/** Whether `raycast` of an object keeps a raycaster from its children. */
function stops(object: Object3D, raycaster: Raycaster): boolean {
  const result: unknown = object.raycast(raycaster, []);
  return result === false;
}

/** Calls a function while all materials of an object draw both sides. */
function withBothSides<T>(object: Object3D, call: () => T): T {
  const materials = drawnMaterialsOf(object).map((one) => ({ one, side: one.side }));
  try {
    for (const { one } of materials) one.side = DoubleSide;
    return call();
  } finally {
    for (const { one, side } of materials) one.side = side;
  }
}

function short(value: number): string {
  return String(Number(value.toPrecision(DIGITS)));
}
