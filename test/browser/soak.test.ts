// Scenes of containers that live for long, with each renderer: objects come and go, geometries and textures change,
// contexts are lost, scenes are made and disposed of. Afterwards the renderer holds what it held at the start, and the
// page nothing that has left. `npm run soak -- --seconds 3600` does it for an hour; here are some frames.

import { RenderTarget, WebGLRenderer, WebGLRenderTarget } from 'three';
import { WebGPURenderer } from 'three/webgpu';
import { describe, expect, it } from 'vitest';
import { cdp } from 'vitest/browser';
import { ContainerWorld, type SoakedRenderer } from '../soak/container-soak.ts';
import { countGpuObjects, type GpuObjects } from '../soak/gpu-objects.ts';
import { sampleFrom } from '../support/sampled.ts';
import { loseContext } from '../support/three-pictures.ts';
import { BACKENDS, hasWebGPU, nextFrame } from '../support/webgpu-pictures.ts';

/** Seconds for each renderer; 0 for one short round. */
const SECONDS = Number((import.meta.env as Record<string, string | undefined>).VITE_SOAK_SECONDS ?? 0);
const CHANGES = SECONDS === 0 ? 15 : 200;
/** Scenes that are made and disposed of in a round. */
const WORLDS = SECONDS === 0 ? 3 : 200;

/** A renderer, and what it holds. */
interface Screen {
  readonly renderer: SoakedRenderer;
  readonly objects: GpuObjects;
}

interface Case {
  readonly name: string;
  readonly create: () => Promise<Screen>;
  /** Loses the context. Returns what draws from then on. */
  readonly lose: (screen: Screen) => Promise<Screen>;
}

async function createGpuScreen(forceWebGL: boolean): Promise<Screen> {
  const renderer = new WebGPURenderer({ antialias: false, forceWebGL });
  await renderer.init();
  renderer.setRenderTarget(new RenderTarget(128, 128));
  renderer.shadowMap.enabled = true;
  const { device, gl } = renderer.backend as unknown as { device?: GPUDevice; gl?: WebGL2RenderingContext };
  return { renderer, objects: countGpuObjects((device ?? gl)!) };
}

const CASES: readonly Case[] = [
  {
    name: 'WebGLRenderer',
    create: () => {
      const renderer = new WebGLRenderer({ antialias: false });
      const target = new WebGLRenderTarget(128, 128);
      renderer.setRenderTarget(target);
      renderer.shadowMap.enabled = true;
      return Promise.resolve({ renderer, objects: countGpuObjects(renderer.getContext() as WebGL2RenderingContext) });
    },
    lose: async (screen) => {
      // All objects of a lost context are gone.
      await loseContext(screen.renderer as WebGLRenderer, () => screen.objects.clear());
      return screen;
    },
  },
  ...BACKENDS.filter(([, forceWebGL]) => forceWebGL || hasWebGPU).map(([name, forceWebGL]) => ({
    name: `WebGPURenderer, ${name}`,
    create: () => createGpuScreen(forceWebGL),
    // WebGPURenderer does not draw again after a loss: an application creates another one.
    lose: async ({ renderer }: Screen) => {
      await renderer.dispose();
      return createGpuScreen(forceWebGL);
    },
  })),
];

/**
 * The classes of the objects that are held, with their numbers. Not async: a frame that waits holds what it has read.
 */
function countHeld(references: readonly WeakRef<object>[]): Record<string, number> {
  const held: Record<string, number> = {};
  for (const each of references) {
    const name = each.deref()?.constructor.name;
    if (name !== undefined) held[name] = (held[name] ?? 0) + 1;
  }
  return held;
}

/** What is still held after some collections. */
async function heldOf(references: readonly WeakRef<object>[]): Promise<Record<string, number>> {
  let held = {};
  for (let round = 0; round < 5; round++) {
    // The first collection ends what one before it began, and frees array buffers in the background.
    for (let k = 0; k < 2; k++) {
      await nextFrame();
      await new Promise((resolve) => requestIdleCallback(resolve));
      await (cdp() as unknown as { send(method: string): Promise<unknown> }).send('HeapProfiler.collectGarbage');
    }
    await nextFrame();
    held = countHeld(references);
    if (Object.keys(held).length === 0) break;
  }
  return held;
}

/**
 * What a renderer says that it holds, and what was created and not deleted. Without framebuffers: WebGPURenderer in
 * WebGL never deletes that of the shadow map of a light, also in a scene without containers.
 */
function holdings({ renderer, objects }: Screen): Record<string, number> {
  const { memory, programs } = renderer.info as WebGLRenderer['info'];
  const { Framebuffer, ...counts } = objects.count();
  const framebuffers = renderer instanceof WebGLRenderer ? { Framebuffer } : {};
  return { ...memory, programs: programs?.length ?? 0, ...counts, ...framebuffers };
}

/** What there is more of than at the start. Views of passes that no longer occur are disposed of, so less is right. */
function grown(start: Record<string, number>, now: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(now).filter(([name, count]) => count > (start[name] ?? 0)));
}

async function play(world: ContainerWorld, { renderer }: Screen, changes: number): Promise<void> {
  for (let k = 0; k < changes; k++) {
    world.change();
    await nextFrame();
    renderer.render(world.scene, world.camera);
  }
}

/** A scene that is made, drawn, and disposed of. Returns what is gone with it. */
async function passingWorld(screen: Screen): Promise<readonly WeakRef<object>[]> {
  const world = new ContainerWorld(screen.renderer);
  await play(world, screen, 2);
  world.dispose();
  return [...world.gone, new WeakRef(world)];
}

/** A scene that lives, with the renderer that draws it. */
class Soak {
  private readonly past: WeakRef<object>[] = [];
  readonly lose: Case['lose'];
  private screen: Screen;
  private world: ContainerWorld;

  constructor(screen: Screen, lose: Case['lose']) {
    this.screen = screen;
    this.lose = lose;
    this.world = new ContainerWorld(screen.renderer);
  }

  play(changes: number): Promise<void> {
    return play(this.world, this.screen, changes);
  }

  /** Makes other scenes, and disposes of them. */
  async replace(count: number): Promise<void> {
    for (let k = 0; k < count; k++) this.past.push(...(await passingWorld(this.screen)));
  }

  async loseContext(): Promise<void> {
    const { renderer } = this.screen;
    this.screen = await this.lose(this.screen);
    if (this.screen.renderer === renderer) return;
    this.world.dispose();
    this.past.push(...this.world.gone, new WeakRef(renderer));
    this.world = new ContainerWorld(this.screen.renderer);
  }

  /** What is held when the scene has been empty for some updates. */
  async holdings(): Promise<Record<string, number>> {
    await this.world.empty(this.screen.renderer);
    const found = holdings(this.screen);
    this.world.fill();
    return found;
  }

  /** What has left the scene, and other scenes. */
  get gone(): readonly WeakRef<object>[] {
    return [...this.past, ...this.world.gone];
  }

  async dispose(): Promise<void> {
    await this.screen.renderer.dispose();
  }
}

describe.each(SECONDS > 0 ? CASES : sampleFrom(CASES, 2))('$name', ({ create, lose }) => {
  it('holds after long use what it held at the start', { timeout: 120_000 + 10_000 * SECONDS }, async () => {
    // After a loss: what a renderer creates before it is counted is then counted, too.
    const soak = new Soak(await lose(await create()), lose);
    const end = performance.now() + 1000 * SECONDS;
    await soak.play(8);
    const start = await soak.holdings();
    do {
      await soak.play(CHANGES);
      expect(grown(start, await soak.holdings()), 'after changes').toEqual({});
      await soak.replace(WORLDS);
      expect(grown(start, await soak.holdings()), 'after other scenes').toEqual({});
      await soak.loseContext();
      await soak.play(8);
      expect(grown(start, await soak.holdings()), 'after a lost context').toEqual({});
    } while (performance.now() < end);
    // A renderer holds what it drew last until it draws again.
    await soak.play(2);
    const { DataTexture = 0, ...held } = await heldOf(soak.gone);
    expect(held, `of ${soak.gone.length}`).toEqual({});
    // The material of shadow maps in three holds the texture of a caster until another one is drawn.
    expect(DataTexture).toBeLessThanOrEqual(1);
    await soak.dispose();
  });
});
