// Objects that `ObjectStyles` isolates, ghosts and paints: the picture, with shadows, must be that of a plain group in
// which the same objects are hidden or have other materials by hand.

import { BoxGeometry, Group, Mesh, MeshBasicMaterial, MeshLambertMaterial, SphereGeometry, type Material } from 'three';
import { describe, expect, it } from 'vitest';
import { BodySet } from '../../src/save/body-set.ts';
import { ObjectStyles, OctreeGroup, StaticBatches } from '../../src/three.ts';
import { countFar, NEAR_SHARE } from '../support/near-pictures.ts';
import { createRandom, type Random } from '../support/random.ts';
import { sampleFrom } from '../support/sampled.ts';
import { addShadowLights, directional } from '../support/shadow-lights.ts';
import { aim, createCamera, readPicture, useRenderer } from '../support/three-pictures.ts';
import { createTwins, place, type Twin } from '../support/three-scenes.ts';
import { BACKENDS, nextFrame, pixelsOf, useWebGPURenderer } from '../support/webgpu-pictures.ts';

const COUNT = 240;
const STEPS = 14;
const camera = createCamera();
const geometries = [new BoxGeometry(2, 3, 2), new SphereGeometry(1.5, 8, 6), new BoxGeometry(1, 1, 4)];
const own = [0xcc8844, 0x4488cc, 0x66aa66].map((color) => new MeshLambertMaterial({ color }));
const styled: Material[] = [
  new MeshLambertMaterial({ color: 0x999999 }),
  new MeshBasicMaterial({ color: 0xff2222 }),
  new MeshLambertMaterial({ color: 0x3333ff, transparent: true, opacity: 0.3 }),
];

/** Meshes as children and in two trees, above a floor, on which their shadows fall. */
function fill(group: Group, random: Random): void {
  const trees = [new Group(), new Group()];
  for (let k = 0; k < COUNT; k++) {
    const mesh = new Mesh(random.pick(geometries), random.pick(own));
    place(mesh, random, 14);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.name = `${k}`;
    (k % 3 === 0 ? group : trees[(k % 3) >> 1]).add(mesh);
  }
  for (const tree of trees)
    if (group instanceof OctreeGroup) group.addTree(tree);
    else group.add(tree);
}

/** Compares pictures after each step of a history, in both groups. */
async function play(seed: number, hasBatches: boolean, read: (twin: Twin) => Promise<Uint32Array>): Promise<void> {
  const twins = createTwins(seed, (group, random) => {
    if (group instanceof OctreeGroup) group.hasStaticChildren = true;
    fill(group, random);
  });
  twins.each(({ scene }) => addShadowLights(scene, [directional()]));
  const meshes = [twins.plain, twins.octree].map(({ group }) => {
    const found: Mesh[] = [];
    group.traverse((object) => object instanceof Mesh && found.push(object));
    return found.sort((a, b) => Number(a.name) - Number(b.name));
  });
  const group = twins.octree.group as OctreeGroup;
  const batches = hasBatches ? new StaticBatches(group).finish() : null;
  const styles = new ObjectStyles(group);
  const random = createRandom(seed);
  let shown: Set<number> | null = null;
  let ghosts = { solid: null as Set<number> | null, material: styled[0] };
  const painted = new Map<number, Material>();
  const pictures = new Set<string>();
  for (let step = 0; step < STEPS; step++) {
    const some = new Set(meshes[0].map((_, k) => k).filter(() => random.next() < 0.5));
    const objects = Array.from(some, (k) => meshes[1][k]);
    const set = random.next() < 0.5 ? objects : new BodySet(objects.map((mesh) => group.bodyOf(mesh)!.index));
    const material = random.pick(styled);
    const kind = random.below(7);
    if (kind < 3) styles.isolate((shown = kind < 2 ? some : null) && set);
    else if (kind < 5) {
      ghosts = { solid: kind === 3 ? some : null, material };
      styles.ghost(ghosts.solid && set, material);
    } else {
      styles.paint(set, kind === 5 ? material : null);
      for (const k of some)
        if (kind === 5) painted.set(k, material);
        else painted.delete(k);
    }
    for (const [k, mesh] of meshes[0].entries()) {
      mesh.userData.own ??= mesh.material;
      mesh.visible = shown?.has(k) ?? true;
      const ghost = ghosts.solid?.has(k) === false ? ghosts.material : mesh.userData.own;
      mesh.material = painted.get(k) ?? ghost;
    }
    aim(camera, [random.between(-30, 30), random.between(5, 25), random.between(20, 30)], [0, -4, 0]);
    const [plain, octree] = [await read(twins.plain), await read(twins.octree)];
    pictures.add(String(plain));
    expect(new Set(plain).size).toBeGreaterThan(20);
    const allowed = hasBatches ? Math.ceil(NEAR_SHARE * plain.length) : 0;
    expect(countFar(plain, octree), `step ${step}`).toBeLessThanOrEqual(allowed);
  }
  expect(pictures.size).toBe(STEPS);
  styles.dispose();
  batches?.dispose();
}

const GROUPS: [string, boolean][] = [
  ['a group', false],
  ['batches', true],
];

describe('ObjectStyles on WebGLRenderer', () => {
  const renderer = useRenderer();
  it.each(GROUPS)('draws what a plain scene draws that was changed by hand: %s', (_, hasBatches) =>
    play(3, hasBatches, ({ scene }) => Promise.resolve(readPicture(renderer, () => renderer.render(scene, camera)))),
  );
});

describe.each(BACKENDS)('ObjectStyles on WebGPURenderer with its %s backend', (name, forceWebGL) => {
  const { isTested, get } = useWebGPURenderer(name, forceWebGL);
  it.runIf(isTested).each(sampleFrom(GROUPS, 2, Number(forceWebGL)))(
    'draws what a plain scene draws that was changed by hand: %s',
    (_, hasBatches) =>
      play(4, hasBatches, async (twin) => {
        await nextFrame();
        return pixelsOf(get(), twin, camera);
      }),
  );
});
