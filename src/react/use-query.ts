/**
 * Hooks: an octree of bodies, and the result of a query, taken in each frame: what a camera sees, and what is near. A
 * component renders again only when the result has changed.
 */

import { useFrame, type RootState } from '@react-three/fiber';
import { useRef, useState, type RefObject } from 'react';
import { Frustum, Matrix4, Object3D, Sphere, Vector3, type Camera } from 'three';
import type { OctreeOptions } from '../octree/bodies/options.ts';
import { Octree } from '../three-math/octree.ts';
import { IndexList } from '../tree/storage/index-list.ts';

/**
 * An octree, an object that has one (`OctreeGroup`, `OctreeInstances`), or a ref to either. While a ref is null,
 * results are empty.
 */
export type OctreeSource<T> = Octree<T> | HasOctree<T> | RefObject<Octree<T> | HasOctree<T> | null>;

/** An object with an octree. */
export interface HasOctree<T> {
  /** The octree of its children or instances. */
  readonly octree: Octree<T>;
}

/** A place, or a ref to one. While a ref is null, results are empty. */
export type PlaceSource = Place | RefObject<Place | null>;

/** Three coordinates, a vector, or an object: then its world position. */
export type Place = readonly [x: number, y: number, z: number] | Vector3 | Object3D;

/** Options of `useVisible`. */
export interface VisibleOptions {
  /** Default: the camera of the canvas. */
  readonly camera?: Camera;
}

/**
 * The data of all bodies that a camera sees: of each body whose bounds touch its frustum. For an `OctreeGroup` the data
 * are its objects, for an `OctreeInstances` the ids of its instances. The query runs in each frame; the component
 * renders again when the result has changed. Cost: one frustum query per frame, and a comparison in proportion to the
 * result.
 *
 * The bounds of the children of a group are those of the last frame. The objects in `group.unculled` are left out.
 *
 * @param source An octree or a container, or a ref to one.
 * @param options `camera`, by default that of the canvas: see `VisibleOptions`.
 * @returns An array that is never written to later, in ascending order of the bodies' indices. The same array as before
 *   if nothing has changed; empty in the first render.
 *
 * @example
 * ```tsx
 * import { useOctree, useVisible } from 'scene-octree/react';
 *
 * export function InView() {
 *   const octree = useOctree<string>();
 *   const names = useVisible(octree); // of all bodies that the camera of the canvas sees
 *   return <group name={names.join(', ')} />;
 * }
 * ```
 */
export function useVisible<T>(source: OctreeSource<T>, options: VisibleOptions = {}): readonly T[] {
  const [scratch] = useState(() => ({ frustum: new Frustum(), matrix: new Matrix4() }));
  return useResult(source, (octree, list, state) => {
    const { frustum, matrix } = scratch;
    const camera = options.camera ?? state.camera;
    camera.updateWorldMatrix(true, false);
    matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    octree.collectFrustum(frustum.setFromProjectionMatrix(matrix, camera.coordinateSystem, camera.reversedDepth), list);
  });
}

/**
 * The data of all bodies that touch a sphere around a place. The place may move: give a ref to an object, or the
 * object. Otherwise as `useVisible`.
 *
 * @param source An octree or a container, or a ref to one.
 * @param place A place in world space, an object, or a ref to one.
 * @param radius Radius in world units, from 0.
 * @throws {RangeError} In a frame, if the radius is negative or a number is not finite.
 *
 * @example
 * ```tsx
 * import { useNear, useOctree } from 'scene-octree/react';
 *
 * export function Neighbours() {
 *   const octree = useOctree<string>();
 *   const names = useNear(octree, camera, 10); // within 10 units of the camera
 *   return <group name={names.join(', ')} />;
 * }
 * ```
 */
export function useNear<T>(source: OctreeSource<T>, place: PlaceSource, radius: number): readonly T[] {
  const [sphere] = useState(() => new Sphere());
  return useResult(source, (octree, list) => {
    const at = currentOf(place);
    if (at === null) return;
    if (at instanceof Vector3) sphere.center.copy(at);
    else if (at instanceof Object3D) at.getWorldPosition(sphere.center);
    else sphere.center.set(...at);
    sphere.radius = radius;
    octree.collectSphere(sphere, list);
  });
}

/** The data of the bodies whose indices a query writes in each frame. */
function useResult<T>(
  source: OctreeSource<T>,
  collect: (octree: Octree<T>, list: IndexList, state: RootState) => void,
): readonly T[] {
  const [result, setResult] = useState<readonly T[]>([]);
  const [list] = useState(() => new IndexList());
  const newest = useRef(result);
  useFrame((state) => {
    const octree = octreeOf(source);
    list.length = 0;
    if (octree !== null) collect(octree, list, state);
    const indices = list.array.subarray(0, list.length).sort();
    const before = newest.current;
    const isSame = (index: number, k: number): boolean => Object.is(octree!.dataAt(index), before[k]);
    if (indices.length === before.length && indices.every(isSame)) return;
    newest.current = Array.from(indices, (index) => octree!.dataAt(index));
    setResult(newest.current);
  });
  return result;
}

function octreeOf<T>(source: OctreeSource<T>): Octree<T> | null {
  const owner = currentOf(source);
  return owner !== null && 'octree' in owner ? owner.octree : owner;
}

/** What a ref holds, or the value itself. */
export function currentOf<V extends object>(value: V | RefObject<V | null>): V | null {
  return 'current' in value ? value.current : value;
}

/**
 * An octree that lives as long as the component. In each frame it calls `octree.update` with the seconds since the last
 * frame. Insert bodies in effects, and remove them in the clean-up of these effects.
 *
 * @param options Options of the octree. Read when the component is mounted; later changes have no effect.
 * @returns The same octree in every render.
 * @throws {RangeError} If an option is out of its range.
 * @throws {TypeError} If an option is of the wrong type.
 *
 * @example
 * ```tsx
 * import { useEffect } from 'react';
 * import { useOctree } from 'scene-octree/react';
 *
 * export function Enemy({ x }: { x: number }) {
 *   const octree = useOctree<string>();
 *   useEffect(() => {
 *     const body = octree.insert({ center: { x, y: 0, z: 0 }, radius: 1 }, 'enemy');
 *     return () => void body.remove();
 *   }, [octree, x]);
 *   return null;
 * }
 * ```
 */
export function useOctree<T = undefined>(options?: OctreeOptions): Octree<T> {
  const [octree] = useState(() => new Octree<T>(options));
  // An application that advances the frames itself may go back in time: then the seconds are negative.
  useFrame((_, seconds) => void octree.update(Math.max(0, seconds)));
  return octree;
}
