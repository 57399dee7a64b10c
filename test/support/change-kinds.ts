/**
 * Single changes of a scene, by kind, and when each must be found. What must be found of the bounds, the batches, the
 * occluders and the hits follows from what a plain group draws after the change (see lateness.ts); of pictures and
 * shadow maps the table says whether they change.
 */

import { materialKinds } from './material-kinds.ts';
import { meshKinds } from './mesh-kinds.ts';
import type { Kind } from './kind-of-change.ts';

/** Changes of the mesh, and of what it is drawn by. */
export const kinds: Record<string, Kind> = { ...meshKinds, ...materialKinds };

/** After these the mesh hides nothing any longer. */
const OPENING = [
  'visible',
  'removed',
  'an ancestor hidden',
  'moved out of view',
  'count',
  'static',
  'a child',
  'draw range',
  'start of the draw range',
  'morph targets',
  'onBeforeRender',
  'onAfterRender',
  'onBeforeShadow',
  'onAfterShadow',
  'material.visible',
  'material.wireframe',
  'material.transparent',
  'material.alphaTest',
  'material.alphaToCoverage',
  'material.alphaHash',
  'material.depthTest',
  'material.depthWrite',
  'material.colorWrite',
  'material.blending',
  'material.stencilWrite',
  'material.depthFunc',
  'material.transmission',
  'material.polygonOffset',
  'material.positionNode',
  'clipping planes',
  'onBeforeCompile of a material',
  'onBeforeRender of a material',
  'a displacement map',
];
/** After these the mesh has to be drawn although a wall hides it, or nothing may be hidden. */
const SHOWING_THROUGH = [
  'count',
  'static',
  'occlusionTest',
  'renderOrder',
  'renderOrder NaN',
  'frustumCulled',
  'morph targets',
  'onBeforeRender',
  'onAfterRender',
  'onBeforeShadow',
  'onAfterShadow',
  'material.wireframe',
  'material.depthTest',
  'material.depthFunc',
  'material.stencilWrite',
  'material.polygonOffset',
  'material.positionNode',
  'material.depthNode',
  'material.colorWrite',
  'material.blending',
  'onBeforeCompile of a material',
  'onBeforeRender of a material',
  'a displacement map',
];
for (const name of OPENING) kinds[name].opens = true;
for (const name of SHOWING_THROUGH) kinds[name].showsThrough = true;
