// Materials that differ in values only are drawn as one, by a palette: the picture must be that of a plain Group, with
// all kinds of materials, also after values have changed.

import {
  AmbientLight,
  Color,
  DataTexture,
  DirectionalLight,
  EquirectangularReflectionMapping,
  Fog,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshPhongMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  MeshToonMaterial,
  SphereGeometry,
  TorusGeometry,
  type Material,
} from 'three';
import { afterEach, describe, expect, it } from 'vitest';
import { OctreeGroup, StaticBatches } from '../../src/three.ts';
import { instanceFrom } from '../support/batched-town.ts';
import { expectNear } from '../support/near-pictures.ts';
import { createRandom, type Random } from '../support/random.ts';
import { IS_LONG, sampleFrom } from '../support/sampled.ts';
import { addShadowLights, directional } from '../support/shadow-lights.ts';
import { createCamera, readPicture, useRenderer } from '../support/three-pictures.ts';
import { createTwins, place, type Twin, type Twins } from '../support/three-scenes.ts';
import { BACKENDS, nextFrame, pixelsOf, useWebGPURenderer } from '../support/webgpu-pictures.ts';

const camera = createCamera([0, 6, -30], [0, 0, 0], 70);
const REACH = 11;
/** Share of the pixels that may differ: edges of triangles. */
const SHARE = 4e-4;

const sky = new DataTexture(
  Uint8Array.from({ length: 4 * 128 }, (_, k) => (k * 37) % 256),
  16,
  8,
);
sky.mapping = EquirectangularReflectionMapping;
sky.needsUpdate = true;

type Fields = MeshPhysicalMaterial & MeshPhongMaterial;

const KINDS: readonly (readonly [string, () => Material])[] = [
  ['Basic', () => new MeshBasicMaterial()],
  ['Lambert', () => new MeshLambertMaterial()],
  ['Phong', () => new MeshPhongMaterial()],
  ['Toon', () => new MeshToonMaterial()],
  ['Standard', () => new MeshStandardMaterial()],
  ['Physical', () => new MeshPhysicalMaterial()],
  ['Physical with clearcoat and sheen', () => new MeshPhysicalMaterial({ clearcoat: 0.5, sheen: 0.5 })],
];

/** Gives a material other values. */
function mix(material: Material, random: Random): void {
  const fields = material as Fields;
  fields.color.setHex(random.below(2 ** 24));
  fields.emissive?.setHex(random.below(2 ** 20));
  if (fields.emissiveIntensity !== undefined) fields.emissiveIntensity = random.next();
  if (fields.roughness === undefined) return;
  fields.roughness = random.next();
  fields.metalness = random.next();
  if (!fields.isMeshPhysicalMaterial) return;
  fields.specularIntensity = random.next();
  fields.specularColor.setHex(random.below(2 ** 24));
  if (fields.clearcoat === 0) return;
  fields.clearcoat = random.between(0.2, 1);
  fields.clearcoatRoughness = random.next();
  fields.sheen = random.between(0.2, 1);
  fields.sheenRoughness = random.next();
  fields.sheenColor.setHex(random.below(2 ** 24));
}

const ball = new SphereGeometry(1.4, 10, 8);

interface Town {
  readonly twins: Twins;
  readonly batches: StaticBatches;
  readonly materials: readonly Material[];
  readonly count: number;
}

const towns: Town[] = [];

/** Two meshes of each material, one of which has the same geometry as all such. */
function town(create: readonly (() => Material)[], perKind = 12): Town {
  const values = createRandom(4);
  const materials = create.flatMap((one) =>
    Array.from({ length: perKind }, () => {
      const material = one();
      mix(material, values);
      return material;
    }),
  );
  const twins = createTwins(8, (group, random) => {
    if (group instanceof OctreeGroup) group.hasStaticChildren = true;
    for (const material of materials)
      for (const geometry of [ball, new TorusGeometry(1, random.between(0.3, 0.6), 8, 12)]) {
        const mesh = new Mesh(geometry, material);
        place(mesh, random, REACH);
        mesh.castShadow = mesh.receiveShadow = true;
        group.add(mesh);
      }
  });
  twins.each(({ scene }) => {
    scene.environment = sky;
    scene.fog = new Fog(0x8899aa, 10, 60);
    scene.background = new Color(0x334455);
    scene.add(new AmbientLight(0xffffff, 0.3));
    addShadowLights(scene, [directional()]);
  });
  const batches = new StaticBatches(twins.octree.group as OctreeGroup);
  instanceFrom(batches, 8);
  batches.finish();
  const each = { twins, batches, materials, count: 2 * materials.length };
  towns.push(each);
  return each;
}

function disposeTowns(): void {
  for (const { batches, materials, twins } of towns.splice(0)) {
    batches.dispose();
    for (const material of materials) material.dispose();
    twins.each(({ scene }) =>
      scene.traverse((object) => {
        if (object instanceof DirectionalLight) object.dispose();
        else if (object instanceof Mesh) object.geometry.dispose();
      }),
    );
  }
}
afterEach(disposeTowns);

describe('WebGLRenderer', () => {
  const renderer = useRenderer();
  let calls = 0;
  const draw = ({ scene }: Twin): Uint32Array => {
    renderer.info.reset();
    const picture = readPicture(renderer, () => renderer.render(scene, camera));
    calls = renderer.info.render.calls;
    return picture;
  };
  const counts = (): number[] => {
    const { memory, programs } = renderer.info;
    return [memory.textures, memory.geometries, programs!.length];
  };
  const expectSame = ({ twins }: Town): number => {
    const plain = draw(twins.plain);
    const before = calls;
    expectNear(plain, draw(twins.octree), SHARE);
    return calls / before;
  };

  const kinds = sampleFrom(KINDS, 3);
  it.each(kinds)('draws materials as one: %s', async (_, create) => {
    const each = town([create]);
    expect(each.batches.report()).toMatchObject({
      batched: 24,
      instanced: 12,
      chunks: 2,
      materials: 12,
      drawnMaterials: 1,
    });
    // Merged, instanced and mirrored ones, the ground, and a shadow map of all.
    expect(expectSame(each)).toBeLessThan(0.25);
    const random = createRandom(9);
    for (let round = 0; round < 3; round++) {
      for (const material of each.materials.slice(0, 4)) mix(material, random);
      expect(expectSame(each)).toBeLessThan(0.25);
      await Promise.resolve();
    }
    expect(each.batches.report()).toMatchObject({ batched: 24, drawnMaterials: 1 });
  });

  it('draws what a history of changes has left, with an object under the pointer', async () => {
    const each = town([1, 4, 5].map((k) => KINDS[k][1]));
    const { materials, twins } = each;
    const random = createRandom(21);
    const all = twins.plain.group.children.length;
    let hovered: MeshStandardMaterial | null = null;
    for (let step = 0; step < (IS_LONG ? 44 : 12); step++) {
      const material = random.pick(materials) as MeshStandardMaterial;
      const [at, seed, kind] = [random.below(all), random.below(1e9), random.below(7)];
      if (kind === 0) mix(material, random);
      else if (kind === 1) Object.assign(material, { flatShading: !material.flatShading, needsUpdate: true });
      else if (kind === 2) material.transparent = !material.transparent;
      else if (kind === 3) material.depthWrite = !material.depthWrite;
      twins.each(({ group }) => {
        const mesh = group.children[at] as Mesh;
        if (kind === 4) mesh.material = material;
        else if (kind === 5) mesh.visible = !mesh.visible;
        else if (kind === 6) {
          place(mesh, createRandom(seed), REACH);
          if (group instanceof OctreeGroup) group.reportMove(mesh);
        }
      });
      hovered?.emissive.setHex(0);
      hovered = random.pick(materials) as MeshStandardMaterial;
      hovered.emissive.setHex(0xff4400);
      if (step % 4 !== 3) continue;
      for (let update = step % 5; update > 0; update--) {
        await Promise.resolve();
        twins.octree.group.updateMatrixWorld();
      }
      await Promise.resolve();
      expectSame(each);
    }
  });

  it('keeps no textures, programs and geometries in many rounds', () => {
    const seen = Array.from({ length: IS_LONG ? 20 : 6 }, () => {
      draw(town([KINDS[1][1]], 70).twins.octree);
      const held = counts();
      disposeTowns();
      return [held, counts()].flat();
    });
    expect(new Set(seen.slice(2).map(String)).size).toBe(1);
    const [textureCount, geometryCount, , ...after] = seen.at(-1)!;
    // A palette of two textures, chunks and what views have.
    expect(textureCount - after[0]).toBeGreaterThanOrEqual(2);
    expect(geometryCount - after[1]).toBeGreaterThanOrEqual(2);
  });
});

describe.each(BACKENDS)('WebGPURenderer with its %s backend', (name, forceWebGL) => {
  const { isTested, get } = useWebGPURenderer(name, forceWebGL);

  it.runIf(isTested)('draws materials of all kinds as one, also after values change', async () => {
    const kinds = sampleFrom([0, 2, 3, 4, 6], 4, Number(forceWebGL)).map((k) => KINDS[k][1]);
    const each = town(kinds, 5);
    const { length } = kinds;
    expect(each.batches.report()).toMatchObject({
      batched: 10 * length,
      materials: 5 * length,
      drawnMaterials: length,
    });
    const random = createRandom(9);
    for (let round = 0; round < 2; round++) {
      const [plain, octree] = [
        await pixelsOf(get(), each.twins.plain, camera),
        await pixelsOf(get(), each.twins.octree, camera),
      ];
      expectNear(plain, octree, SHARE);
      for (const material of each.materials) if (random.below(3) === 0) mix(material, random);
      await nextFrame();
    }
  });
});
