/** The objects of a three scene, as `writeTiles` takes them. Their arrays are computed when they are read. */

import type { InstancedMesh, Material, Matrix4, Mesh, MeshStandardMaterial, Object3D, Texture, Vector3 } from 'three';
import { requireFunction, requireObject, throwType } from '../octree/input/input-checks.ts';
import { requireOptions } from '../octree/input/known-options.ts';
import { texCoordOf, type TileImage } from './materials.ts';
import type { SceneObject } from './scene-object.ts';

/** Shaped like the result of a GLTFLoader. */
export interface LoadedScene {
  /** What is written. Images come from the `parser` beside it. */
  readonly scene: Object3D;
}
/** What is read of the parser of a GLTFLoader. */
interface Parser {
  readonly json: { readonly textures?: readonly GltfTexture[]; readonly images?: readonly GltfImage[] };
  readonly associations: ReadonlyMap<object, { readonly textures?: number } | undefined>;
  readonly options: { readonly path: string };
  /** Loads a file as an ArrayBuffer. */
  readonly fileLoader: { loadAsync(url: string): Promise<unknown> };
  getDependency(type: string, index: number): Promise<unknown>;
}
interface GltfTexture {
  readonly source?: number;
  readonly extensions?: Readonly<Record<string, { readonly source?: number }>>;
}
interface GltfImage {
  readonly bufferView?: number;
  readonly mimeType?: string;
  readonly uri?: string;
}

/** How objects of a scene are named. */
export interface ObjectsOfOptions {
  /**
   * The id of a mesh, or of an instance of an InstancedMesh. Default: `userData.id`, else the place of the mesh in the
   * scene; instances add `/` and their place.
   */
  readonly id?: (mesh: Mesh, instance: number | undefined) => string | number;
}

const WHERE = 'objectsOf';
const BACK_SIDE = 1;
/** They convert numbers of 16-bit floats, which `getComponent` does not. */
const GETTERS = ['getX', 'getY', 'getZ', 'getW'] as const;
/** By the first byte of an image its type, which a glTF names only for images inside it. */
const IMAGE_TYPES: Readonly<Record<number, string>> = { 0x89: 'png', 0xff: 'jpeg', 0x52: 'webp', 0xab: 'ktx2' };

/**
 * The meshes of a scene as objects for `writeTiles`: one for each mesh, each instance and each material of a mesh.
 * Matrices, mirrored ones too, draw ranges, vertex colours and back sides are taken over. Invisible objects and what is
 * below them are left out, and so are invisible materials, points, lines and sprites, and texture coordinates that no
 * texture of the material uses. Skinned and morphed meshes are written as at rest.
 *
 * Arrays are computed when `writeTiles` reads them, so a scene takes no more memory than it has. The scene must not
 * change meanwhile.
 *
 * @param source A scene, any other object of three, or the result of a GLTFLoader, whose images are kept as they are.
 * @param options `id` names objects.
 * @throws {TypeError} If the source is no object of three, or has a BatchedMesh, whose parts cannot be read.
 *
 * @example
 * ```ts
 * import { objectsOf } from 'scene-octree/tiles';
 * import { BoxGeometry, Mesh, MeshStandardMaterial, Scene } from 'three';
 *
 * const house = Object.assign(new Mesh(new BoxGeometry(), new MeshStandardMaterial()), { name: 'house' });
 * for (const { name, id } of objectsOf(new Scene().add(house))) console.log(name, id); // prints: house 0
 * ```
 */
export function objectsOf(source: Object3D | LoadedScene, options: ObjectsOfOptions = {}): Iterable<SceneObject> {
  requireObject(WHERE, 'source', source, 'pass a scene, or the result of a GLTFLoader');
  requireOptions(WHERE, options, ['id']);
  requireFunction(WHERE, 'options.id', options.id);
  const root = 'scene' in source ? source.scene : source;
  if (!root?.isObject3D)
    throwType(WHERE, 'source', 'be an object of three', source, 'pass a scene, or the result of a GLTFLoader');
  root.updateWorldMatrix(true, true);
  const { parser } = source as { parser?: Parser };
  const meshes: Mesh[] = [];
  const visit = (node: Object3D): void => {
    if (!node.visible) return;
    if ('isBatchedMesh' in node)
      throwType(WHERE, 'source', 'have no BatchedMesh', node, 'write the meshes that it was made of');
    if ((node as Mesh).isMesh && (node as Mesh).geometry?.attributes.position) meshes.push(node as Mesh);
    node.children.forEach(visit);
  };
  visit(root);
  return partsOf(meshes, options, parser && imagesOf(parser));
}

function* partsOf(
  meshes: readonly Mesh[],
  options: ObjectsOfOptions,
  encodeImage: SceneObject['encodeImage'],
): Generator<SceneObject> {
  let place = 0;
  for (const mesh of meshes) {
    const base = (mesh.userData.id as string | number | undefined) ?? place++;
    const count = (mesh as InstancedMesh).isInstancedMesh ? (mesh as InstancedMesh).count : undefined;
    const parts = Array.isArray(mesh.material)
      ? mesh.geometry.groups.map(({ start, count: length, materialIndex }) => ({
          start,
          length,
          material: (mesh.material as (Material | null | undefined)[])[materialIndex!],
        }))
      : [{ start: 0, length: Infinity, material: mesh.material }];
    // A container of this library: ids may be free, or hidden.
    const shown = mesh as { has?(id: number): boolean; getVisibleAt?(id: number): boolean };
    for (let at = 0; at < (count ?? 1); at++) {
      if (shown.has !== undefined && !(shown.has(at) && shown.getVisibleAt!(at))) continue;
      const instance = count === undefined ? undefined : at;
      const id = options.id?.(mesh, instance) ?? (instance === undefined ? base : `${base}/${instance}`);
      for (const { start, length, material } of parts)
        // three draws no group whose material is missing or invisible.
        if (material?.visible)
          yield new MeshObject({ node: mesh, instance, id, material, start, count: length, encodeImage });
    }
  }
}

/** A mesh, or an instance, or the part of it that has one material. */
interface MeshPart {
  readonly node: Mesh;
  readonly instance: number | undefined;
  readonly id: string | number;
  readonly material: Material;
  readonly start: number;
  readonly count: number;
  readonly encodeImage: SceneObject['encodeImage'];
}

/**
 * The name of a mesh; of GLTFLoader the one in the file. The loader leaves out letters such as dots, appends numbers to
 * equal names, and keeps the name in `userData`. A mesh that has got another name since then has that one.
 */
function nameOf({ name, userData }: Mesh): string {
  const { name: inFile } = userData as { readonly name?: unknown };
  if (typeof inFile !== 'string') return name;
  // As `PropertyBinding.sanitizeNodeName`: this entry point imports nothing of three.
  const cleaned = inFile.replace(/\s/g, '_').replace(/[[\].:/]/g, '');
  return name.startsWith(cleaned) && /^(?:_\d+)?$/.test(name.slice(cleaned.length)) ? inFile : name;
}

class MeshObject implements SceneObject {
  readonly name: string;
  readonly id: string | number;
  readonly material: Material;
  readonly encodeImage: SceneObject['encodeImage'];
  private readonly part: MeshPart;

  constructor(part: MeshPart) {
    this.name = nameOf(part.node);
    this.id = part.id;
    this.material = part.material;
    this.encodeImage = part.encodeImage;
    this.part = part;
  }

  get positions(): Float64Array {
    const matrix = this.matrix();
    return this.vectors('position', (vector) => vector.applyMatrix4(matrix))!;
  }

  get normals(): Float64Array | null {
    const { flatShading, side } = this.material as MeshStandardMaterial;
    if (flatShading) return null;
    const matrix = this.part.node.normalMatrix.clone().getNormalMatrix(this.matrix());
    const sign = side === BACK_SIDE ? -1 : 1;
    return this.vectors('normal', (vector) => vector.applyNormalMatrix(matrix).multiplyScalar(sign));
  }

  get uvs(): Float64Array | null {
    return this.plain('uv', 0);
  }

  get uvs1(): Float64Array | null {
    return this.plain('uv1', 1);
  }

  /** Colours of vertices times that of the instance. */
  get colors(): Float64Array | null {
    const { instance, node } = this.part;
    const colors = this.material.vertexColors ? this.plain('color') : null;
    const { instanceColor } = node as InstancedMesh;
    if (instance === undefined || !instanceColor) return colors;
    const own = [...GETTERS.slice(0, 3).map((get) => instanceColor[get](instance)), 1];
    const { position, color } = node.geometry.attributes;
    const size = colors === null ? 3 : color.itemSize;
    return Float64Array.from({ length: size * position.count }, (_, at) => (colors?.[at] ?? 1) * own[at % size]);
  }

  get index(): Uint32Array {
    const { node, start, count } = this.part;
    const { attributes, index, drawRange } = node.geometry;
    const most = index?.count ?? attributes.position.count;
    const begin = Math.max(start, drawRange.start);
    const end = Math.min(start + count, drawRange.start + drawRange.count, most);
    const length = Math.max(0, end - begin);
    const corners = Uint32Array.from({ length: length - (length % 3) }, (_, k) =>
      index === null ? begin + k : index.getComponent(begin + k, 0),
    );
    const isMirrored = this.matrix().determinant() < 0;
    if (isMirrored !== (this.material.side === BACK_SIDE))
      for (let k = 0; k < corners.length; k += 3) corners.subarray(k + 1, k + 3).reverse();
    return corners;
  }

  /** From the geometry to the scene. Matrices and vectors are made from those of the mesh: three is not imported. */
  private matrix(): Matrix4 {
    const { node, instance } = this.part;
    const world = node.matrixWorld.clone();
    if (instance === undefined) return world;
    const own = node.matrix.clone();
    (node as InstancedMesh).getMatrixAt(instance, own);
    return world.multiply(own);
  }

  private vectors(name: string, transform: (vector: Vector3) => Vector3): Float64Array | null {
    const { geometry, position } = this.part.node;
    const attribute = geometry.attributes[name];
    if (!attribute) return null;
    const values = new Float64Array(3 * attribute.count);
    const vector = position.clone();
    for (let k = 0; k < attribute.count; k++)
      transform(vector.fromBufferAttribute(attribute, k)).toArray(values, 3 * k);
    return values;
  }

  /** @param channel Of textures; null if the material has none of it. */
  private plain(name: string, channel?: number): Float64Array | null {
    const attribute = this.part.node.geometry.attributes[name];
    const isUsed = (one: Texture | null): boolean => one?.isTexture === true && texCoordOf(one) === channel;
    if (!attribute || (channel !== undefined && !Object.values(this.material).some(isUsed))) return null;
    const { count, itemSize } = attribute;
    return Float64Array.from({ length: count * itemSize }, (_, at) =>
      attribute[GETTERS[at % itemSize]](Math.floor(at / itemSize)),
    );
  }
}

/** The address of a file by the rules of `LoaderUtils.resolveURL`, for three is not imported. */
const resolved = (uri: string, path: string): string =>
  /^(data:|blob:|(https?:)?\/\/)/i.test(uri)
    ? uri
    : (uri.startsWith('/') ? path.replace(/^(https?:\/\/[^/]+).*/i, '$1') : path) + uri;

/** Gives the images of a loaded file as they stand in it. */
function imagesOf(parser: Parser): (texture: Texture) => Promise<TileImage> {
  const { json, associations, options, fileLoader } = parser;
  const bySource = new Map<unknown, number>();
  for (const [texture, reference] of associations)
    if (reference?.textures !== undefined) bySource.set((texture as Texture).source, reference.textures);
  return async (texture) => {
    const place = bySource.get(texture.source);
    const { source, extensions = {} } = json.textures?.[place ?? -1] ?? {};
    const image =
      json.images?.[Object.values(extensions).find((one) => one.source !== undefined)?.source ?? source ?? -1];
    if (image === undefined) throwType(WHERE, 'a texture', 'be of the file', texture, 'pass options.encodeImage');
    const { bufferView, uri = '', mimeType } = image;
    const buffer = await (bufferView === undefined
      ? fileLoader.loadAsync(resolved(uri, options.path))
      : parser.getDependency('bufferView', bufferView));
    const bytes = new Uint8Array(buffer as ArrayBuffer);
    return { bytes, mimeType: mimeType ?? `image/${IMAGE_TYPES[bytes[0]]}` };
  };
}
