/** Materials and textures of three as glTF writes them. Equal materials are one, and an image is one file. */

import type { Material, Texture } from 'three';
import { isObject, throwRange, throwType } from '../octree/input/input-checks.ts';
import type { GlbBuilder, Json } from './glb.ts';

/** An encoded image. */
export interface TileImage {
  /** A file of the type below. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** `image/png`, `image/jpeg`, `image/webp` or `image/ktx2`. */
  readonly mimeType: string;
}

type Values = Readonly<Record<string, unknown>>;
/** Encodes the image of a texture. */
export type EncodeImage = (texture: Texture) => Promise<TileImage>;

/** Fields of an extension: the name in glTF, the field of three, and the value that is not written. */
type Field = readonly [name: string, field: string, standard?: number | readonly number[]];
const WHITE = [1, 1, 1];
const BLACK = [0, 0, 0];
const EXTENSIONS: Readonly<Record<string, readonly Field[]>> = {
  KHR_materials_emissive_strength: [['emissiveStrength', 'emissiveIntensity', 1]],
  KHR_materials_ior: [['ior', 'ior', 1.5]],
  KHR_materials_specular: [
    ['specularFactor', 'specularIntensity', 1],
    ['specularColorFactor', 'specularColor', WHITE],
    ['specularTexture', 'specularIntensityMap'],
    ['specularColorTexture', 'specularColorMap'],
  ],
  KHR_materials_clearcoat: [
    ['clearcoatFactor', 'clearcoat', 0],
    ['clearcoatRoughnessFactor', 'clearcoatRoughness', 0],
    ['clearcoatTexture', 'clearcoatMap'],
    ['clearcoatRoughnessTexture', 'clearcoatRoughnessMap'],
    ['clearcoatNormalTexture', 'clearcoatNormalMap'],
  ],
  KHR_materials_iridescence: [
    ['iridescenceFactor', 'iridescence', 0],
    ['iridescenceIor', 'iridescenceIOR', 1.3],
    ['iridescenceTexture', 'iridescenceMap'],
    ['iridescenceThicknessTexture', 'iridescenceThicknessMap'],
  ],
  KHR_materials_transmission: [
    ['transmissionFactor', 'transmission', 0],
    ['transmissionTexture', 'transmissionMap'],
  ],
  KHR_materials_volume: [
    ['thicknessFactor', 'thickness', 0],
    ['attenuationDistance', 'attenuationDistance', Infinity],
    ['attenuationColor', 'attenuationColor', WHITE],
    ['thicknessTexture', 'thicknessMap'],
  ],
  KHR_materials_sheen: [
    ['sheenColorFactor', 'sheenColor', BLACK],
    ['sheenRoughnessFactor', 'sheenRoughness', 0],
    ['sheenColorTexture', 'sheenColorMap'],
    ['sheenRoughnessTexture', 'sheenRoughnessMap'],
  ],
  KHR_materials_anisotropy: [
    ['anisotropyStrength', 'anisotropy', 0],
    ['anisotropyRotation', 'anisotropyRotation', 0],
    ['anisotropyTexture', 'anisotropyMap'],
  ],
  KHR_materials_dispersion: [['dispersion', 'dispersion', 0]],
};

/** Constants of WebGL, in the order of those of three: from 1000 on, and from 1003 on. */
const WRAPPING = [10497, 33071, 33648];
const FILTERS = [9728, 9984, 9986, 9729, 9985, 9987];
const DOUBLE_SIDE = 2;
/** By type of an image the ending of its file, and the extension that allows it. */
const IMAGES: Readonly<Record<string, readonly [ending: string, extension?: string] | undefined>> = {
  'image/png': ['png'],
  'image/jpeg': ['jpg'],
  'image/webp': ['webp', 'EXT_texture_webp'],
  'image/ktx2': ['ktx2', 'KHR_texture_basisu'],
};

/** Gives the index of a texture in a file, or notes that a file uses an extension. */
interface Target {
  textureOf(texture: Texture): number;
  use(extension: string): void;
}

const colorOf = (value: unknown): number[] => {
  const { r, g, b } = value as { r: number; g: number; b: number };
  return [r, g, b];
};
const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The set of texture coordinates that a texture is written with. */
export function texCoordOf({ channel }: Texture): number {
  return channel === 1 ? 1 : 0;
}

/** A texture as a material names it. */
function textureInfo(texture: Texture, target: Target): Json {
  const { flipY, rotation, repeat } = texture;
  const info: Json = { index: target.textureOf(texture), texCoord: texCoordOf(texture) || undefined };
  // three turns and scales around a centre: the last column has its offset.
  texture.updateMatrix();
  const [x, y] = [texture.matrix.elements[6], texture.matrix.elements[7]];
  // With flipY the image begins at the bottom; in glTF always at the top.
  const place = flipY
    ? { offset: [x, 1 - y], scale: [repeat.x, -repeat.y] }
    : { offset: [x, y], scale: [repeat.x, repeat.y] };
  if (isEqual(place, { offset: [0, 0], scale: [1, 1] }) && rotation === 0) return info;
  target.use('KHR_texture_transform');
  return { ...info, extensions: { KHR_texture_transform: { ...place, ...(rotation !== 0 && { rotation }) } } };
}

/** A material in the words of glTF. */
function materialJson(material: Material, target: Target): Json {
  const values = material as unknown as Values;
  const map = (field: string, more: Json = {}): Json | undefined => {
    const texture = values[field] as Texture | null | undefined;
    return texture ? { ...textureInfo(texture, target), ...more } : undefined;
  };
  const scaleOf = (field: string): Json => {
    const scale = values[field] as { x: number } | undefined;
    return scale === undefined || scale.x === 1 ? {} : { scale: scale.x };
  };
  const isLit = material.type !== 'MeshBasicMaterial';
  const [rough, metal] = [values.roughnessMap, values.metalnessMap] as (Texture | null | undefined)[];
  if (rough && metal && rough.source !== metal.source)
    throwRange(
      'writeTiles',
      `metalnessMap and roughnessMap of material ${JSON.stringify(material.name ?? '')}`,
      'be one texture',
      'two',
      'merge them: roughness is the green channel, metalness the blue one',
    );
  const opacity = (values.opacity as number | undefined) ?? 1;
  const isTransparent = values.transparent === true;
  const cutoff = (values.alphaTest as number | undefined) ?? 0;
  const extensions: Json = {};
  for (const [extension, fields] of Object.entries(EXTENSIONS)) {
    // Fields without effect: those after a factor that is 0 or, of a MeshStandardMaterial, missing.
    const [[, first, without]] = fields;
    if (without === 0 ? !values[first] : extension === 'KHR_materials_sheen' && !values.sheen) continue;
    const written: Json = {};
    for (const [name, field, standard] of fields) {
      const value = values[field];
      if (value === undefined || value === null) continue;
      if (standard === undefined) {
        written[name] = map(field, field === 'clearcoatNormalMap' ? scaleOf('clearcoatNormalScale') : {});
        continue;
      }
      let number = typeof value === 'object' ? colorOf(value) : (value as number);
      if (field === 'sheenColor') number = (number as number[]).map((part) => part * (values.sheen as number));
      if (!isEqual(number, standard)) written[name] = number;
    }
    if (extension === 'KHR_materials_iridescence') {
      // Before three 0.187 they were an array, which warns since.
      const { iridescenceThicknessMinimum: least, iridescenceThicknessMaximum: most } = values;
      const [low, high] = least === undefined ? (values.iridescenceThicknessRange as number[]) : [least, most];
      Object.assign(written, { iridescenceThicknessMinimum: low, iridescenceThicknessMaximum: high });
    }
    if (Object.keys(written).length > 0) extensions[extension] = written;
  }
  const emissive = isLit && values.emissive ? colorOf(values.emissive) : BLACK;
  if (isEqual(emissive, BLACK)) delete extensions.KHR_materials_emissive_strength;
  if (!isLit) extensions.KHR_materials_unlit = {};
  for (const extension of Object.keys(extensions)) target.use(extension);
  return {
    name: material.name || undefined,
    pbrMetallicRoughness: {
      baseColorFactor: [...(values.color ? colorOf(values.color) : WHITE), opacity],
      baseColorTexture: map('map'),
      metallicFactor: values.metalness ?? 0,
      // A reader takes 1 for what is missing.
      roughnessFactor: values.roughness === 1 ? undefined : values.roughness,
      metallicRoughnessTexture: map(values.roughnessMap ? 'roughnessMap' : 'metalnessMap'),
    },
    normalTexture: map('normalMap', scaleOf('normalScale')),
    occlusionTexture: map('aoMap', values.aoMapIntensity === 1 ? {} : { strength: values.aoMapIntensity }),
    emissiveFactor: isEqual(emissive, BLACK) ? undefined : emissive,
    emissiveTexture: map('emissiveMap'),
    ...(isTransparent ? { alphaMode: 'BLEND' } : cutoff > 0 && { alphaMode: 'MASK', alphaCutoff: cutoff }),
    doubleSided: material.side === DOUBLE_SIDE || undefined,
    extensions: Object.keys(extensions).length > 0 ? extensions : undefined,
  };
}

/** The materials of a tileset. */
export class MaterialLibrary {
  private readonly materials: Material[] = [];
  /** By place in `materials` whether nothing behind it can be seen. */
  private readonly opaque: boolean[] = [];
  private readonly byMaterial = new Map<Material, number>();
  private readonly byJson = new Map<string, number>();
  /** By source of a texture its place. */
  private readonly sources = new Map<object, number>();
  private readonly encoders: (() => Promise<TileImage>)[] = [];
  /** By source the path of its file, once it is encoded. */
  private readonly files: { readonly path: string; readonly mimeType: string }[] = [];

  /** The place of a material: the same for equal ones. */
  add(material: Material, encode: EncodeImage): number {
    const known = this.byMaterial.get(material);
    if (known !== undefined) return known;
    const sampled: string[] = [];
    const json = materialJson(material, {
      textureOf: (texture) => {
        sampled.push(JSON.stringify(samplerOf(texture)));
        return this.sourceOf(texture, encode);
      },
      use: () => {},
    });
    const key = JSON.stringify([json, sampled]);
    const place = this.byJson.get(key) ?? this.materials.push(material) - 1;
    this.opaque[place] =
      json.alphaMode === undefined && !(json.extensions as Json | undefined)?.KHR_materials_transmission;
    this.byJson.set(key, place);
    this.byMaterial.set(material, place);
    return place;
  }

  /** Which side of a material hides what is behind it; null if none does. */
  solidSideOf(place: number): 'front' | 'back' | 'double' | null {
    if (!this.opaque[place]) return null;
    return this.materials[place].side === DOUBLE_SIDE ? 'double' : 'front';
  }

  private sourceOf(texture: Texture, encode: EncodeImage): number {
    const known = this.sources.get(texture.source);
    if (known !== undefined) return known;
    const place = this.encoders.push(() => encode(texture)) - 1;
    this.sources.set(texture.source, place);
    return place;
  }

  /** Writes materials into a file; yields images that no file has had before. Returns the places in the file. */
  async *write(
    glb: GlbBuilder,
    places: readonly number[],
  ): AsyncGenerator<{ path: string; bytes: Uint8Array<ArrayBuffer> }> {
    const textures: Texture[] = [];
    const target: Target = {
      use: (extension) => glb.use(extension),
      textureOf: (texture) => {
        const at = textures.findIndex(
          (one) => one.source === texture.source && isEqual(samplerOf(one), samplerOf(texture)),
        );
        return at < 0 ? textures.push(texture) - 1 : at;
      },
    };
    glb.json.materials = places.map((place) => materialJson(this.materials[place], target));
    const images: Json[] = [];
    const written: Json[] = [];
    for (const texture of textures) {
      const source = this.sources.get(texture.source)!;
      if (this.files[source] === undefined) {
        const { bytes, mimeType } = await this.encoders[source]();
        const [ending] = IMAGES[mimeType] ?? [];
        if (ending === undefined || !(bytes instanceof Uint8Array))
          throwType(
            'writeTiles',
            'what encodeImage returns',
            'have bytes and a mimeType',
            mimeType,
            'pass a PNG or JPEG',
          );
        this.files[source] = { path: `images/${source}.${ending}`, mimeType };
        yield { path: this.files[source].path, bytes };
      }
      const { path, mimeType } = this.files[source];
      const uri = `../${path}`;
      let image = images.findIndex((one) => one.uri === uri);
      if (image < 0) image = images.push({ uri, mimeType }) - 1;
      const [, extension] = IMAGES[mimeType]!;
      if (extension !== undefined) glb.use(extension, true);
      const reference =
        extension === undefined ? { source: image } : { extensions: { [extension]: { source: image } } };
      written.push({ sampler: written.length, ...reference });
    }
    if (written.length > 0)
      Object.assign(glb.json, { images, textures: written, samplers: textures.map((texture) => samplerOf(texture)) });
  }
}

function samplerOf({ wrapS, wrapT, magFilter, minFilter }: Texture): Json {
  return {
    wrapS: WRAPPING[wrapS - 1000],
    wrapT: WRAPPING[wrapT - 1000],
    magFilter: FILTERS[magFilter - 1003],
    minFilter: FILTERS[minFilter - 1003],
  };
}

/** A picture, or the numbers of one. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data?: Uint8ClampedArray<ArrayBuffer> | null;
}

/** Encodes the image of a texture where a page can: images, canvases and pixels of 8 bits, by an OffscreenCanvas. */
export async function encodeByCanvas(texture: Texture): Promise<TileImage> {
  const image: unknown = texture.image;
  const { width, height, data } = (image ?? {}) as Pixels;
  // A canvas takes no floats, and no other channels.
  const isFine = data === undefined || (data?.length === 4 * width * height && data.byteLength === data.length);
  if (typeof OffscreenCanvas === 'undefined' || !isObject(image) || !isFine)
    throwType(
      'writeTiles',
      'the image of a texture',
      'be one that can be encoded here',
      image,
      'pass options.encodeImage, or objectsOf(gltf) with the whole result of the GLTFLoader',
    );
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d')!;
  if (data === undefined) context.drawImage(image as ImageBitmap, 0, 0);
  else context.putImageData(new ImageData(new Uint8ClampedArray(data), width, height), 0, 0);
  const blob = await canvas.convertToBlob({ type: 'image/png' });
  return { bytes: new Uint8Array(await blob.arrayBuffer()), mimeType: blob.type };
}
