// Scenes in which an octree of bounds is not enough: the picture of an OctreeGroup must equal that of a plain Group in
// every frame, with WebGL and WebGPU.

import { AmbientLight, Color, Mesh, MeshLambertMaterial, PerspectiveCamera, SphereGeometry, type Camera } from 'three';
import { describe, expect, it, vi } from 'vitest';
import { RIGS, STATIONS } from '../support/rigs.ts';
import { sampleFrom } from '../support/sampled.ts';
import { createCamera, readPicture, useRenderer } from '../support/three-pictures.ts';
import { createTwins, scatter, type Twin, type Twins } from '../support/three-scenes.ts';
import { BACKENDS, pixelsOf, useWebGPURenderer } from '../support/webgpu-pictures.ts';

const FRAMES = 3;
const REACH = 20;
/** Pixels that are not background; an empty picture proves nothing. */
const MIN_DRAWN = 200;
/** Rigs of which pixels are compared. A unit test compares the matrices of all of them. */
const DRAWN_RIGS = [
  'CameraHelper that is updated in each frame',
  'SpotLightHelper',
  'SkeletonHelper',
  'Box3Helper',
  'a mesh that copies the position of another',
];

interface AwkwardScene {
  readonly title: string;
  readonly camera?: Camera;
  /** Fills a scene. Returns what changes it before each frame. */
  readonly build: (twin: Twin) => (frame: number) => void;
}

const scenes: AwkwardScene[] = [
  {
    title: 'children beyond 2^50, infinite, or with a NaN',
    camera: Object.assign(new PerspectiveCamera(50, 1, 0.1, 1e22)),
    build: ({ group }) => {
      const far = ball(0xff2200);
      const huge = ball(0x00ff22);
      huge.position.set(-1e19, 3e18, -1e19);
      huge.scale.setScalar(3e18);
      const lost = ball(0x2200ff);
      group.add(far, huge, lost);
      return (frame) => {
        far.position.set(0, 0, -[1e19, 8, 1e19][frame]);
        far.scale.setScalar([2e18, 2, 3e18][frame]);
        lost.position.x = [NaN, Infinity, 4][frame];
        lost.position.z = -9;
      };
    },
  },
];

/** Rigs beside a ball of each, seen from the front. */
for (const [title, createRig] of Object.entries(RIGS)) {
  if (!DRAWN_RIGS.includes(title)) continue;
  scenes.push({
    title,
    build: ({ group, scene }) => {
      const { targets, reader, step } = createRig();
      group.add(reader, ...targets);
      scene.add(new AmbientLight());
      return (frame) => step(STATIONS[4 * frame] - 6);
    },
  });
}

const titled = scenes.map((scene): [string, AwkwardScene] => [scene.title, scene]);

function ball(color: number): Mesh {
  return new Mesh(new SphereGeometry(1, 16, 12), new MeshLambertMaterial({ color }));
}

function createScene({ build }: AwkwardScene): { twins: Twins; steps: Map<Twin, (frame: number) => void> } {
  const twins = createTwins(1, (group, random) => scatter(group, random, 40, REACH, 4));
  const steps = new Map<Twin, (frame: number) => void>();
  twins.each((twin) => {
    twin.scene.background = new Color(0x334455);
    steps.set(twin, build(twin));
  });
  return { twins, steps };
}

/** three writes errors to the console for some of these scenes. */
function silence(): () => void {
  const spies = (['warn', 'error'] as const).map((name) => vi.spyOn(console, name).mockImplementation(() => undefined));
  return () => spies.forEach((spy) => spy.mockRestore());
}

function expectEqualPixels(frame: number, [plain, octree]: Uint32Array[]): void {
  const differingPixels = plain.filter((pixel, k) => pixel !== octree[k]).length;
  const isDrawn = plain.filter((pixel) => pixel !== plain[0]).length > MIN_DRAWN;
  expect({ frame, differingPixels, isDrawn }).toEqual({ frame, differingPixels: 0, isDrawn: true });
}

const view = createCamera([0, 0, 12], [0, 0, 0]);

describe('WebGLRenderer draws an OctreeGroup like a plain Group', () => {
  const renderer = useRenderer();

  it.each(titled)('with %s', (_, scene) => {
    const restore = silence();
    const { twins, steps } = createScene(scene);
    for (let frame = 0; frame < FRAMES; frame++) {
      const pictures = [twins.plain, twins.octree].map((twin) => {
        steps.get(twin)!(frame);
        return readPicture(renderer, () => renderer.render(twin.scene, scene.camera ?? view));
      });
      expectEqualPixels(frame, pictures);
    }
    restore();
  });
});

describe.each(BACKENDS)(
  'WebGPURenderer with the %s backend draws an OctreeGroup like a plain Group',
  (name, forceWebGL) => {
    const { isTested, get } = useWebGPURenderer(name, forceWebGL);

    const tried = sampleFrom(titled, 2, Number(forceWebGL));
    it.runIf(isTested).each(tried)('with %s', async (_, scene) => {
      const restore = silence();
      const { twins, steps } = createScene(scene);
      for (let frame = 0; frame < FRAMES; frame++) {
        const pictures: Uint32Array[] = [];
        for (const twin of [twins.plain, twins.octree]) {
          steps.get(twin)!(frame);
          pictures.push(await pixelsOf(get(), twin, scene.camera ?? view, 1));
        }
        expectEqualPixels(frame, pictures);
        // WebGPURenderer draws shadow maps once per animation frame.
        await new Promise(requestAnimationFrame);
      }
      restore();
    });
  },
);
