/**
 * Meshes whose materials read vertices in each way that three has: a texture in each slot, for each channel of texture
 * coordinates, and anisotropy, which reads them without a texture. In a plain group and in one with batches.
 */

import {
  AmbientLight,
  BufferAttribute,
  DataTexture,
  DirectionalLight,
  Mesh,
  MeshPhysicalMaterial,
  OrthographicCamera,
  RepeatWrapping,
  TorusGeometry,
  type BufferGeometry,
  type Material,
  type MeshPhysicalMaterialParameters,
} from 'three';
import { setBatchLimits } from './batch-limits.ts';
import { OctreeGroup, StaticBatches } from '../../src/three.ts';
import { createRandom, type Random } from './random.ts';
import { createTwins, type Twins } from './three-scenes.ts';

export const CHANNELS = [0, 1, 2, 3] as const;
/** The slots of textures that texture coordinates place, with what makes them show. */
const SLOTS: Readonly<Record<string, MeshPhysicalMaterialParameters>> = {
  map: {},
  alphaMap: { alphaTest: 0.5 },
  aoMap: {},
  lightMap: { lightMapIntensity: 3 },
  emissiveMap: { emissive: 0xffffff },
  bumpMap: { bumpScale: 20 },
  normalMap: {},
  roughnessMap: {},
  metalnessMap: { metalness: 1 },
  anisotropyMap: { anisotropy: 1, metalness: 0.5 },
  clearcoatMap: { clearcoat: 1 },
  clearcoatNormalMap: { clearcoat: 1, clearcoatRoughness: 0.3 },
  clearcoatRoughnessMap: { clearcoat: 1, clearcoatRoughness: 1 },
  iridescenceMap: { iridescence: 1, iridescenceIOR: 2 },
  iridescenceThicknessMap: { iridescence: 1, iridescenceIOR: 2 },
  sheenColorMap: { sheen: 1, sheenColor: 0xffffff, sheenRoughness: 0.4 },
  sheenRoughnessMap: { sheen: 1, sheenColor: 0xffffff, sheenRoughness: 1 },
  specularColorMap: {},
  specularIntensityMap: {},
};
/** Meshes of each material. */
const COPIES = 2;
const COLUMNS = 7;

const EDGE = 8;
function noise(random: Random, channel: number): DataTexture {
  const texture = new DataTexture(
    Uint8Array.from({ length: 4 * EDGE * EDGE }, () => random.below(256)),
    EDGE,
    EDGE,
  );
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.channel = channel;
  texture.needsUpdate = true;
  return texture;
}

/**
 * A ring with four pairs of texture coordinates, each of another direction. With tangents it has large triangles, in
 * which the tangents differ.
 */
function surface(random: Random, hasTangents: boolean): BufferGeometry {
  const [radial, tubular] = hasTangents ? [4, 5] : [10, 14];
  const geometry = new TorusGeometry(0.35, random.between(0.1, 0.2), radial, tubular);
  const { uv } = geometry.attributes;
  for (const channel of CHANNELS) {
    const turned = new Float32Array(2 * uv.count);
    const [c, s] = [Math.cos(1 + 1.7 * channel), Math.sin(1 + 1.7 * channel)];
    for (let k = 0; k < uv.count; k++)
      turned.set([c * uv.getX(k) - s * uv.getY(k), s * uv.getX(k) + c * uv.getY(k)], 2 * k);
    geometry.setAttribute(`uv${channel || ''}`, new BufferAttribute(turned, 2));
  }
  if (hasTangents) geometry.computeTangents();
  return geometry;
}

export interface Surface {
  readonly material: Material;
  readonly hasTangents: boolean;
}

/** A material for each slot with a texture of a channel, and for anisotropy. */
export function surfacesOf(channel: number): Surface[] {
  const random = createRandom(1);
  const surfaces: Surface[] = [];
  const add = (parameters: MeshPhysicalMaterialParameters, hasTangents = false): void => {
    const material = new MeshPhysicalMaterial({ color: 0xcc9966, roughness: 0.4, ...parameters });
    surfaces.push({ material, hasTangents });
  };
  for (const [slot, parameters] of Object.entries(SLOTS)) {
    const texture = noise(random, channel);
    add({ ...parameters, [slot]: texture });
    if (slot === 'normalMap') add({ [slot]: texture }, true);
  }
  for (const hasTangents of [false, true]) add({ anisotropy: 1, metalness: 0.8 }, hasTangents);
  add({});
  return surfaces;
}

/** Looks at the meshes of `surfaceTwins`. */
export const surfaceCamera = new OrthographicCamera(-0.6, COLUMNS - 0.4, COLUMNS - 0.4, -0.6, 0, 10);
surfaceCamera.position.z = 5;
surfaceCamera.updateMatrixWorld();

/** Meshes of each surface, stretched and turned, in a plain group and in batches. */
export function surfaceTwins(surfaces: readonly Surface[]): { twins: Twins; batches: StaticBatches; count: number } {
  const twins = createTwins(7, (group, random) => {
    if (group instanceof OctreeGroup) group.hasStaticChildren = true;
    for (const [k, { material, hasTangents }] of surfaces.entries())
      for (let copy = 0; copy < COPIES; copy++) {
        const at = k * COPIES + copy;
        const mesh = new Mesh(surface(random, hasTangents), material);
        mesh.position.set(at % COLUMNS, Math.floor(at / COLUMNS), 0);
        mesh.rotation.set(random.next(), random.next(), random.next());
        mesh.scale.set(random.between(0.5, 1.2), random.between(0.5, 1.2), random.between(0.2, 3));
        group.add(mesh);
      }
  });
  twins.each(({ scene }) => scene.add(new AmbientLight(0xffffff, 0.6), directional(1, 2, 3), directional(-2, 1, 1)));
  const batches = new StaticBatches(twins.octree.group as OctreeGroup);
  setBatchLimits(batches, { minMembers: COPIES });
  batches.finish();
  return { twins, batches, count: COPIES * surfaces.length };
}

function directional(...position: [number, number, number]): DirectionalLight {
  const light = new DirectionalLight(0xffffff, 3);
  light.position.set(...position);
  return light;
}
