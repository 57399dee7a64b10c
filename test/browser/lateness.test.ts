// Pictures and hits after each of many kinds of changes (see change-kinds.ts), in the task of the last frame and in the
// next one, with batches, occluders and kept shadow maps on one group: as those of a plain group.

import { Color, Group, type PerspectiveCamera } from 'three';
import { describe, expect, it } from 'vitest';
import { OcclusionCulling, OctreeGroup, ShadowUpdates, StaticBatches, ViewChanges } from '../../src/three.ts';
import { kinds } from '../support/change-kinds.ts';
import { AT_ONCE, type Kind } from '../support/kind-of-change.ts';
import { KNOWN_LATENESS } from '../support/known-lateness.ts';
import { hitsOf, MODES, World, type Mode } from '../support/lateness.ts';
import { countFar, expectNear } from '../support/near-pictures.ts';
import { sampleFrom } from '../support/sampled.ts';
import { createCamera, readPicture, useRenderer } from '../support/three-pictures.ts';
import { BACKENDS, nextFrame, pixelsOf, useWebGPURenderer } from '../support/webgpu-pictures.ts';

/** Kinds that only look like what renderers read. */
const FAKES = /Node|node|indirect|GPU|WebGL|render target|morph targets/;
/** Sees the mesh beside the wall, and its shadow. */
const camera = createCamera([6, 4, 6], [0, -0.5, 0], 60);
const names = Object.keys(kinds).filter((name) => !FAKES.test(name));
const everyNth = (step: number, first: number): string[] =>
  sampleFrom(
    names.filter((_, k) => k % step === first),
    3,
    first,
  );

const isKnown = (name: string, mode: Mode): boolean =>
  Object.keys(KNOWN_LATENESS).some((lateness) => lateness.startsWith(mode) && KNOWN_LATENESS[lateness].includes(name));

interface Screen {
  readonly renderer: ConstructorParameters<typeof ViewChanges>[1] & ConstructorParameters<typeof ShadowUpdates>[1];
  /** The picture of a world, in the current task. */
  readonly draw: (world: World, camera: PerspectiveCamera) => Uint32Array | Promise<Uint32Array>;
  /** Waits for the next frame. */
  readonly next: () => Promise<unknown>;
}

function worldOf(group: Group, kind: Kind): World {
  const world = new World(group);
  world.scene.background = new Color(0x334455);
  world.floor.receiveShadow = world.mesh.receiveShadow = true;
  world.light.position.set(3, 10, 2);
  kind.make?.(world);
  return world;
}

async function expectSameAfter(name: string, { renderer, draw, next }: Screen, modes: readonly Mode[]): Promise<void> {
  const kind = kinds[name];
  const plain = worldOf(new Group(), kind);
  const before = await draw(plain, camera);
  kind.change(plain);
  await next();
  const after = await draw(plain, camera);
  const hits = hitsOf(plain.group);
  for (const mode of modes) {
    if (isKnown(name, mode) || (mode === 'not reported' && kind.unreported !== AT_ONCE)) continue;
    const group = new OctreeGroup({ hasStaticChildren: mode !== 'watched' });
    const world = worldOf(group, kind);
    const { scene, mesh, wall, floor, light } = world;
    const shadows = new ShadowUpdates(scene, renderer, [group]).setStill(floor);
    const views = new ViewChanges(scene, renderer, [group]).setStill(floor);
    const occlusion = new OcclusionCulling(group, camera, { minRemoved: 0, minOccluderArea: 0 });
    for (const occluder of [wall, mesh]) occlusion.setOccluder(occluder, true);
    if (mode !== 'watched') new StaticBatches(group).finish();
    occlusion.finish();
    for (let frame = 0; frame < 2; frame++) {
      views.changedIn(camera);
      expectNear(before, await draw(world, camera));
      await next();
    }
    views.changedIn(camera);
    await draw(world, camera);
    // In the same task, where the renderer draws at once.
    kind.change(world);
    const reported = kind.reported?.(world) ?? mesh;
    if (mode === 'reported' && reported.parent !== null) group.reportMove(reported);
    if (!views.changedIn(camera)) expect([name, mode, countFar(before, after)]).toEqual([name, mode, 0]);
    expectNear(after, await draw(world, camera));
    expect([name, mode, hitsOf(group)]).toEqual([name, mode, hits]);
    await next();
    expectNear(after, await draw(world, camera));
    for (const each of [shadows, views, occlusion]) each.dispose();
    light.dispose();
  }
  plain.light.dispose();
}

describe('WebGLRenderer', () => {
  const renderer = useRenderer();
  renderer.localClippingEnabled = true;
  const screen: Screen = {
    renderer,
    draw: ({ scene }, eye) => readPicture(renderer, () => renderer.render(scene, eye)),
    next: () => Promise.resolve(),
  };

  it.each(everyNth(2, 0))('draws as a plain group after a change of %s', (name) =>
    expectSameAfter(name, screen, MODES),
  );
});

describe.each(BACKENDS)('WebGPURenderer with its %s backend', (backend, forceWebGL) => {
  const { isTested, get } = useWebGPURenderer(backend, forceWebGL);

  it.runIf(isTested).each(everyNth(8, forceWebGL ? 1 : 5))('draws as a plain group after a change of %s', (name) =>
    expectSameAfter(
      name,
      {
        renderer: get() as never,
        draw: ({ scene, group }, eye) => pixelsOf(get(), { scene, group }, eye, 1),
        next: nextFrame,
      },
      MODES,
    ),
  );
});
