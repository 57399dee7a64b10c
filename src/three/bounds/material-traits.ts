/**
 * What a material does beyond drawing opaque triangles where the geometry says: one word with a bit for each trait.
 * Each rule about materials is a mask of it. Of several materials, any may have a trait.
 */

import {
  BackSide,
  EqualDepth,
  FrontSide,
  LessDepth,
  LessEqualDepth,
  Material,
  NeverDepth,
  NoBlending,
  NormalBlending,
  ObjectSpaceNormalMap,
} from 'three';
import { isNodeMaterialOfThree } from './object-kinds.ts';

export const TRANSPARENT = 1 << 0;
export const TRANSMITS = 1 << 1;
export const INVISIBLE = 1 << 2;
export const BLENDS = 1 << 3;
export const NO_COLOR = 1 << 4;
export const NO_DEPTH_TEST = 1 << 5;
export const NO_DEPTH_WRITE = 1 << 6;
/** LessDepth. */
export const TESTS_LESS = 1 << 7;
/** NeverDepth or EqualDepth: such a test never writes farther depths. */
export const TESTS_EQUAL = 1 << 8;
/** A depth test that may write farther depths. */
export const TESTS_FARTHER = 1 << 9;
export const STENCIL = 1 << 10;
export const OFFSET = 1 << 11;
export const WIREFRAME = 1 << 12;
export const ALPHA_TEST = 1 << 13;
export const ALPHA_MAP = 1 << 14;
export const ALPHA_HASH = 1 << 15;
export const COVERAGE = 1 << 16;
export const CLIPS = 1 << 17;
/** A ShaderMaterial, or `onBeforeCompile`. */
export const OWN_SHADER = 1 << 18;
/** Draws vertices elsewhere than the geometry says. */
export const MOVES_VERTICES = 1 << 19;
/** `onBeforeRender` of the material. */
export const CALLS = 1 << 20;
export const OBJECT_NORMALS = 1 << 21;
export const NODE_MATERIAL = 1 << 22;
/** A node material of another class than those of three for meshes: it may discard fragments, or write other depths. */
export const OWN_CLASS = 1 << 23;
export const DEPTH_NODE = 1 << 24;
/** A field is a shader node, which may discard fragments or depend on time. Also of a classic material. */
export const NODES = 1 << 25;
/** A field is a function. */
export const FUNCTIONS = 1 << 26;
/** A node material, or its class, overrides methods of the class of three, which build its shader. */
export const OVERRIDES = 1 << 27;
/** Only back faces are drawn. */
export const BACK = 1 << 28;
/** Both faces are drawn. */
export const DOUBLE = 1 << 29;
export const VERTEX_COLORS = 1 << 30;

/** By bit: the trait in words, as the reason why an object is not merged, not hidden or no occluder. */
const REASONS = [
  'transparent: drawn by distance',
  'transmission: drawn by distance',
  'an invisible material',
  'blending: the order of drawing shows',
  'no colour is written: the order of drawing shows',
  'no depth test: the order of drawing shows',
  'no depth is written: the order of drawing shows',
  'LessDepth: the order of drawing shows',
  'a depth test for equal depths: the order of drawing shows',
  'a depth test for farther depths: the order of drawing shows',
  'a stencil: the order of drawing shows',
  'a polygon offset',
  'wireframe',
  'an alpha test',
  'an alpha map',
  'alphaHash',
  'alphaToCoverage',
  'clipping planes',
  'shader code',
  'vertices that a shader moves',
  'a callback of the material',
  'a normal map in the space of the object',
  'a node material',
  'a class of node materials of its own',
  'a depthNode',
  'shader nodes',
  'fields that are functions',
  'a node material with methods of its own',
  'only back faces are drawn',
  'both faces are drawn',
  'vertex colours',
] as const;

/** The trait with the lowest bit, in words; null if there is none. */
export function reasonOf(traits: number): string | null {
  return traits === 0 ? null : REASONS[31 - Math.clz32(traits & -traits)];
}

// Rules.

/** May draw beyond the box around the vertices: moves vertices, or calls code of the user that may move the object. */
export const BEYOND_BOX = OWN_SHADER | MOVES_VERTICES | CALLS;
/** Its textures decide which of its fragments are drawn, also into shadow maps. */
export const CUT = ALPHA_TEST | ALPHA_HASH | COVERAGE;
/** Its fields do not show all changes of a shadow map. A shader node may depend on time. */
export const UNKNOWN_CASTER = OWN_SHADER | NODE_MATERIAL | NODES;
/** As `UNKNOWN_CASTER`, of a picture. */
export const UNKNOWN_LOOK = UNKNOWN_CASTER | CALLS;
/** Drawn with transparent materials, or not at all. */
export const NOT_OPAQUE = TRANSPARENT | TRANSMITS | INVISIBLE;
/** An opaque material with any of these shows what is drawn before it and after it. */
export const SHOWS_OPAQUE_ORDER =
  BLENDS | NO_COLOR | NO_DEPTH_TEST | NO_DEPTH_WRITE | TESTS_LESS | TESTS_EQUAL | TESTS_FARTHER | STENCIL;
/** The order of overlapping instances shows although their depths differ. */
export const SHOWS_ORDER = (SHOWS_OPAQUE_ORDER & ~NO_COLOR) | TRANSPARENT | TRANSMITS | COVERAGE;
/**
 * A mesh is drawn on its own: in a certain order, by other means than triangles, or by a shader that may read more of
 * it than its vertices in the space of the group.
 */
export const NOT_MERGEABLE =
  NOT_OPAQUE | SHOWS_OPAQUE_ORDER | BEYOND_BOX | WIREFRAME | ALPHA_HASH | COVERAGE | OBJECT_NORMALS | NODES | OVERRIDES;
/** Decides whether meshes are merged, and by which attributes. */
export const DECIDES_MERGING = NOT_MERGEABLE | VERTEX_COLORS;
/** Must not be hidden: drawn over what is nearer, elsewhere than the bounds, or by user code. */
export const NOT_HIDEABLE =
  BEYOND_BOX | NO_DEPTH_TEST | TESTS_EQUAL | TESTS_FARTHER | STENCIL | OFFSET | WIREFRAME | OWN_CLASS | DEPTH_NODE;
/** Hides nothing: must not be hidden, has holes, or writes no depth or no opaque colour. */
export const NOT_SOLID =
  NOT_HIDEABLE | NOT_OPAQUE | CUT | BLENDS | NO_COLOR | NO_DEPTH_WRITE | CLIPS | NODES | FUNCTIONS;

/** The fields of all kinds of materials that decide on traits. */
interface AnyMaterial extends Material, Partial<Record<(typeof VERTEX_STAGE)[number], unknown>> {
  readonly alphaMap?: unknown;
  readonly displacementMap?: unknown;
  readonly isNodeMaterial?: boolean;
  readonly isShaderMaterial?: boolean;
  /** The material that WebGPURenderer makes for shadow maps. Its `contextNode` moves no vertices. */
  readonly isShadowPassMaterial?: boolean;
  readonly normalMap?: unknown;
  readonly normalMapType?: number;
  readonly transmission?: number;
  readonly wireframe?: boolean;
  readonly [node: `${string}Node`]: unknown;
}

type Materials = Material | readonly Material[] | null | undefined;

/** All traits of a material, or of any of several. An array may have gaps. 0.03 to 0.4 us. */
export function traitsOf(material: Materials): number {
  return anyOf(material, allTraitsOf);
}

/**
 * Whether a material may draw an object beyond the box around its vertices: it moves vertices, or calls code of the
 * user that may move the object.
 */
export function refusesBox(material: Materials): boolean {
  return anyOf(material, vertexTraitsOf) !== 0;
}

/** The traits that are read from plain fields: none of shader code, vertices and nodes. */
export function fieldTraitsOf(material: Materials): number {
  return anyOf(material, plainTraitsOf);
}

function anyOf(material: Materials, read: (material: AnyMaterial) => number): number {
  if (material === null || material === undefined) return 0;
  if (!Array.isArray(material)) return read(material as unknown as AnyMaterial);
  let traits = 0;
  for (const each of material as readonly (AnyMaterial | null | undefined)[]) if (each) traits |= read(each);
  return traits;
}

function allTraitsOf(material: AnyMaterial): number {
  return plainTraitsOf(material) | vertexTraitsOf(material) | shaderTraitsOf(material);
}

function plainTraitsOf(material: AnyMaterial): number {
  const { blending, depthFunc, side } = material;
  let traits = 0;
  if (material.transparent) traits |= TRANSPARENT;
  if (material.transmission! > 0) traits |= TRANSMITS;
  if (!material.visible) traits |= INVISIBLE;
  if (blending !== NormalBlending && blending !== NoBlending) traits |= BLENDS;
  if (!material.colorWrite) traits |= NO_COLOR;
  if (!material.depthTest) traits |= NO_DEPTH_TEST;
  if (!material.depthWrite) traits |= NO_DEPTH_WRITE;
  if (depthFunc !== LessEqualDepth) traits |= depthTraitOf(depthFunc);
  if (material.stencilWrite) traits |= STENCIL;
  if (material.polygonOffset) traits |= OFFSET;
  if (material.wireframe) traits |= WIREFRAME;
  if (material.alphaTest > 0) traits |= ALPHA_TEST;
  if (material.alphaMap) traits |= ALPHA_MAP;
  if (material.alphaHash) traits |= ALPHA_HASH;
  if (material.alphaToCoverage) traits |= COVERAGE;
  if (material.clippingPlanes?.length) traits |= CLIPS;
  if (material.normalMap && material.normalMapType === ObjectSpaceNormalMap) traits |= OBJECT_NORMALS;
  if (material.isNodeMaterial) traits |= NODE_MATERIAL;
  if (material.depthNode) traits |= DEPTH_NODE;
  if (material.vertexColors) traits |= VERTEX_COLORS;
  if (side !== FrontSide) traits |= side === BackSide ? BACK : DOUBLE;
  return traits;
}

function depthTraitOf(depthFunc: number): number {
  if (depthFunc === LessDepth) return TESTS_LESS;
  return depthFunc === NeverDepth || depthFunc === EqualDepth ? TESTS_EQUAL : TESTS_FARTHER;
}

// Vertices.

/** The methods of a node material that build its vertex stage. A subclass may override them. */
const VERTEX_STAGE = ['setupVertex', 'setupPosition', 'setupPositionView', 'setupModelViewProjection'] as const;

/** By prototype: whether a class of node materials has its own vertex stage. */
const ownVertexStages = /* @__PURE__ */ new WeakMap<object, boolean>();

/** Those in `BEYOND_BOX`. */
function vertexTraitsOf(material: AnyMaterial): number {
  // All but the first are of node materials, the last for shadow maps.
  const { displacementMap, positionNode, vertexNode, geometryNode, castShadowPositionNode } = material;
  const { prototype } = Material;
  let traits = 0;
  if (material.isShaderMaterial === true || material.onBeforeCompile !== prototype.onBeforeCompile)
    traits |= OWN_SHADER;
  if (material.onBeforeRender !== prototype.onBeforeRender) traits |= CALLS;
  const moves =
    isSet(displacementMap ?? positionNode ?? vertexNode ?? geometryNode ?? castShadowPositionNode) ||
    // May replace nodes that place vertices.
    (isSet(material.contextNode) && material.isShadowPassMaterial !== true) ||
    (material.isNodeMaterial === true && hasOwnVertexStage(material));
  return moves ? traits | MOVES_VERTICES : traits;
}

/**
 * Whether the class of a node material overrides a method of NodeMaterial, the class right below Material. NodeMaterial
 * is found by that place, because an import would add all of WebGPURenderer to every bundle.
 */
function hasOwnVertexStage(material: AnyMaterial): boolean {
  const prototype = Object.getPrototypeOf(material) as object;
  let isOwn = ownVertexStages.get(prototype);
  if (isOwn === undefined) {
    let base = prototype;
    for (let next = base; next !== Material.prototype && next !== null; next = Object.getPrototypeOf(next) as object)
      base = next;
    isOwn = VERTEX_STAGE.some((name) => (prototype as AnyMaterial)[name] !== (base as AnyMaterial)[name]);
    ownVertexStages.set(prototype, isOwn);
  }
  return isOwn;
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

// Shader nodes and methods.

/**
 * The nodes that every node material may have. WebGPURenderer reads them of classic materials too. Set before the first
 * shader is built, they need no new version, so they are read each time; other fields only with a new version.
 */
function hasSharedNode(m: AnyMaterial): boolean {
  return isSet(
    m.alphaTestNode ??
      m.aoNode ??
      m.backdropAlphaNode ??
      m.backdropNode ??
      m.castShadowNode ??
      m.castShadowPositionNode ??
      m.colorNode ??
      m.contextNode ??
      m.depthNode ??
      m.emissiveNode ??
      m.envNode ??
      m.fragmentNode ??
      m.geometryNode ??
      m.lightsNode ??
      m.maskNode ??
      m.maskShadowNode ??
      m.mrtNode ??
      m.normalNode ??
      m.opacityNode ??
      m.outputNode ??
      m.positionNode ??
      m.receivedShadowNode ??
      m.receivedShadowPositionNode ??
      m.vertexNode,
  );
}

/** What a search of all fields has found, by material and version. */
interface FieldSearch {
  readonly version: number;
  readonly traits: number;
}

const searches = /* @__PURE__ */ new WeakMap<Material, FieldSearch>();

function shaderTraitsOf(material: AnyMaterial): number {
  const { version } = material;
  let search = searches.get(material);
  if (search?.version !== version) searches.set(material, (search = { version, traits: searchFields(material) }));
  return hasSharedNode(material) ? search.traits | NODES : search.traits;
}

/** About 2 us. */
function searchFields(material: AnyMaterial): number {
  let traits = 0;
  for (const name in material) {
    const value: unknown = Reflect.get(material, name);
    if (typeof value === 'function') traits |= FUNCTIONS;
    else if ((value as { isNode?: boolean } | null | undefined)?.isNode) traits |= NODES;
  }
  if (!material.isNodeMaterial) return traits;
  if (!isNodeMaterialOfThree(material.constructor)) traits |= OWN_CLASS;
  return overridesMethods(material) ? traits | OVERRIDES : traits;
}

/** Methods of materials that have no effect on a shader. */
const HARMLESS_METHODS: readonly string[] = ['constructor', 'copy', 'clone', 'dispose', 'toJSON'];

/**
 * Whether a node material, or a class of the user that it belongs to, overrides methods of the class of three: they
 * build its shader.
 */
function overridesMethods(material: object): boolean {
  const own: object[] = [];
  let base = material;
  while (!isClassOfThree(base)) {
    own.push(base);
    const next = Object.getPrototypeOf(base) as object | null;
    // A class that only looks like one of three.
    if (next === null) return true;
    base = next;
  }
  return own.some((object) =>
    Object.entries(Object.getOwnPropertyDescriptors(object)).some(
      ([name, { value }]) => typeof value === 'function' && name in base && !HARMLESS_METHODS.includes(name),
    ),
  );
}

/** Whether an object is the prototype of a node material of three. */
function isClassOfThree(object: object): boolean {
  return Object.hasOwn(object, 'constructor') && isNodeMaterialOfThree(object.constructor);
}
