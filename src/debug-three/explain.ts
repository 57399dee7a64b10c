/** `explain`: why an object is drawn or not drawn, or hit or not hit, in one sentence. */

import type { Camera, Mesh, Object3D, Raycaster } from 'three';
import { throwType } from '../octree/input/input-checks.ts';
import { requireId } from '../instances/instance-checks.ts';
import { OctreeInstances } from '../instances/octree-instances.ts';
import { hasGeometry, isObject3D, nameOf, refuseProxy } from '../three/bounds/object-kinds.ts';
import { isDrawn } from '../three/bounds/object-traits.ts';
import { OctreeGroup } from '../three/group/octree-group.ts';
import { isValidFrustum } from '../three/passes/render-pass.ts';
import type { Explanation } from './explanation.ts';
import { GroupReasons } from './group-reasons.ts';
import { explainHit } from './hit-reasons.ts';
import { InstanceReasons } from './instance-reasons.ts';
import { PassWalk } from './pass-walk.ts';
import { culledByThree, firstMoved, invisibleFault, isClippedAway, sphereNote } from './sentences.ts';

/**
 * Says in one sentence why an object is drawn, or not drawn, by a camera now, and by what: it is hidden, on another
 * layer, outside of which plane of the frustum, too small, behind which occluders; drawn by which batch, or on its own
 * and why. With a raycaster it says why the ray hits the object, or misses it.
 *
 * It does what a renderer does in a pass of the camera, but draws nothing: what it says is what the next pass does, if
 * nothing changes until then. It updates no matrices but those of the camera, so a move since the last frame is named
 * as such. It counts as a pass of the camera: it chooses levels of detail, and sets what a pass sets, such as
 * `StaticBatches.ranges`.
 *
 * Cost: some passes without drawing; if occluders hide the object, some walks more. For debugging.
 *
 * @param object An object of the scene, whether below an OctreeGroup or not; an OctreeInstances.
 * @param view The camera that renders the scene, or a raycaster.
 * @param instanceId The id of an instance, if the object is an OctreeInstances.
 * @throws {TypeError} If an argument is of another type, or the id of an instance is missing.
 * @throws {RangeError} If there is no instance with this id, or the ray has no direction.
 *
 * @example
 * ```ts
 * import { explain } from 'scene-octree/debug-three';
 * import { OctreeGroup, pick } from 'scene-octree/three';
 *
 * const group = new OctreeGroup().addTree(gltf.scene);
 * canvas.addEventListener('click', (event) => {
 *   const hit = pick(event, camera, canvas, group);
 *   if (event.altKey && hit) canvas.title = explain(hit.object, camera, hit.instanceId);
 * });
 * ```
 */
export function explain(object: Object3D, view: Camera | Raycaster, instanceId?: number): string {
  requireArguments(object, view, instanceId);
  const { text } = 'ray' in view ? explainHit(object, view, instanceId) : explainDrawing(object, view, instanceId);
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

function requireArguments(object: Object3D, view: Camera | Raycaster, instanceId: number | undefined): void {
  const where = 'explain';
  if (!isObject3D(object)) throwType(where, 'object', 'be an Object3D', object, 'pass an object of the scene');
  refuseProxy(where, 'object', object);
  const isView = typeof view === 'object' && view !== null && ('isCamera' in view || 'ray' in view);
  if (!isView) throwType(where, 'view', 'be a Camera or a Raycaster', view, 'pass the camera that you render with');
  if (object instanceof OctreeInstances) requireId(where, object, instanceId!);
  else if (instanceId !== undefined)
    throwType(where, 'object', 'be an OctreeInstances', object, 'leave out instanceId for other objects');
}

/** @internal As `explain`, for programs. */
export function explainDrawing(object: Object3D, camera: Camera, instanceId?: number): Explanation {
  const walk = new PassWalk(object, camera);
  const name = instanceId === undefined ? nameOf(object) : `the instance ${instanceId} of ${nameOf(object)}`;
  const not = (kind: Explanation['kind'], why: string, about: Explanation['about'] = [object]): Explanation => ({
    isDrawn: false,
    kind,
    about,
    text: `${name} is not drawn: ${why}`,
  });
  if (!('isScene' in walk.path[0]))
    return not('no scene', `${walk.path.length === 1 ? 'it' : nameOf(walk.path[0])} is in no scene`);
  let { end, at, listed } = walk.run();
  const notes: string[] = [];
  if (object instanceof OctreeInstances) {
    const reasons = new InstanceReasons(object, instanceId!, walk);
    if (end === 'left out' && at === object) {
      if ((object.layers.mask & camera.layers.mask) === 0) end = 'layers';
      else {
        const { level } = reasons;
        if (level < 0) {
          const { kind, text, about } = reasons.leftOut();
          return not(kind, kind === 'frustum' ? text + sphereNote(object) : text, about);
        }
        const fault = reasons.materialFault(level);
        if (fault !== null) return not('material', fault);
        end = 'drawn';
        if (object.levels.count > 1) notes.push(`at level ${level} of detail`);
        notes.push(...reasons.notes);
        if (reasons.isClippedAway(level)) notes.push(CLIPPED);
      }
    }
  }
  let batch: string | null = null;
  const group = at instanceof OctreeGroup ? at : groupAbove(walk, object);
  const reasons = group === null ? null : new GroupReasons(group, walk);
  if (end === 'left out' && !isDrawn(object) && walk.path.every(({ visible }) => visible)) end = 'nothing to draw';
  if (end === 'left out' && at instanceof OctreeGroup) {
    const isTaken = reasons!.drawnByBatch({ end, at, listed });
    const alone = reasons!.withoutBatches();
    // The last pass is that of the scene as it is.
    walk.run();
    if (alone.end === 'left out' && alone.at === at) {
      const { kind, text, about } = reasons!.leftOut();
      return not(kind, kind === 'frustum' ? text + sphereNote(object) : text, about);
    }
    ({ end, at } = alone);
    // The next update has the copy follow.
    if (end === 'material' && isTaken !== null && reasons!.isDrawnByCopy) end = 'drawn';
    if (end === 'drawn' || end === 'culled') {
      batch = isTaken;
      if (batch === null) return not('unknown', 'a pass takes it out for its batch, which does not draw it: a fault');
      end = 'drawn';
    }
  }
  switch (end) {
    case 'hidden':
      return not(end, `visible of ${at === object ? 'it' : nameOf(at)} is false`, [at]);
    case 'level':
      return not(end, `${nameOf(at.parent!)} draws another level at this distance`, [at]);
    case 'layers':
      return not(end, 'it shares no layer with the camera');
    case 'culled':
      return not(end, culledByThree(object, walk.frusta));
    case 'material':
      return not(end, 'its material is not visible');
    case 'nothing to draw':
      return not(end, `it has no geometry, and only holds ${object.children.length} other objects`);
    case 'no child':
      return not(end, `${nameOf(at)} is its parent, but does not have it among its children`, [at]);
    default:
  }
  return { isDrawn: true, kind: batch === null ? 'drawn' : 'batch', about: [object], text: drawnText() };

  function drawnText(): string {
    if (!walk.frusta.every(isValidFrustum)) notes.push('the matrices of the camera hold a NaN, so nothing is culled');
    if (batch === null) {
      if (reasons !== null) notes.push(...reasons.notes);
      else if (!(object instanceof OctreeInstances)) notes.push('it is in no OctreeGroup, so three culls it alone');
      if (!object.frustumCulled && reasons?.member === undefined && !(object instanceof OctreeInstances))
        notes.push('its frustumCulled is false');
    }
    const moved = firstMoved(walk.path);
    if (moved !== null) notes.push(movedNote(moved, object, reasons));
    const isCut = hasGeometry(object) && isClippedAway(object, object as Mesh, object.matrixWorld, walk.path[0]);
    const fault = invisibleFault(object) ?? (isCut ? CLIPPED : null);
    const how = batch === null ? (object instanceof OctreeInstances ? '' : ' on its own') : ` by ${batch}`;
    // What it needs first, and once, where another note has the same cause.
    const cause = `, because ${fault}`;
    const texts =
      fault === null ? notes : [`it shows nothing${cause}`, ...notes.map((note) => note.replace(cause, ''))];
    return `${name} is drawn${how}${texts.length === 0 ? '' : `: ${texts.join('; ')}`}`;
  }
}

const CLIPPED = 'clipping planes cut away all of it';

/** What is to be known of an object that was moved since the last update. */
function movedNote(moved: Object3D, object: Object3D, reasons: GroupReasons | null): string {
  const member = reasons?.member;
  const who = moved === object ? 'it' : nameOf(moved);
  const isStatic = member?.isStatic === true && moved !== reasons!.group;
  return isStatic
    ? `${who} is static and has moved without a report: it stays where it was until reportMove, or until it is found within 256 updates`
    : `${who} has moved since the last update, and is drawn where it was until the next one`;
}

/** The innermost group that has an object. */
function groupAbove({ path }: PassWalk, object: Object3D): OctreeGroup | null {
  const groups = path.filter((node): node is OctreeGroup => node instanceof OctreeGroup && node !== object);
  return groups.at(-1) ?? null;
}
