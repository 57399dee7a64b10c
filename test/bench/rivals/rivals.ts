/**
 * The rivals by name. The names are values of `--rivals` and keys of stored runs. The module of a rival is loaded only
 * in its own process.
 */

import type { Rival } from './rival.ts';

/** The results of this rival decide which results of the others are wrong. */
export const REFERENCE = 'brute force';
export const OURS = 'scene-octree';

type Make = () => Rival;

const loaders: Record<string, () => Promise<Make>> = {
  [REFERENCE]: async () => {
    const { BruteForce } = await import('./brute-force.ts');
    return () => new BruteForce();
  },
  [OURS]: async () => {
    const { loadSceneOctree } = await import('./scene-octree.ts');
    return loadSceneOctree();
  },
  'three.js': async () => {
    const { ThreeBoxes } = await import('./three-boxes.ts');
    return () => new ThreeBoxes();
  },
  'three-mesh-bvh': async () => {
    const { ThreeMeshBvh } = await import('./three-mesh-bvh.ts');
    return () => new ThreeMeshBvh();
  },
  ObjectBVH: async () => {
    const { ObjectBvh } = await import('./object-bvh.ts');
    return () => new ObjectBvh();
  },
  'bvh.js': async () => {
    const { BvhJs } = await import('./bvh-js.ts');
    return () => new BvhJs();
  },
  crashcat: async () => {
    const { Crashcat } = await import('./crashcat.ts');
    return () => new Crashcat();
  },
  rapier: async () => {
    const { loadRapier } = await import('./rapier.ts');
    return loadRapier();
  },
  jolt: async () => {
    const { loadJolt } = await import('./jolt.ts');
    return loadJolt();
  },
};

/**
 * Largest scene of a rival, in bodies. Jolt: its WebAssembly memory does not grow. The others: two or three kilobytes
 * per body.
 */
export const maxBodies: Readonly<Record<string, number>> = { jolt: 200_000, ObjectBVH: 300_000, crashcat: 300_000 };

export const rivalNames = Object.keys(loaders);

export function loadRival(name: string): Promise<Make> {
  return loaders[name]();
}
