import {
  Float16BufferAttribute,
  Float32BufferAttribute,
  BackSide,
  BoxGeometry,
  Color,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  LineSegments,
  LoaderUtils,
  Matrix4,
  Mesh,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  PlaneGeometry,
  Points,
  PropertyBinding,
  RepeatWrapping,
  Scene,
  Sprite,
  Texture,
  Vector3,
} from 'three';
import { GLTFLoader, type GLTFParser } from 'three/addons/loaders/GLTFLoader.js';
import { describe, expect, it } from 'vitest';
import { objectsOf, writeTiles, type SceneObject } from '../../src/tiles/index.ts';
import { errorOf, GAP } from '../support/rejects.ts';
import { readTileset } from '../support/tiles-reader.ts';

const WALL = new MeshStandardMaterial();

/** The volume inside a closed mesh: negative if its triangles face inside. */
function volumeOf({ positions, index }: SceneObject): number {
  const corner = (k: number): Vector3 => new Vector3().fromArray(positions, 3 * index![k]);
  let sum = 0;
  for (let k = 0; k < index!.length; k += 3) sum += corner(k).dot(corner(k + 1).cross(corner(k + 2))) / 6;
  return sum;
}

/** The name of a texture in place of its image. */
const encodeImage = (texture: Texture): Promise<{ bytes: Uint8Array<ArrayBuffer>; mimeType: string }> =>
  Promise.resolve({ bytes: new TextEncoder().encode(texture.name), mimeType: 'image/png' });

async function filesOf(scene: Scene): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for await (const { path, bytes } of writeTiles(objectsOf(scene), { encodeImage })) files.set(path, bytes);
  return files;
}

/** Textures without pixels, by their index. */
const withoutPixels = (parser: GLTFParser): { name: string; loadTexture(index: number): Promise<Texture> } => ({
  name: 'without-pixels',
  loadTexture: (index) => {
    const texture = Object.assign(new Texture(), { name: `texture ${index}`, flipY: false });
    parser.associations.set(texture, { textures: index });
    return Promise.resolve(texture);
  },
});

/** The colours of the vertices of a mesh. */
function colorsOf(mesh: Mesh): number[] | null {
  const [{ colors }] = objectsOf(mesh);
  return colors ? Array.from(colors) : null;
}

describe('objectsOf', () => {
  it('gives visible meshes in the order of the scene, with matrices, ids and names', () => {
    const scene = new Scene();
    const hidden = new Group().add(new Mesh(new BoxGeometry(), WALL));
    hidden.visible = false;
    const house = new Mesh(new BoxGeometry(2, 2, 2), WALL);
    house.name = 'house';
    house.position.set(10, 0, 0);
    house.userData.id = 'h1';
    scene.add(hidden, new Group().add(house), new Mesh(new BoxGeometry(), WALL));
    scene.children[1].position.y = 5;
    const found = [...objectsOf(scene)];
    expect(found.map(({ id, name }) => [id, name])).toEqual([
      ['h1', 'house'],
      [0, ''],
    ]);
    expect(Array.from(found[0].positions).slice(0, 3)).toEqual([11, 6, 1]);
    expect([...objectsOf(scene, { id: (mesh) => mesh.type })].map(({ id }) => id)).toEqual(['Mesh', 'Mesh']);
  });

  it('turns mirrored meshes and back sides, and gives normals of unit length', () => {
    const mirrored = new Mesh(new BoxGeometry(), WALL);
    mirrored.scale.set(-2, 3, 1);
    const inside = new Mesh(new BoxGeometry(), new MeshStandardMaterial({ side: BackSide }));
    const [first, second] = [...objectsOf(new Scene().add(mirrored, inside))];
    expect(volumeOf(first)).toBeCloseTo(6);
    expect(volumeOf(second)).toBeCloseTo(-1);
    expect(first.normals![0]).toBe(-1);
    expect(second.normals![0]).toBe(-1);
    const [{ normals }] = objectsOf(new Mesh(new BoxGeometry(), new MeshStandardMaterial({ flatShading: true })));
    expect(normals).toBe(null);
  });

  it('takes over the matrices of what is above and below the source, also those that are not computed yet', () => {
    const mesh = new Mesh(new PlaneGeometry(), WALL);
    const part = new Group().add(mesh);
    new Scene().add(new Group().add(part)).children[0].position.x = 5;
    part.position.y = 7;
    mesh.position.z = 9;
    expect(Array.from([...objectsOf(part)][0].positions).slice(0, 3)).toEqual([4.5, 7.5, 9]);
  });

  it('leaves out deleted and hidden instances of a container of this library', () => {
    const isShown = [true, false, false, true];
    const instances = Object.assign(new InstancedMesh(new BoxGeometry(), WALL, 4), {
      has: (id: number) => id !== 1,
      getVisibleAt: (id: number) => isShown[id],
    });
    for (let k = 0; k < 4; k++) instances.setMatrixAt(k, new Matrix4().makeTranslation(3 * k, 0, 0));
    expect([...objectsOf(new Scene().add(instances))].map(({ positions }) => Math.round(positions[0]))).toEqual([
      1, 10,
    ]);
  });

  it.each([
    ['house.001', 'house001', 'house.001'],
    ['IFC:22/a [b]', 'IFC22a_b', 'IFC:22/a [b]'],
    ['same', 'same_1', 'same'],
    ['same', 'same_12', 'same'],
    ['same', 'other', 'other'],
    ['same', 'same2', 'same2'],
    ['Wall', 'Wall_North', 'Wall_North'],
    ['', '_', '_'],
    [7, 'seven', 'seven'],
    [undefined, 'plain', 'plain'],
  ])(
    'gives the name in the file, %j, to the mesh %j of a GLTFLoader, unless it was named anew',
    (inFile, name, expected) => {
      const mesh = new Mesh(new PlaneGeometry(), WALL);
      mesh.name = name;
      mesh.userData.name = inFile;
      expect([...objectsOf(mesh)][0].name).toBe(expected);
      // A name that the loader gives to the first object of that name.
      if (name === expected && typeof inFile === 'string') return;
      if (typeof inFile === 'string')
        expect(name).toMatch(new RegExp(`^${PropertyBinding.sanitizeNodeName(inFile)}(_\\d+)?$`));
    },
  );

  it('reads colours of instances in bytes, with or without an opacity, which three does not draw', () => {
    for (const size of [3, 4]) {
      const instances = new InstancedMesh(new PlaneGeometry(), WALL, 2);
      const bytes = Uint8Array.from(
        { length: 2 * size },
        (_, at) => [255, 51, 0, 102][at % size] * (at < size ? 0 : 1),
      );
      // As GLTFLoader gives those of EXT_mesh_gpu_instancing.
      instances.instanceColor = new InstancedBufferAttribute(bytes, size, true);
      const colors = Array.from(objectsOf(instances), (object) => Array.from(object.colors!).slice(0, 6));
      expect(colors).toEqual([
        [0, 0, 0, 0, 0, 0],
        [1, 0.2, 0, 1, 0.2, 0],
      ]);
    }
  });

  it('gives instances with their colours, and parts by material', () => {
    const instances = new InstancedMesh(new PlaneGeometry(), WALL, 2);
    instances.setMatrixAt(0, new Matrix4());
    instances.setMatrixAt(1, new Matrix4().makeTranslation(0, 7, 0));
    instances.setColorAt(1, new Color(1, 0.5, 0));
    const parts = new Mesh(new BoxGeometry(), [
      WALL,
      WALL,
      WALL,
      WALL,
      WALL,
      new MeshStandardMaterial({ name: 'back' }),
    ]);
    const found = [...objectsOf(new Scene().add(instances, parts))];
    expect(found.map(({ id }) => id)).toEqual(['0/0', '0/1', 1, 1, 1, 1, 1, 1]);
    expect(found[1].positions[1]).toBe(7.5);
    expect(Array.from(found[1].colors!).slice(0, 3)).toEqual([1, 0.5, 0]);
    expect(found[7].index).toHaveLength(6);
    expect(found[7].material.name).toBe('back');
  });

  it('leaves out what three does not draw for want of a material, or with an invisible one', () => {
    const parts = new Mesh(new BoxGeometry(), [WALL, null as never, undefined as never]);
    parts.geometry.groups.push({ start: 0, count: 3 });
    const proxy = new Mesh(new BoxGeometry(), new MeshStandardMaterial({ visible: false }));
    const found = [...objectsOf(new Scene().add(parts, proxy, new Mesh(new BoxGeometry(), WALL)))];
    expect(found.map(({ id, material }) => [id, material])).toEqual([
      [0, WALL],
      [2, WALL],
    ]);
  });

  it('gives texture coordinates that a texture of the material uses, and no others', () => {
    const geometry = new BoxGeometry();
    geometry.setAttribute('uv1', geometry.attributes.uv);
    const used = (material: MeshStandardMaterial): unknown[] => {
      const [{ uvs, uvs1 }] = objectsOf(new Mesh(geometry, material));
      return [uvs?.length, uvs1?.length];
    };
    const second = Object.assign(new Texture(), { channel: 1 });
    expect(used(WALL)).toEqual([undefined, undefined]);
    expect(used(new MeshStandardMaterial({ normalMap: new Texture() }))).toEqual([48, undefined]);
    expect(used(new MeshStandardMaterial({ aoMap: second }))).toEqual([undefined, 48]);
    expect(used(new MeshStandardMaterial({ map: new Texture(), aoMap: second }))).toEqual([48, 48]);
    // A third set is not written: the texture is shown by the first.
    const third = Object.assign(new Texture(), { channel: 2 });
    expect(used(new MeshStandardMaterial({ map: third }))).toEqual([48, undefined]);
  });

  it('converts texture coordinates of 16-bit floats', () => {
    const geometry = new BoxGeometry();
    const { array } = geometry.attributes.uv;
    const uv = new Float16BufferAttribute(new Uint16Array(array.length), 2);
    for (let k = 0; k < uv.count; k++) uv.setXY(k, array[2 * k], array[2 * k + 1]);
    geometry.setAttribute('uv', uv);
    const [{ uvs }] = objectsOf(new Mesh(geometry, new MeshStandardMaterial({ map: new Texture() })));
    expect(Array.from(uvs!)).toEqual(Array.from(array));
  });

  it('keeps to draw ranges, of groups too, and leaves out corners that are no whole triangle', () => {
    const geometry = new BoxGeometry();
    const corners = Array.from(geometry.index!.array);
    const parts = new Mesh(geometry, [WALL, WALL, WALL, WALL, WALL, WALL]);
    const indicesOf = (): number[][] => [...objectsOf(parts)].map(({ index }) => Array.from(index!));
    geometry.setDrawRange(3, 10);
    // The groups have six corners each.
    expect(indicesOf()).toEqual([corners.slice(3, 6), corners.slice(6, 12), [], [], [], []]);
    const all = new Mesh(geometry, WALL);
    expect(Array.from([...objectsOf(all)][0].index!)).toEqual(corners.slice(3, 12));
    geometry.setDrawRange(30, Infinity);
    expect(Array.from([...objectsOf(all)][0].index!)).toEqual(corners.slice(30));
    geometry.setIndex(null);
    geometry.setDrawRange(3, 4);
    expect(Array.from([...objectsOf(all)][0].index!)).toEqual([3, 4, 5]);
  });

  it('gives colours of vertices if the material shows them, times those of the instance', () => {
    const geometry = new PlaneGeometry();
    geometry.setAttribute(
      'color',
      new Float32BufferAttribute(
        Array.from({ length: 16 }, (_, k) => k / 16),
        4,
      ),
    );
    const shows = new MeshStandardMaterial({ vertexColors: true });
    expect(colorsOf(new Mesh(geometry, WALL))).toBe(null);
    expect(colorsOf(new Mesh(geometry, shows))).toEqual(Array.from({ length: 16 }, (_, k) => k / 16));
    const instances = new InstancedMesh(geometry, shows, 3);
    expect(colorsOf(instances)).toEqual(Array.from({ length: 16 }, (_, k) => k / 16));
    for (let k = 0; k < 3; k++) instances.setColorAt(k, new Color(0.5 + k, 0.25, 2));
    expect([...objectsOf(instances)].map(({ colors }) => colors![4])).toEqual([0, 1, 2].map((k) => (0.5 + k) / 4));
    const factors = [0.5, 0.25, 2, 1];
    expect(colorsOf(instances)).toEqual(Array.from({ length: 16 }, (_, k) => (k / 16) * factors[k % 4]));
    geometry.deleteAttribute('color');
    expect(colorsOf(instances)).toEqual([0, 1, 2, 3].flatMap(() => factors.slice(0, 3)));
  });

  it('refuses what is no scene', () => {
    expect(() => objectsOf({} as never)).toThrow('objectsOf: source must be an object of three');
    expect(() => objectsOf(null as never)).toThrow('objectsOf: source must be an object');
    const batched = new Group().add(Object.assign(new Mesh(), { isBatchedMesh: true }));
    expect(() => objectsOf(batched)).toThrow('objectsOf: source must have no BatchedMesh');
    for (const scene of [null, undefined, {}])
      expect(() => objectsOf({ scene } as never)).toThrow('objectsOf: source must be an object of three');
    for (const given of [{}, null, batched]) expect(String(errorOf(() => objectsOf(given as never)))).not.toMatch(GAP);
    batched.visible = false;
    expect([...objectsOf(batched)]).toEqual([]);
    expect(() => objectsOf(new Group(), { id: 'name' as never })).toThrow('objectsOf: options.id must be a function');
  });

  it('leaves out what has no triangles', () => {
    const geometry = new BoxGeometry();
    const none = Object.assign(new Mesh(), { geometry: undefined });
    const scene = new Scene().add(new Points(geometry), new LineSegments(geometry), new Sprite(), new Mesh(), none);
    expect([...objectsOf(scene)]).toEqual([]);
  });
});

describe('materials in tiles', () => {
  it('come back from a GLTFLoader with all values and textures', async () => {
    const map = Object.assign(new Texture(), { name: 'wall' });
    map.wrapS = map.wrapT = RepeatWrapping;
    map.repeat.set(3, 2);
    const shared = Object.assign(new Texture(), { name: 'rough', flipY: false });
    const material = new MeshPhysicalMaterial({
      name: 'paint',
      color: 0x336699,
      metalness: 0.25,
      roughness: 0.75,
      emissive: 0x112233,
      emissiveIntensity: 2,
      ior: 1.4,
      clearcoat: 0.5,
      clearcoatRoughness: 0.125,
      sheen: 1,
      sheenColor: new Color(0.5, 0.25, 0),
      sheenRoughness: 0.5,
      iridescence: 0.5,
      iridescenceIOR: 1.5,
      iridescenceThicknessMinimum: 50,
      iridescenceThicknessMaximum: 300,
      transmission: 0.5,
      thickness: 2,
      attenuationDistance: 3,
      specularIntensity: 0.5,
      anisotropy: 0.25,
      dispersion: 0.5,
      alphaTest: 0.5,
      side: 2,
      map,
      roughnessMap: shared,
      metalnessMap: shared,
      aoMap: shared,
    });
    const files = await filesOf(new Scene().add(new Mesh(new BoxGeometry(), material)));
    expect([...files.keys()]).toEqual(['images/0.png', 'images/1.png', 'tiles/0.glb', 'tileset.json']);
    await readTileset(files);
    const loader = new GLTFLoader().register(withoutPixels);
    const { scene } = await loader.parseAsync(files.get('tiles/0.glb')!.buffer, '');
    let loaded = new MeshPhysicalMaterial();
    scene.traverse((node) => {
      if (node instanceof Mesh) loaded = node.material as MeshPhysicalMaterial;
    });
    for (const field of [
      'name',
      'metalness',
      'roughness',
      'emissiveIntensity',
      'ior',
      'clearcoat',
      'clearcoatRoughness',
      'sheenRoughness',
      'iridescence',
      'iridescenceIOR',
      'iridescenceThicknessMinimum',
      'iridescenceThicknessMaximum',
      'transmission',
      'thickness',
      'attenuationDistance',
      'specularIntensity',
      'anisotropy',
      'dispersion',
      'alphaTest',
      'side',
    ] as const)
      expect([field, loaded[field]]).toEqual([field, material[field]]);
    for (const field of ['color', 'emissive', 'sheenColor'] as const)
      expect(loaded[field].toArray().map((value) => value.toFixed(6))).toEqual(
        material[field].toArray().map((value) => value.toFixed(6)),
      );
    expect(loaded.roughnessMap!.name).toBe(loaded.aoMap!.name);
    // The image of three begins at the bottom, that of glTF at the top.
    expect([loaded.map!.repeat.toArray(), loaded.map!.offset.toArray()]).toEqual([
      [3, -2],
      [0, 1],
    ]);
  });

  it('refuses a roughness map beside another metalness map', async () => {
    const material = new MeshStandardMaterial({ roughnessMap: new Texture(), metalnessMap: new Texture() });
    for (const [name, written] of [
      ['', ''],
      ['steel', 'steel'],
      [undefined, ''],
    ]) {
      const mesh = new Mesh(new BoxGeometry(), Object.assign(material, { name }));
      await expect(filesOf(new Scene().add(mesh))).rejects.toThrow(
        `writeTiles: metalnessMap and roughnessMap of material "${written}" must be one texture, but is two; merge them: roughness is the green channel, metalness the blue one.`,
      );
    }
  });
});

describe('images of a loaded file', () => {
  const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1, 2, 3);
  const JPEG = Uint8Array.of(0xff, 0xd8, 0xff, 4, 5);
  const WEBP = Uint8Array.of(0x52, 0x49, 0x46, 0x46, 6);

  /** A glTF with a mesh for each material, whose images are inside it and in files beside it. */
  function fileWithImages(): { json: string; asked: string[]; register: (parser: GLTFParser) => never } {
    const positions = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    const asked: string[] = [];
    const json = {
      asset: { version: '2.0' },
      buffers: [{ byteLength: 36 + PNG.length }],
      bufferViews: [
        { buffer: 0, byteLength: 36 },
        { buffer: 0, byteOffset: 36, byteLength: PNG.length },
      ],
      accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] }],
      images: [{ bufferView: 1, mimeType: 'image/png' }, { uri: 'wall.jpg' }, { uri: 'https://host/roof' }],
      textures: [
        { source: 0 },
        { source: 1 },
        { source: 0, extensions: { EXT_other: {}, EXT_texture_webp: { source: 2 } } },
        { source: 1 },
      ],
      materials: [0, 1, 2, 3].map((index) => ({ pbrMetallicRoughness: { baseColorTexture: { index } } })),
      meshes: [{ primitives: [0, 1, 2, 3].map((material) => ({ attributes: { POSITION: 0 }, material })) }],
      nodes: [{ mesh: 0 }],
      scenes: [{ nodes: [0] }],
      scene: 0,
    };
    const sources = [0, 1, 2].map(() => new Texture().source);
    const register = (parser: GLTFParser): unknown => {
      const files: Record<string, Uint8Array> = { 'models/wall.jpg': JPEG, 'https://host/roof': WEBP };
      parser.fileLoader.loadAsync = (url: string) => {
        asked.push(url);
        return Promise.resolve(files[url].buffer as ArrayBuffer);
      };
      return {
        // The first of the plugins that load textures.
        name: 'KHR_texture_basisu',
        loadTexture: (index: number) => {
          const source = sources[[0, 1, 2, 1][index]];
          const texture = Object.assign(new Texture(), { source, flipY: false });
          parser.associations.set(texture, { textures: index });
          return Promise.resolve(texture);
        },
        loadBufferView: (index: number) => Promise.resolve(index === 0 ? positions.buffer : PNG.buffer),
      };
    };
    return { json: JSON.stringify(json), asked, register: register as never };
  }

  it('are written as they stand in it, each once, with the type that they have', async () => {
    const { json, asked, register } = fileWithImages();
    const gltf = await new GLTFLoader().register(register).parseAsync(json, 'models/');
    const files = new Map<string, Uint8Array>();
    for await (const { path, bytes } of writeTiles(objectsOf(gltf))) files.set(path, bytes);
    await readTileset(files);
    expect([...files].filter(([path]) => path.startsWith('images/'))).toEqual([
      ['images/0.png', PNG],
      ['images/1.jpg', JPEG],
      ['images/2.webp', WEBP],
    ]);
    expect(asked).toEqual(['models/wall.jpg', 'https://host/roof']);
  });

  it.each([
    ['wall.jpg', 'https://host/models/'],
    ['/wall.jpg', 'HTTPS://host/models/'],
    ['/wall.jpg', 'models/'],
    ['/wall.jpg', 'http://host/models/'],
    ['/wall.jpg', 'proxy/http://host/models/'],
    ['walls//wall.jpg', 'models/'],
    ['//files/wall.jpg', 'https://host/models/'],
    ['http://files/wall.jpg', 'models/'],
    ['DATA:image/jpeg;base64,/9j/', 'models/'],
    ['blob:https://host/1', 'models/'],
  ])('are loaded from where three loads them: %s of a file in %s', async (uri, path) => {
    const { json, register } = fileWithImages();
    const gltf = await new GLTFLoader().register(register).parseAsync(json.replace('wall.jpg', uri), path);
    const asked: string[] = [];
    gltf.parser.fileLoader.loadAsync = (url: string) => {
      asked.push(url);
      return Promise.resolve(JPEG.buffer);
    };
    for await (const file of writeTiles(objectsOf(gltf))) expect(file.bytes.length).toBeGreaterThan(0);
    expect(asked[0]).toBe(LoaderUtils.resolveURL(uri, path));
  });

  it('are refused where a texture is none of the file, or the type of an image is unknown', async () => {
    const { json, register } = fileWithImages();
    const gltf = await new GLTFLoader().register(register).parseAsync(json, 'models/');
    const mesh = gltf.scene.getObjectByProperty('isMesh', true) as Mesh;
    const write = async (): Promise<void> => {
      for await (const { path } of writeTiles(objectsOf(gltf))) expect(path).not.toBe('tileset.json');
    };
    gltf.parser.fileLoader.loadAsync = () => Promise.resolve(new ArrayBuffer(4));
    await expect(write()).rejects.toThrow('what encodeImage returns must have bytes and a mimeType');
    mesh.material = new MeshStandardMaterial({ map: new Texture() });
    await expect(write()).rejects.toThrow(/a texture must be of the file, but is .*; pass options.encodeImage\.$/);
    // A file that has none, and what a plugin has noted without a place in the file.
    gltf.parser.associations.set(new Texture(), undefined as never);
    for (const field of ['images', 'textures']) {
      delete gltf.parser.json[field];
      await expect(write()).rejects.toThrow('a texture must be of the file');
    }
  });
});
