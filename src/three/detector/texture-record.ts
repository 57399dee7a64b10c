/** What is known of a texture, by which a picture could change. */

import type { Texture } from 'three';
import { Values } from './values.ts';

/** Kinds of textures whose pictures change without a new version. */
const CHANGING = [
  'isVideoTexture',
  'isCanvasTexture',
  'isFramebufferTexture',
  'isExternalTexture',
  'isHTMLTexture',
  'isStorageTexture',
];

export class TextureRecord {
  readonly texture: Texture;
  /** Whether its picture may change without a new version. */
  isUnknown = false;
  private readonly values = new Values();
  private readonly textures: Textures;
  private lastRead = -1;
  private count = 0;

  constructor(texture: Texture, textures: Textures) {
    this.texture = texture;
    this.textures = textures;
  }

  /** How often it has changed, as of the current update. */
  get changes(): number {
    const { textures } = this;
    if (this.lastRead === textures.update) return this.count;
    this.lastRead = textures.update;
    if (this.read()) this.count++;
    return this.count;
  }

  private read(): boolean {
    const { texture, values } = this;
    const { version, pmremVersion, source, channel, rotation, matrixAutoUpdate, image } = texture;
    this.isUnknown = isUnknownTexture(texture);
    // Textures that share an image share its copy on the GPU, so the version of another one may count.
    const fields = [version, pmremVersion, source, source.version, channel, rotation, image, this.isUnknown];
    for (const value of fields) values.next(value);
    for (const { x, y } of [texture.offset, texture.repeat, texture.center]) {
      values.next(x);
      values.next(y);
    }
    if (!matrixAutoUpdate) for (const element of texture.matrix.elements) values.next(element);
    return values.end();
  }
}

export function isUnknownTexture(texture: Texture): boolean {
  const { image } = texture;
  return (
    CHANGING.some((kind) => kind in texture) ||
    // What a PMREMGenerator has made is drawn once.
    (!isPrefiltered(texture) && (texture.isRenderTargetTexture || texture.renderTarget !== null)) ||
    (image as { complete?: boolean } | null)?.complete === false
  );
}

/** Whether a PMREMGenerator has made a texture: before r187 it has a mapping that three does not export any more. */
function isPrefiltered({ isPMREMTexture, mapping }: Texture): boolean {
  return isPMREMTexture || mapping === (306 as never);
}

/** One record of each texture, which is read once per update. */
export class Textures {
  /** Number of the current update. Increase it at the beginning of each. */
  update = 0;
  private readonly records = new WeakMap<Texture, TextureRecord>();

  recordOf(texture: Texture): TextureRecord {
    let record = this.records.get(texture);
    if (record === undefined) this.records.set(texture, (record = new TextureRecord(texture, this)));
    return record;
  }
}
