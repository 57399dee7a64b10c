import {
  BackSide,
  BoxGeometry,
  Color,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  PlaneGeometry,
  RepeatWrapping,
  Scene,
  Texture,
  Vector3,
} from 'three';
import { GLTFLoader, type GLTFParser } from 'three/addons/loaders/GLTFLoader.js';
import { describe, expect, it } from 'vitest';
import { objectsOf, writeTiles, type SceneObject } from '../../src/tiles/index.ts';
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

  it('refuses what is no scene', () => {
    expect(() => objectsOf({} as never)).toThrow('objectsOf: source must be an object of three');
    expect(() => objectsOf(null as never)).toThrow('objectsOf: source must be an object');
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
    await expect(filesOf(new Scene().add(new Mesh(new BoxGeometry(), material)))).rejects.toThrow(
      'writeTiles: metalnessMap and roughnessMap of material "" must be one texture',
    );
  });
});
