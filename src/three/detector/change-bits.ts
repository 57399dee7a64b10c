/**
 * What has changed of a member of a container, as bits. The bits up to KIND are also those of the word of an object
 * (`wordOf`): a bit of it that differs is the change.
 */

/** It is visible. So are its ancestors below the container. */
export const SHOWN = 1 << 0;
/** It is visible and casts shadows. */
export const CASTS = 1 << 1;
/** It is visible and receives shadows. */
export const RECEIVES = 1 << 2;
/** Draw callbacks are set. */
export const CALLS = 1 << 3;
/** It has a material of its own for shadow maps. */
export const OWN_DEPTH = 1 << 4;
/** Its class, children, number of instances, or how it is culled or placed. */
export const KIND = 1 << 5;
/** The mask of its layers. */
export const LAYERS = 1 << 6;
export const ORDER = 1 << 7;
/** Its bounds, or a matrix within the same bounds. */
export const PLACE = 1 << 8;
/** Another geometry. */
export const GEOMETRY = 1 << 9;
/** The vertices of its geometry. */
export const VERTICES = 1 << 10;
/** Other attributes, the index, the draw range, the groups or indirect draws of its geometry. */
export const ATTRIBUTES = 1 << 11;
/** The bounding sphere of its geometry. */
export const SPHERE = 1 << 12;
/** Another material, or element of an array of materials. */
export const MATERIAL = 1 << 13;
/** The traits of a material, see material-traits.ts. */
export const TRAITS = 1 << 14;
/** Among them those that decide on the bounds. */
export const BOX = 1 << 15;
/** The colour of a material, or another value by which three multiplies a texture. */
export const VALUES = 1 << 16;
/** Any other field of a material, and what its textures hold. */
export const LOOK = 1 << 17;
/** What a material draws into a shadow map. */
export const CASTER = 1 << 18;
/** Whether values show all changes of a resource. */
export const UNKNOWN = 1 << 19;

/** The bounds have to be computed again. */
export const NEW_BOUNDS = CALLS | OWN_DEPTH | KIND | GEOMETRY | VERTICES | SPHERE | MATERIAL | BOX;
