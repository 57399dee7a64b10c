// What materials read of vertices: textures in all slots and channels, anisotropy, tangents. A batch must hold all that
// a shader reads, so the picture must be that of a plain Group.

import { MeshPhysicalMaterial, type Material } from 'three';
import { color, fog, modelPosition, normalLocal, positionLocal, uv } from 'three/tsl';
import { describe, expect, it } from 'vitest';
import { CHANNELS, surfaceCamera, surfacesOf, surfaceTwins } from '../support/batched-surfaces.ts';
import { countFar } from '../support/near-pictures.ts';
import { sampleFrom } from '../support/sampled.ts';
import { readPicture, useRenderer } from '../support/three-pictures.ts';
import type { Twins } from '../support/three-scenes.ts';
import { BACKENDS, pixelsOf, useWebGPURenderer } from '../support/webgpu-pictures.ts';

/** Pixels that may differ: edges of triangles, in a picture of 128 x 128. */
const MOST = 6;

type Draw = (twins: Twins) => Promise<Uint32Array[]>;

function testSurfaces(isTested: boolean, channels: readonly number[], draw: Draw): void {
  async function expectSame(twins: Twins): Promise<void> {
    const [plain, octree] = await draw(twins);
    expect(plain.filter((pixel) => pixel !== plain[0]).length).toBeGreaterThan(3000);
    expect(countFar(plain, octree)).toBeLessThanOrEqual(MOST);
  }

  it.runIf(isTested).each(channels)('with textures of channel %i in each slot', async (channel) => {
    const { twins, batches, count } = surfaceTwins(sampleFrom(surfacesOf(channel), 2, channel));
    expect(batches.report().batched).toBe(count);
    await expectSame(twins);
  });

  it.runIf(isTested)('with an override material that has anisotropy', async () => {
    const { twins } = surfaceTwins(surfacesOf(0).map((surface) => ({ ...surface, material: plainMaterial })));
    twins.each(({ scene }) => (scene.overrideMaterial = anisotropic));
    await expectSame(twins);
  });
}
const plainMaterial: Material = new MeshPhysicalMaterial();
const anisotropic = new MeshPhysicalMaterial({ anisotropy: 1, metalness: 0.8, roughness: 0.4 });

describe('WebGLRenderer draws batches', () => {
  const renderer = useRenderer();
  testSurfaces(true, sampleFrom(CHANNELS, 4, 3), async ({ plain, octree }) =>
    [plain, octree].map(({ scene }) => readPicture(renderer, () => renderer.render(scene, surfaceCamera))),
  );
});

describe.each(BACKENDS)('WebGPURenderer with its %s backend draws batches', (name, forceWebGL) => {
  const { isTested, get } = useWebGPURenderer(name, forceWebGL);
  // Each material takes 50 ms to compile: one channel for each backend, and half of the slots in a sample. All pass.
  testSurfaces(isTested, forceWebGL ? [2] : [1], async ({ plain, octree }) => [
    await pixelsOf(get(), plain, surfaceCamera, 1),
    await pixelsOf(get(), octree, surfaceCamera, 1),
  ]);

  it.runIf(isTested)('or meshes, where a fog reads the object', async () => {
    const { twins } = surfaceTwins(surfacesOf(0).map((surface) => ({ ...surface, material: plainMaterial })));
    for (const factor of [positionLocal.y, modelPosition.x.mul(0.2), uv().x, normalLocal.z]) {
      twins.each(({ scene }) => Object.assign(scene, { fogNode: fog(color(0xff0000), factor.clamp(0, 1)) }));
      const [plain, octree] = [
        await pixelsOf(get(), twins.plain, surfaceCamera, 1),
        await pixelsOf(get(), twins.octree, surfaceCamera, 1),
      ];
      expect(countFar(plain, octree)).toBeLessThanOrEqual(MOST);
    }
  });
});
