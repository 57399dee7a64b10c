// Palettes: which materials are drawn as one, which texel each vertex reads, and what it holds after any change.

import {
  BoxGeometry,
  DataTexture,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshPhysicalMaterial,
  type MeshPhysicalMaterialParameters,
  MeshStandardMaterial,
  type Color,
  type Material,
  type Object3D,
} from 'three';
import { describe, expect, it } from 'vitest';
import { fieldsOf, freeSlotsOf, MAX_TEXELS, Palette, writeTexel } from '../../src/batches/palette.ts';
import { chunkNumberOf } from '../../src/batches/draw-states.ts';
import { SharedMaterials } from '../../src/batches/shared-materials.ts';
import { OctreeGroup, StaticBatches } from '../../src/three.ts';
import { isMultiplied } from '../../src/three/detector/material-record.ts';
import { UsualRows } from '../../src/three/detector/usual-fields.ts';
import { drawn, expectSame, RESTING_UPDATES, runUpdates } from '../support/batched-meshes.ts';
import { colorFrom, membersOf } from '../support/batch-places.ts';
import { MemoryFault, withFault } from '../support/allocation-faults.ts';
import { createRandom } from '../support/random.ts';

const picture = (channel = 0): DataTexture => Object.assign(new DataTexture(new Uint8Array(4), 1, 1), { channel });

function groupOf(materials: readonly Material[], perMaterial = 1): { group: OctreeGroup; batches: StaticBatches } {
  const group = new OctreeGroup({ hasStaticChildren: true });
  for (const [k, material] of materials.entries())
    for (let copy = 0; copy < perMaterial; copy++) {
      const mesh = new Mesh(new BoxGeometry(1, 1 + copy, 1), material);
      mesh.position.set(3 * (k % 100), 50 * Math.floor(k / 100), 4 * copy);
      group.add(mesh);
    }
  return { group, batches: new StaticBatches(group).finish() };
}

const standards = (count: number): MeshStandardMaterial[] =>
  Array.from({ length: count }, (_, k) => new MeshStandardMaterial({ color: 4097 * k, roughness: (k % 97) / 97 }));

const box = new BoxGeometry();
const same = (value: number): number[] => Array<number>(4).fill(Math.fround(value));
const color = (...values: number[]): number[] => [...values.map(Math.fround), 1];

const mapsOf = (material: Material, channels: readonly number[] = []): string[] =>
  freeSlotsOf(material, channels).map(({ map }) => map);

describe('a palette', () => {
  const PHYSICAL = { color: 0x336699, emissive: 0x112233, emissiveIntensity: 3, roughness: 0.3, metalness: 0.7 };
  const material = new MeshPhysicalMaterial({ ...PHYSICAL, clearcoat: 0.4, clearcoatRoughness: 0.2 });
  Object.assign(material, { sheen: 0.5, sheenRoughness: 0, specularIntensity: 0.9 });
  material.sheenColor.set(0xff8800);
  material.specularColor.set(0x88ff00);

  it('takes no value that is no colour, or no number', () => {
    const all = mapsOf(new MeshStandardMaterial());
    for (const [fields, map] of [
      [{ color: 'red' }, 'map'],
      [{ roughness: '0.5' }, 'roughnessMap'],
    ] as const) {
      expect(all).toContain(map);
      expect(mapsOf(Object.assign(new MeshStandardMaterial(), fields))).toEqual(all.filter((one) => one !== map));
    }
  });

  it('holds what three multiplies by each texture, and leaves 1 or white in the copy', () => {
    const slots = freeSlotsOf(material, []);
    const palette = new Palette(slots);
    palette.add(material);
    const copy = material.clone();
    palette.prepare(copy);
    const { r, g, b } = material.emissive;
    const texels = Object.fromEntries(
      slots.map(({ map }) => {
        const { image } = (copy as unknown as Record<string, DataTexture>)[map];
        return [map, Array.from(image.data!.slice(0, 4) as Float32Array)];
      }),
    );
    expect(texels).toEqual({
      map: color(...material.color.toArray()),
      emissiveMap: color(3 * r, 3 * g, 3 * b),
      roughnessMap: same(0.3),
      metalnessMap: same(0.7),
      clearcoatMap: same(0.4),
      clearcoatRoughnessMap: same(0.2),
      sheenColorMap: color(...material.sheenColor.toArray().map((value) => value / 2)),
      sheenRoughnessMap: same(1e-4),
      specularColorMap: color(...material.specularColor.toArray()),
      specularIntensityMap: same(0.9),
    });
    const left = [copy.emissiveIntensity, copy.roughness, copy.metalness, copy.clearcoat, copy.sheen].concat(
      [copy.color, copy.emissive, copy.sheenColor, copy.specularColor].flatMap((each) => each.toArray()),
    );
    expect(new Set(left)).toEqual(new Set([1]));
    palette.dispose();
  });

  it('grows, keeps its texels, and gives those of removed materials to others; it uploads 64 kB at most', () => {
    const palette = new Palette(freeSlotsOf(material, []).slice(0, 1));
    const all = Array.from({ length: 4096 }, (_, k) => new MeshPhysicalMaterial({ color: k + 1 }));
    let textures = 0;
    for (const each of all) if (palette.add(each)) textures++;
    expect([MAX_TEXELS, textures]).toEqual([4096, 7]);
    const copy = new MeshPhysicalMaterial();
    palette.prepare(copy);
    const { width, height, data } = copy.map!.image as { width: number; height: number; data: Float32Array };
    expect([width, height, data.byteLength]).toEqual([64, 64, 65_536]);
    const uv = new Float32Array(4);
    for (const k of [0, 63, 64, 4095]) {
      writeTexel(palette.texelOf(all[k]), uv, 1, 1);
      const [x, y] = [uv[2] * copy.map!.repeat.x, uv[3] * copy.map!.repeat.y];
      const texel = Math.floor(x * width) + width * Math.floor(y * height);
      expect(Array.from(data.slice(4 * texel, 4 * texel + 3))).toEqual(all[k].color.toArray().map(Math.fround));
    }
    const texel = palette.texelOf(all[9]);
    palette.remove(all[9]);
    const next = new MeshPhysicalMaterial();
    expect(palette.add(next)).toBe(false);
    expect(palette.texelOf(next)).toBe(texel);
  });

  it('is uploaded only if a value has changed', () => {
    const palette = new Palette(freeSlotsOf(material, []));
    palette.add(material);
    const copy = new MeshPhysicalMaterial();
    palette.prepare(copy);
    const before = [copy.map!.version, copy.roughnessMap!.version];
    palette.write(material);
    expect([copy.map!.version, copy.roughnessMap!.version]).toEqual(before);
    material.roughness = 0.9;
    palette.write(material);
    expect([copy.map!.version, copy.roughnessMap!.version]).toEqual([before[0], before[1] + 1]);
  });
});

describe('the free slots of a material', () => {
  it.each<[string, Material, readonly number[], string[]]>([
    ['of a kind with a colour only', new MeshBasicMaterial(), [], ['map']],
    ['with a texture of its own', new MeshLambertMaterial({ map: picture() }), [0], ['emissiveMap']],
    [
      'without clearcoat',
      new MeshPhysicalMaterial(),
      [],
      ['map', 'emissiveMap', 'roughnessMap', 'metalnessMap', 'specularColorMap', 'specularIntensityMap'],
    ],
    ['whose textures read the channel', new MeshLambertMaterial({ aoMap: picture(3) }), [0, 3], []],
    ['of a low precision', new MeshBasicMaterial({ precision: 'mediump' }), [], []],
    ['of a high precision', new MeshBasicMaterial({ precision: 'highp' }), [], ['map']],
    [
      'with eight textures of its own',
      new MeshPhysicalMaterial({
        aoMap: picture(),
        lightMap: picture(),
        bumpMap: picture(),
        normalMap: picture(),
        iridescenceMap: picture(),
        clearcoatNormalMap: picture(),
        anisotropyMap: picture(),
        alphaMap: picture(),
      }),
      [0],
      ['map', 'emissiveMap'],
    ],
  ])('%s', (_, material, channels, maps) => {
    expect(mapsOf(material, channels)).toEqual(maps);
  });

  it('have the values that the detector tells as such, and compares in each update', () => {
    const material = new MeshPhysicalMaterial({ clearcoat: 1, sheen: 1 });
    const slots = freeSlotsOf(material, []);
    const values = fieldsOf(slots).filter((name) => !slots.some(({ map }) => map === name));
    const fields = Object.keys(material).map((name) => name.replace(/^_/, ''));
    expect(fields.filter(isMultiplied).sort()).toEqual(values.sort());
    for (const name of values) {
      const rows = new UsualRows();
      rows.take(material, 0);
      const value = Reflect.get(material, name) as number | Color;
      if (typeof value === 'number') Reflect.set(material, name, value + 0.125);
      else value.b += 0.125;
      expect([name, rows.take(material, 0), rows.take(material, 0)]).toEqual([name, true, false]);
    }
  });
});

/** Changes one of 12 materials that are drawn as one: then it draws its mesh itself. */
async function expectPart(
  materials: readonly MeshPhysicalMaterial[],
  change: (material: MeshPhysicalMaterial) => void,
): Promise<void> {
  const { group, batches } = groupOf(materials);
  expect(batches.report()).toMatchObject({ batched: 12, chunks: 1 });
  change(materials[5]);
  await runUpdates(group, 1);
  expect(drawn(group).filter(({ parent }) => parent !== null)).toEqual([group.children[5]]);
  expect(batches.finish().report()).toMatchObject({ batched: 11, waiting: 1 });
}

describe('materials that differ in values only', () => {
  it('are drawn as one, 2,000 of them in one call', () => {
    const { group, batches } = groupOf(standards(2000));
    expect(batches.report()).toMatchObject({ batched: 2000, chunks: 1, materials: 2000, drawnMaterials: 1 });
    expect(drawn(group)).toHaveLength(1);
    expectSame(group);
  });

  it('are not, if one has enough meshes: a mesh in another colour has nothing built again', async () => {
    const [wall, red] = standards(2);
    const { group, batches } = groupOf([wall], 40);
    const [chunk] = membersOf(batches).chunks;
    (group.children[3] as Mesh).material = red;
    await runUpdates(group, RESTING_UPDATES + 2);
    expect(batches.finish().report()).toMatchObject({ batched: 39, waiting: 1 });
    expect(membersOf(batches).chunks).toEqual([chunk]);
    // As many of the other.
    for (let k = 0; k < 39; k++) group.add(new Mesh(new BoxGeometry(), red).translateY(2 + 3 * k));
    expect(batches.finish().report()).toMatchObject({ batched: 79, waiting: 0, drawnMaterials: 1 });
    await runUpdates(group, 1);
    expect(batches.report().chunks).toBe(1);
    expectSame(group);
  });

  it('show a new value in the next picture, by one texel, and keep their meshes', async () => {
    const materials = standards(80);
    const { group, batches } = groupOf(materials);
    const { key } = membersOf(batches).chunks[0]!;
    const { map, roughnessMap } = key.material as MeshStandardMaterial;
    const versions = [map!.version, roughnessMap!.version];
    materials[70].color.set('red');
    await runUpdates(group, 1);
    expect(colorFrom(batches, group, group.children[70])).toEqual([1, 0, 0]);
    expect([map!.version, roughnessMap!.version]).toEqual([versions[0] + 1, versions[1]]);
    expect(batches.report()).toMatchObject({ batched: 80, out: 0 });
    expectSame(group);
  });

  it.each<[string, (material: MeshPhysicalMaterial) => void]>([
    ['envMapIntensity', (material) => void (material.envMapIntensity = 0.5)],
    ['a texture in the slot', (material) => void (material.map = picture())],
    [
      'a texture in the slot, of other coordinates',
      (material) => void (material.map = Object.assign(picture(), { channel: 1 })),
    ],
    ['clearcoat, which it had not', (material) => void (material.clearcoat = 0.5)],
    ['ior', (material) => void (material.ior = 2)],
    ['a low precision', (material) => void (material.precision = 'mediump')],
  ])('part if another field changes: %s', async (_, change) => {
    const normalMap = picture();
    const materials = Array.from({ length: 12 }, (__, k) => new MeshPhysicalMaterial({ color: 4097 * k, normalMap }));
    await expectPart(materials, change);
  });

  // A texture of its own takes the place of the palette, so the value is one of the copy.
  it.each<[string, keyof MeshPhysicalMaterialParameters, (material: MeshPhysicalMaterial) => void]>([
    ['color', 'map', (material) => material.color.set('red')],
    ['emissive', 'emissiveMap', (material) => material.emissive.set('red')],
    ['emissiveIntensity', 'emissiveMap', (material) => void (material.emissiveIntensity = 2)],
    ['roughness', 'roughnessMap', (material) => void (material.roughness = 0.25)],
    ['metalness', 'metalnessMap', (material) => void (material.metalness = 0.25)],
    ['clearcoat', 'clearcoatMap', (material) => void (material.clearcoat = 0.25)],
    ['specularIntensity', 'specularIntensityMap', (material) => void (material.specularIntensity = 0.25)],
    ['specularColor', 'specularColorMap', (material) => material.specularColor.set('red')],
    ['sheenColor', 'sheenColorMap', (material) => material.sheenColor.set('red')],
    ['sheenRoughness', 'sheenRoughnessMap', (material) => void (material.sheenRoughness = 0.25)],
  ])('part if %s changes beside %s', async (_, map, change) => {
    const fields = { clearcoat: 0.5, sheen: 0.5, emissive: 0x112233, [map]: picture() };
    const materials = Array.from({ length: 12 }, () => new MeshPhysicalMaterial(fields));
    await expectPart(materials, change);
  });

  it('are drawn as one by the fields that they have then, not by those that were compared', async () => {
    const materials = standards(3);
    const { group, batches } = groupOf(materials.slice(0, 1), 40);
    group.add(...materials.slice(1).map((material, k) => new Mesh(box, material).translateX(-3 - 3 * k)));
    // So many that an update compares only some of them.
    for (let k = 0; k < 60; k++) {
      const material = new MeshStandardMaterial({ bumpScale: 2 + k });
      group.add(...[0, 1, 2, 3].map((z) => new Mesh(box, material).translateX(3 * k).translateZ(-9 - 3 * z)));
    }
    // The others draw themselves, because the first has more meshes.
    expect(batches.finish().report()).toMatchObject({ batched: 280, waiting: 2 });
    await runUpdates(group, 1);
    for (let k = 0; k < 80; k++) group.add(new Mesh(box, materials[1 + (k % 2)]).translateY(2 + 3 * k));
    materials[0].envMapIntensity = 0.5;
    // The change is not known yet.
    batches.finish();
    const { states } = membersOf(batches);
    const wrong = (): Object3D[] =>
      group.children.filter((child) => {
        const address = states.placedAt(group.groupChildren.memberOf(child)!);
        const drawing = address < 0 ? (child as Mesh).material : membersOf(batches).slots.chunkAt(address).key.material;
        const { envMapIntensity } = (child as Mesh).material as MeshStandardMaterial;
        return (drawing as MeshStandardMaterial).envMapIntensity !== envMapIntensity;
      });
    expect(wrong()).toEqual([]);
    await runUpdates(group, 20);
    batches.finish();
    expect(wrong()).toEqual([]);
    expect(batches.report()).toMatchObject({ waiting: 0, drawnMaterials: 62 });
    expectSame(group);
  });

  it('are drawn as one once memory is there again, whichever allocation has failed', () => {
    const count = 70;
    for (let n = 1, isDone = false; !isDone; n++) {
      const group = new OctreeGroup({ hasStaticChildren: true });
      for (const [k, material] of standards(count).entries())
        group.add(Object.assign(new Mesh(box, material), { name: `${k}` }).translateX(3 * k));
      const batches = new StaticBatches(group);
      group.updateMatrixWorld();
      const { error } = withFault(n, () => batches.finish());
      if (error !== undefined) expect(error).toBeInstanceOf(MemoryFault);
      isDone = error === undefined;
      batches.finish();
      expect(batches.report(), `allocation ${n}`).toMatchObject({ batched: count, materials: count });
      expect(drawn(group).length, `allocation ${n}`).toBe(1);
    }
  });

  it('leave no textures behind, whatever comes and goes', async () => {
    const random = createRandom(6);
    const group = new OctreeGroup({ hasStaticChildren: true });
    const batches = new StaticBatches(group);
    const held = new Set<DataTexture>();
    const seen = new WeakSet<DataTexture>();
    for (let round = 0; round < 40; round++) {
      for (let k = 0; k < 8; k++) {
        const material = new MeshStandardMaterial({ color: random.below(2 ** 24), envMapIntensity: random.below(3) });
        group.add(new Mesh(new BoxGeometry(), material).translateX(random.between(0, 200)));
      }
      for (const child of group.children.slice()) if (random.below(3) === 0) group.remove(child);
      await runUpdates(group, random.below(3));
      batches.finish();
      for (const chunk of membersOf(batches).chunks) {
        const { map } = (chunk?.key.material ?? {}) as MeshStandardMaterial;
        if (!map || seen.has(map as DataTexture)) continue;
        seen.add(map as DataTexture);
        held.add(map as DataTexture);
        map.addEventListener('dispose', () => held.delete(map as DataTexture));
      }
      expect(held.size).toBeLessThanOrEqual(3);
      expectSame(group);
    }
    batches.dispose();
    expect(held.size).toBe(0);
  });
});

it('materials beyond those that fit into a palette have another one', () => {
  const all = new SharedMaterials(true, () => true);
  const materials = Array.from({ length: MAX_TEXELS + 2 }, (_, k) => new MeshPhysicalMaterial({ color: k }));
  const slots = freeSlotsOf(materials[0], []);
  const used = new Set(materials.map((each) => all.join(each, slots)!));
  for (const shared of used) shared.open([...shared.users]);
  expect([...used].map(({ drawnCount }) => drawnCount)).toEqual([MAX_TEXELS, 2]);
  expect(all.due).toEqual([]);
});

/** How a group gets a mesh whose material shows which others are drawn before it. */
const OVERLAYS: Record<string, (group: OctreeGroup, overlay: Mesh, material: Material) => unknown> = {
  'is added': (group, overlay) => group.add(overlay),
  'is added and static': (group, overlay) => group.add(overlay).setStatic(overlay),
  'is added below a Group': (group, overlay) => group.addTree(new Group().add(overlay)),
  'is added, never culled': (group, overlay) => group.add(Object.assign(overlay, { frustumCulled: false })),
  'gets the material': (group, overlay, material) => {
    Object.assign(overlay, { material: (group.children[0] as Mesh).material });
    group.add(overlay).updateMatrixWorld();
    overlay.material = material;
  },
  'has one of two such materials': (group, overlay, material) => {
    overlay.geometry.addGroup(0, 18, 0);
    overlay.geometry.addGroup(18, 18, 1);
    group.add(Object.assign(overlay, { material: [(group.children[0] as Mesh).material, material] }));
  },
  'is never culled, and its material changes': (group, overlay, material) => {
    material.depthTest = true;
    group.add(Object.assign(overlay, { frustumCulled: false })).updateMatrixWorld();
    material.depthTest = false;
  },
};

it.each(Object.entries(OVERLAYS))('materials are drawn in their order once an overlay %s', async (_, change) => {
  const [red, overlay, blue] = ['red', 'lime', 'blue'].map((one) => new MeshBasicMaterial({ color: one }));
  overlay.depthTest = false;
  const group = new OctreeGroup();
  const meshes = Array.from({ length: 80 }, (__, k) => new Mesh(box, k % 2 === 0 ? red : blue).translateX(3 * k));
  const batches = new StaticBatches(group.add(...meshes)).finish();
  const { states, chunks } = membersOf(batches);
  const drawnBy = (mesh: Mesh): Material => {
    const address = states.placedAt(group.groupChildren.memberOf(mesh)!);
    return address < 0 ? (mesh.material as Material) : chunks[chunkNumberOf(address)]!.key.material;
  };
  expect(new Set(meshes.map(drawnBy)).size).toBe(1);
  await runUpdates(group, 1);
  change(group, new Mesh(new BoxGeometry(), overlay).translateY(9), overlay);
  await runUpdates(group, 1);
  // The overlay is drawn between the two.
  expect(drawnBy(meshes[0])).not.toBe(drawnBy(meshes[1]));
  await runUpdates(group, RESTING_UPDATES);
  expect(batches.report()).toMatchObject({ batched: 80, drawnMaterials: 2 });
});
