/** What moves in a tree that is otherwise static: the targets of its animations, skinned meshes and their bones. */

import { PropertyBinding, type AnimationClip, type Object3D, type SkinnedMesh } from 'three';
import { throwType } from '../../octree/input/input-checks.ts';
import { isWithin } from '../bounds/object-kinds.ts';

/** @param animations Clips for the root, beside those in `animations` of each object. */
export function movingParts(root: Object3D, animations: readonly AnimationClip[]): Set<Object3D> {
  const parts = new Set<Object3D>();
  const add = (object: Object3D | null | undefined): void => {
    if (isWithin(object ?? null, root)) parts.add(object!);
  };
  const addTargets = (from: Object3D, clips: readonly AnimationClip[]): void => {
    const names = clips.flatMap(({ tracks }) =>
      tracks.map(({ name }) => PropertyBinding.parseTrackName(name).nodeName),
    );
    // Most objects have three tracks.
    for (const name of new Set(names)) add(PropertyBinding.findNode(from, name) as Object3D | null);
  };
  addTargets(root, animations);
  root.traverse((object) => {
    addTargets(object, object.animations);
    if (!('isSkinnedMesh' in object)) return;
    add(object);
    (object as SkinnedMesh).skeleton?.bones.forEach(add);
  });
  return parts;
}

/** @throws {TypeError} If a value is no array of clips. */
export function requireClips(where: string, animations: readonly AnimationClip[]): void {
  const remedy = 'pass gltf.animations';
  if (!Array.isArray(animations))
    throwType(where, 'options.animations', 'be an array of AnimationClips', animations, remedy);
  for (const clip of animations as unknown[])
    if (!Array.isArray((clip as Partial<AnimationClip> | null)?.tracks))
      throwType(where, 'options.animations', 'hold AnimationClips only', clip, remedy);
}
