/** Which part of an object clipping planes have cut away, as renderers decide it for each pixel. */

import type { Intersection, Material, Object3D, Plane } from 'three';
import { throwType } from '../../octree/input/input-checks.ts';

/** A renderer: a WebGLRenderer has planes and a switch, a WebGPURenderer clips by ClippingGroups only. */
export interface ClippingRenderer {
  /** The canvas. Not read. */
  readonly domElement: unknown;
  /** Of WebGLRenderer: planes that clip the whole scene. */
  readonly clippingPlanes?: readonly Plane[];
  /** Of WebGLRenderer: whether it reads the `clippingPlanes` of materials. */
  readonly localClippingEnabled?: boolean;
}

/** What a ClippingGroup of three/webgpu has. */
interface ClippingGroupLike {
  readonly isClippingGroup: boolean;
  readonly enabled: boolean;
  readonly clipIntersection: boolean;
  readonly clippingPlanes: readonly Plane[];
}

/** The planes that clip an object. A point is behind a plane if its distance is negative. */
export interface ClippingPlanes {
  /** A point behind any of them is cut away. */
  readonly any: readonly Plane[];
  /** A point behind all of them is cut away (`clipIntersection`). */
  readonly all: readonly Plane[];
}

/** @throws {TypeError} If the renderer is no object. */
export function requireRenderer(where: string, renderer: ClippingRenderer | undefined): void {
  if (renderer === undefined || (typeof renderer === 'object' && (renderer as unknown) !== null)) return;
  throwType(where, 'options.renderer', 'be a renderer', renderer, 'pass the one that draws the element');
}

/**
 * The planes that clip an object with a material.
 *
 * @param renderer Undefined: the planes of materials and of ClippingGroups count.
 */
export function clippingPlanesOf(
  object: Object3D | null,
  material: Material | null | undefined,
  renderer: ClippingRenderer | undefined,
): ClippingPlanes {
  const isWebGl = renderer?.localClippingEnabled !== undefined;
  // An array of materials may have gaps.
  if (material && isNeverClipped(material, isWebGl)) return { any: [], all: [] };
  const any = [...(renderer?.clippingPlanes ?? [])];
  const all: Plane[] = [];
  if (renderer === undefined || renderer.localClippingEnabled === true)
    (material?.clipIntersection === true ? all : any).push(...(material?.clippingPlanes ?? []));
  for (let node: Object3D | null = isWebGl ? null : object; node !== null; node = node.parent) {
    const group = node as Object3D & Partial<ClippingGroupLike>;
    if (group.isClippingGroup === true && group.enabled === true)
      (group.clipIntersection === true ? all : any).push(...group.clippingPlanes!);
  }
  return { any, all };
}

/**
 * Whether the shader of a material reads no planes: a ShaderMaterial must ask for them; only WebGLRenderer draws one.
 */
function isNeverClipped(material: Material & { clipping?: boolean }, isWebGl: boolean): boolean {
  return 'isShaderMaterial' in material ? material.clipping !== true : isWebGl && 'isShadowMaterial' in material;
}

/** Whether a hit is cut away. */
export function isHitClipped({ object, face, point }: Intersection, renderer: ClippingRenderer | undefined): boolean {
  const material = materialsOf(object)[face?.materialIndex ?? 0];
  const { any, all } = clippingPlanesOf(object, material, renderer);
  const isBehind = (plane: Plane): boolean => plane.distanceToPoint(point) < 0;
  return any.some(isBehind) || (all.length > 0 && all.every(isBehind));
}

/** The materials of an object; empty for an object without. */
export function materialsOf(object: Object3D): Material[] {
  const { material } = object as { material?: Material | Material[] };
  return [material ?? []].flat();
}
