import {
  ClampToEdgeWrapping,
  DoubleSide,
  LinearMipmapNearestFilter,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshMatcapMaterial,
  MeshNormalMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  MirroredRepeatWrapping,
  NearestFilter,
  RepeatWrapping,
  Texture,
  type Material,
} from 'three';
import { afterEach, describe, expect, it } from 'vitest';
import { GlbBuilder } from '../../src/tiles/glb.ts';
import { encodeByCanvas, MaterialLibrary, type TileImage } from '../../src/tiles/materials.ts';

/** What a page has. */
interface Page {
  OffscreenCanvas: unknown;
  ImageData: unknown;
}

const PNG: TileImage = { bytes: new Uint8Array([1, 2, 3]), mimeType: 'image/png' };
const encode = async (): Promise<TileImage> => PNG;

/** A texture as a GLTFLoader makes it. */
function textureOf(source = new Texture().source, fields: Partial<Texture> = {}): Texture {
  return Object.assign(new Texture(), { source, flipY: false, wrapS: RepeatWrapping, wrapT: RepeatWrapping }, fields);
}

interface Written {
  readonly json: Record<string, unknown>;
  readonly materials: readonly Record<string, unknown>[];
  readonly paths: readonly string[];
}

/** Writes materials of a library into a file. What is undefined is left out, as in a file. */
async function write(library: MaterialLibrary, places: readonly number[]): Promise<Written> {
  const glb = new GlbBuilder(undefined);
  const paths: string[] = [];
  for await (const { path } of library.write(glb, places)) paths.push(path);
  const json = JSON.parse(JSON.stringify(glb.json)) as Written['json'];
  return { json, materials: json.materials as Written['materials'], paths };
}

async function writtenOf(material: Material, image = encode): Promise<Written> {
  const library = new MaterialLibrary();
  return write(library, [library.add(material, image)]);
}

const BASE = { baseColorFactor: [1, 1, 1, 1], metallicFactor: 0 };

describe('a material is written', () => {
  it('without what has no effect', async () => {
    const { json, materials } = await writtenOf(new MeshPhysicalMaterial({ name: 'plain', sheenRoughness: 0.5 }));
    expect(materials).toEqual([{ name: 'plain', pbrMetallicRoughness: BASE }]);
    expect(Object.keys(json)).not.toContain('textures');
  });

  it('of a type without colours of its own', async () => {
    for (const material of [new MeshNormalMaterial(), new MeshMatcapMaterial(), new MeshLambertMaterial()])
      expect((await writtenOf(material)).materials).toEqual([{ pbrMetallicRoughness: BASE }]);
  });

  it('with colour, opacity, both sides, light of its own', async () => {
    const material = new MeshStandardMaterial({
      opacity: 0.5,
      transparent: true,
      alphaTest: 0.25,
      side: DoubleSide,
      emissiveIntensity: 3,
      metalness: 0.75,
      roughness: 0.125,
    });
    material.color.setRGB(0.1, 0.2, 0.3);
    material.emissive.setRGB(0.5, 0, 1);
    expect((await writtenOf(material)).materials).toEqual([
      {
        pbrMetallicRoughness: { baseColorFactor: [0.1, 0.2, 0.3, 0.5], metallicFactor: 0.75, roughnessFactor: 0.125 },
        emissiveFactor: [0.5, 0, 1],
        alphaMode: 'BLEND',
        doubleSided: true,
        extensions: { KHR_materials_emissive_strength: { emissiveStrength: 3 } },
      },
    ]);
    material.transparent = false;
    material.emissive.setRGB(0, 0, 0);
    const [cut] = (await writtenOf(material)).materials;
    expect(cut).toMatchObject({ alphaMode: 'MASK', alphaCutoff: 0.25 });
    expect(cut).not.toHaveProperty('extensions');
    expect(cut).not.toHaveProperty('emissiveFactor');
  });

  it('with the factors of its maps', async () => {
    const material = new MeshStandardMaterial({
      map: textureOf(),
      normalMap: textureOf(),
      aoMap: textureOf(undefined, { channel: 1 }),
      aoMapIntensity: 0.5,
      emissiveMap: textureOf(),
      metalnessMap: textureOf(),
    });
    material.normalScale.set(2, 2);
    const { json, materials, paths } = await writtenOf(material);
    expect(materials).toEqual([
      {
        pbrMetallicRoughness: {
          ...BASE,
          baseColorTexture: { index: 0 },
          metallicRoughnessTexture: { index: 1 },
        },
        normalTexture: { index: 2, scale: 2 },
        occlusionTexture: { index: 3, texCoord: 1, strength: 0.5 },
        emissiveTexture: { index: 4 },
      },
    ]);
    expect(paths).toEqual([0, 1, 2, 3, 4].map((k) => `images/${k}.png`));
    expect(json.textures).toEqual([0, 1, 2, 3, 4].map((k) => ({ sampler: k, source: k })));
    expect(json.images).toEqual(paths.map((path) => ({ uri: `../${path}`, mimeType: 'image/png' })));
    material.normalScale.set(1, 1);
    material.aoMapIntensity = 1;
    const [plain] = (await writtenOf(material)).materials;
    expect(plain.normalTexture).toEqual({ index: 2 });
    expect(plain.occlusionTexture).toEqual({ index: 3, texCoord: 1 });
  });

  it('with the extensions of a MeshPhysicalMaterial', async () => {
    const material = new MeshPhysicalMaterial({
      ior: 1.25,
      specularIntensity: 0.5,
      clearcoat: 0.5,
      clearcoatMap: textureOf(),
      clearcoatNormalMap: textureOf(),
      iridescence: 0.5,
      iridescenceThicknessMinimum: 50,
      iridescenceThicknessMaximum: 200,
      transmission: 0.5,
      thickness: 2,
      sheen: 0.5,
      anisotropy: 0.5,
      dispersion: 0.5,
    });
    material.clearcoatNormalScale.set(0.5, 0.5);
    material.sheenColor.setRGB(1, 0.5, 0.25);
    const [{ extensions }] = (await writtenOf(material)).materials;
    expect(extensions).toEqual({
      KHR_materials_ior: { ior: 1.25 },
      KHR_materials_specular: { specularFactor: 0.5 },
      KHR_materials_clearcoat: {
        clearcoatFactor: 0.5,
        clearcoatTexture: { index: 0 },
        clearcoatNormalTexture: { index: 1, scale: 0.5 },
      },
      KHR_materials_iridescence: {
        iridescenceFactor: 0.5,
        iridescenceThicknessMinimum: 50,
        iridescenceThicknessMaximum: 200,
      },
      KHR_materials_transmission: { transmissionFactor: 0.5 },
      KHR_materials_volume: { thicknessFactor: 2 },
      KHR_materials_sheen: { sheenColorFactor: [0.5, 0.25, 0.125], sheenRoughnessFactor: 1 },
      KHR_materials_anisotropy: { anisotropyStrength: 0.5 },
      KHR_materials_dispersion: { dispersion: 0.5 },
    });
  });
});

it('takes the thickness of iridescence from the array that three had before 0.187', async () => {
  const material = new MeshPhysicalMaterial({ iridescence: 1 });
  Object.assign(material, { iridescenceThicknessMinimum: undefined, iridescenceThicknessMaximum: undefined });
  Object.defineProperty(material, 'iridescenceThicknessRange', { value: [50, 200] });
  const [{ extensions }] = (await writtenOf(material)).materials;
  expect(extensions).toMatchObject({
    KHR_materials_iridescence: { iridescenceThicknessMinimum: 50, iridescenceThicknessMaximum: 200 },
  });
});

/** How a material names a texture. */
async function infoOf(texture: Texture): Promise<unknown> {
  const [{ pbrMetallicRoughness }] = (await writtenOf(new MeshBasicMaterial({ map: texture }))).materials;
  return (pbrMetallicRoughness as { baseColorTexture: unknown }).baseColorTexture;
}

describe('a texture is written', () => {
  it('with its place, if it has one', async () => {
    const texture = textureOf();
    expect(await infoOf(texture)).toEqual({ index: 0 });
    texture.offset.set(0.25, 0.5);
    texture.repeat.set(2, 4);
    const place = { offset: [0.25, 0.5], scale: [2, 4] };
    expect(await infoOf(texture)).toEqual({ index: 0, extensions: { KHR_texture_transform: place } });
    texture.flipY = true;
    const flipped = { offset: [0.25, 0.5], scale: [2, -4] };
    expect(await infoOf(texture)).toEqual({ index: 0, extensions: { KHR_texture_transform: flipped } });
    texture.offset.y = 0.25;
    const raised = { offset: [0.25, 0.75], scale: [2, -4] };
    expect(await infoOf(texture)).toEqual({ index: 0, extensions: { KHR_texture_transform: raised } });
  });

  it('with its rotation', async () => {
    const info = (await infoOf(textureOf(undefined, { rotation: 0.5 }))) as { extensions: object };
    expect(info.extensions).toEqual({
      KHR_texture_transform: { offset: [0, 0], scale: [1, 1], rotation: 0.5 },
    });
  });

  it('with its sampler', async () => {
    const map = textureOf(undefined, {
      wrapS: MirroredRepeatWrapping,
      wrapT: ClampToEdgeWrapping,
      magFilter: NearestFilter,
      minFilter: LinearMipmapNearestFilter,
    });
    const { json } = await writtenOf(new MeshBasicMaterial({ map }));
    expect(json.samplers).toEqual([{ wrapS: 33648, wrapT: 33071, magFilter: 9728, minFilter: 9985 }]);
    const usual = await writtenOf(new MeshBasicMaterial({ map: textureOf() }));
    expect(usual.json.samplers).toEqual([{ wrapS: 10497, wrapT: 10497, magFilter: 9729, minFilter: 9987 }]);
  });

  it('as a file of its type', async () => {
    const material = new MeshBasicMaterial({ map: textureOf() });
    const webp = await writtenOf(material, async () => ({ bytes: PNG.bytes, mimeType: 'image/webp' }));
    expect(webp.paths).toEqual(['images/0.webp']);
    expect(webp.json.textures).toEqual([{ sampler: 0, extensions: { EXT_texture_webp: { source: 0 } } }]);
    await expect(writtenOf(material, async () => ({ bytes: PNG.bytes, mimeType: 'image/bmp' }))).rejects.toThrow(
      'writeTiles: what encodeImage returns must have bytes and a mimeType, but is the string "image/bmp"; pass a PNG or JPEG.',
    );
  });

  it('once for each image, and once for each sampler of it', async () => {
    const { source } = new Texture();
    const [first, same] = [textureOf(source), textureOf(source)];
    const clamped = textureOf(source, { wrapS: ClampToEdgeWrapping });
    const library = new MaterialLibrary();
    const places = [first, same, clamped].map((map, k) =>
      library.add(new MeshBasicMaterial({ map, opacity: 1 - k / 4 }), encode),
    );
    const { json, materials, paths } = await write(library, places);
    expect(paths).toEqual(['images/0.png']);
    expect(json.images).toEqual([{ uri: '../images/0.png', mimeType: 'image/png' }]);
    expect(json.textures).toEqual([0, 1].map((sampler) => ({ sampler, source: 0 })));
    expect(materials.map((one) => one.pbrMetallicRoughness as typeof BASE & Record<string, unknown>)).toMatchObject(
      [0, 0, 1].map((index) => ({ baseColorTexture: { index } })),
    );
    // The next file names the image that is there already.
    expect(await write(library, places)).toMatchObject({ paths: [], json: { images: [{ uri: '../images/0.png' }] } });
  });
});

describe('without encodeImage an image', () => {
  afterEach(() => void delete (globalThis as Partial<Page>).OffscreenCanvas);

  it('is refused outside of a page', async () => {
    for (const image of [{ width: 1, height: 1 }, null, undefined])
      await expect(encodeByCanvas(new Texture(image as never))).rejects.toThrow(
        /^writeTiles: the image of a texture must be one that can be encoded here, but is .*; pass options.encodeImage, or objectsOf\(gltf\) with the whole result of the GLTFLoader\.$/,
      );
  });

  it('is drawn on a canvas, its pixels if it has them', async () => {
    const drawn: unknown[] = [];
    class Canvas {
      private readonly size: number[];

      constructor(...size: number[]) {
        this.size = size;
      }

      getContext(kind: string): object {
        return {
          drawImage: (image: unknown, x: number, y: number) => drawn.push([kind, image, x, y]),
          putImageData: ({ data, width, height }: ImageData, x: number, y: number) =>
            drawn.push([kind, [...data], width, height, x, y]),
        };
      }

      convertToBlob({ type }: { type: string }): Promise<Blob> {
        return Promise.resolve(new Blob([Uint8Array.from(this.size)], { type }));
      }
    }
    const page = globalThis as unknown as Page;
    page.OffscreenCanvas = Canvas;
    page.ImageData = function (data: unknown, width: number, height: number) {
      return { data, width, height };
    };
    const picture = { width: 2, height: 3 };
    expect(await encodeByCanvas(new Texture(picture as never))).toEqual({
      bytes: Uint8Array.of(2, 3),
      mimeType: 'image/png',
    });
    const data = Uint8Array.of(1, 2, 3, 255);
    await encodeByCanvas(new Texture({ width: 1, height: 1, data } as never));
    expect(drawn).toEqual([
      ['2d', picture, 0, 0],
      ['2d', [1, 2, 3, 255], 1, 1, 0, 0],
    ]);
    const pixels = [new Uint16Array(4), new Float32Array(4), new Float32Array(1), new Uint8Array(3), null];
    for (const image of [null, undefined, 5, ...pixels.map((others) => ({ width: 1, height: 1, data: others }))])
      await expect(encodeByCanvas(new Texture(image as never))).rejects.toThrow('writeTiles: the image of a texture');
  });
});

describe('a library of materials', () => {
  it('has equal ones once', () => {
    const library = new MaterialLibrary();
    const { source } = new Texture();
    const red = new MeshBasicMaterial({ color: 'red' });
    const add = (material: Material): number => library.add(material, encode);
    expect([red, red, red.clone(), new MeshBasicMaterial({ color: 'blue' })].map(add)).toEqual([0, 0, 0, 1]);
    const [map, clamped] = [textureOf(source), textureOf(source, { wrapT: ClampToEdgeWrapping })];
    expect([map, textureOf(source), clamped].map((one) => add(new MeshBasicMaterial({ map: one })))).toEqual([2, 2, 3]);
  });

  it('knows which sides hide what is behind them', () => {
    const library = new MaterialLibrary();
    const sideOf = (material: Material): unknown => library.solidSideOf(library.add(material, encode));
    expect(sideOf(new MeshBasicMaterial())).toBe('front');
    expect(sideOf(new MeshBasicMaterial({ side: DoubleSide }))).toBe('double');
    expect(sideOf(new MeshBasicMaterial({ transparent: true, opacity: 0.5 }))).toBe(null);
    expect(sideOf(new MeshBasicMaterial({ alphaTest: 0.5 }))).toBe(null);
    expect(sideOf(new MeshPhysicalMaterial({ transmission: 0.5 }))).toBe(null);
  });
});
