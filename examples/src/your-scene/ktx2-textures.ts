// Reads KTX2 textures of a glTF with three's KTX2Loader and the Basis Universal transcoder of the three package. The
// transcoder is fetched when the first texture needs it.

import transcoderScript from 'three/addons/libs/basis/basis_transcoder.js?url';
import transcoderModule from 'three/addons/libs/basis/basis_transcoder.wasm?url';
import { KTX2Loader } from 'three/addons/loaders/KTX2Loader.js';
import {
  type CompressedTexture,
  DataTexture,
  LoadingManager,
  type Material,
  type Mesh,
  type Object3D,
  type WebGLRenderer,
} from 'three';
import { texturesOf } from '../shared/dispose-tree.ts';

/** The folder that KTX2Loader puts before the names of the two files of the transcoder. */
const FOLDER = './';
const TRANSCODER: Readonly<Record<string, string>> = {
  [`${FOLDER}basis_transcoder.js`]: transcoderScript,
  [`${FOLDER}basis_transcoder.wasm`]: transcoderModule,
};

/**
 * The first bytes of a KTX2 file, and places in its header, in bytes. Source: KTX File Format Specification 2.0,
 * section 3.
 */
const IDENTIFIER = [0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a];
const [VK_FORMAT, DEPTH, LAYERS, FACES, LEVELS, DESCRIPTION, LEVEL_INDEX, LEVEL_BYTES] = [
  12, 28, 32, 36, 40, 48, 80, 24,
];
/**
 * Colour model of UASTC HDR, the only Basis Universal format with a `vkFormat`, and its place in the data format
 * descriptor.
 */
const UASTC_HDR = 0xa7;
const COLOUR_MODEL = 12;

export class Ktx2Textures extends KTX2Loader {
  private readonly isMissing: (address: string) => boolean;

  /**
   * @param addressOf The address from which an address in the glTF is loaded.
   * @param isMissing Whether the file at an address was not dropped. The texture is then white.
   */
  constructor(
    renderer: WebGLRenderer,
    addressOf: (address: string) => string,
    isMissing: (address: string) => boolean,
  ) {
    super(new LoadingManager().setURLModifier((address) => TRANSCODER[address] ?? addressOf(address)));
    this.isMissing = isMissing;
    this.setTranscoderPath(FOLDER).detectSupport(renderer);
  }

  override load(
    url: string,
    onLoad: (texture: CompressedTexture) => void,
    onProgress?: (event: ProgressEvent) => void,
    onError?: (error: unknown) => void,
  ): void {
    if (this.isMissing(url)) onLoad(whiteTexture());
    else super.load(url, onLoad, onProgress, onError);
  }

  /** GLTFLoader leaves out a texture that fails. Here it becomes white, with a fault that `ktx2FaultsOf` finds. */
  override parse(buffer: ArrayBuffer, onLoad: (texture: CompressedTexture) => void = () => {}): void {
    const fault = faultOf(buffer);
    if (fault === null) super.parse(buffer, onLoad, () => onLoad(whiteTexture('damaged')));
    else onLoad(whiteTexture(fault));
  }
}

/** The KTX2 textures of a loaded scene that could not be read: name, and in brackets what is wrong. */
export function ktx2FaultsOf(root: Object3D): string[] {
  const materials = new Set<Material>();
  root.traverse((object) => {
    for (const material of [(object as Partial<Mesh>).material ?? []].flat()) materials.add(material);
  });
  const faults = [...materials].flatMap(texturesOf).filter(({ userData }) => userData.ktx2Fault !== undefined);
  return [
    ...new Set(
      faults.map(({ name, userData }) => `${name || 'a texture without a name'} (${userData.ktx2Fault as string})`),
    ),
  ];
}

/** What is wrong with a file by its header; null if nothing is. */
function faultOf(buffer: ArrayBuffer): string | null {
  const bytes = new Uint8Array(buffer);
  if (IDENTIFIER.some((byte, at) => bytes[at] !== byte)) return 'not a KTX2 file';
  const view = new DataView(buffer);
  try {
    for (let level = 0; level < Math.max(1, view.getUint32(LEVELS, true)); level++) {
      const at = LEVEL_INDEX + level * LEVEL_BYTES;
      if (view.getBigUint64(at, true) + view.getBigUint64(at + 8, true) > bytes.length) return 'truncated';
    }
    if (view.getUint32(DEPTH, true) > 0 || view.getUint32(LAYERS, true) > 0 || view.getUint32(FACES, true) !== 1)
      return 'not a single 2D image';
    const format = view.getUint32(VK_FORMAT, true);
    if (format === 0 || bytes[view.getUint32(DESCRIPTION, true) + COLOUR_MODEL] === UASTC_HDR) return null;
    return `vkFormat ${format}, instead of Basis Universal as KHR_texture_basisu demands`;
  } catch {
    return 'truncated';
  }
}

function whiteTexture(ktx2Fault?: string): CompressedTexture {
  const texture = new DataTexture(new Uint8Array([255, 255, 255, 255]), 1, 1);
  texture.needsUpdate = true;
  if (ktx2Fault !== undefined) texture.userData.ktx2Fault = ktx2Fault;
  // The declarations of KTX2Loader name only this class.
  return texture as unknown as CompressedTexture;
}
