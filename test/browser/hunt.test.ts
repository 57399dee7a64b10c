import { it } from 'vitest';
import { createWebGLScreen } from './scenes/webgl-screen.ts';
import { createWebGPUScreen } from './scenes/webgpu-screen.ts';
import { play } from './scenes/play.ts';
import { differences } from './scenes/compare.ts';
import { randomScene } from './scenes/random-scene.ts';
const from = Number(import.meta.env.VITE_FROM ?? 0), to = Number(import.meta.env.VITE_TO ?? 100), gpu = import.meta.env.VITE_GPU === '1';
const shrinkMax = Number(import.meta.env.VITE_SHRINK ?? 6);
it('hunts', { timeout: 1e6 }, async () => {
  const screen = gpu ? await createWebGPUScreen(false) : createWebGLScreen();
  let bad = 0, shrunk = 0;
  for (let seed = from; seed < to; seed++) {
    const test = async (variant: 'children' | 'trees' | 'instances', isKept: (k: number) => boolean, noise = false): Promise<string[]> => {
      const scene = randomScene(seed, isKept);
      const plain = await play(scene, 'plain', screen as never);
      const history = plain.callbacks.flat();
      if (variant === 'instances' && !plain.hasInstances) return [];
      let found: string[];
      try { found = differences(plain, await play(scene, variant, screen as never)); } catch (e) { found = [(e as Error).stack!.slice(0, 900)]; }
      if (noise) console.log(history.join('; '));
      return found;
    };
    for (const variant of ['children', 'trees', 'instances'] as const) {
      try {
        const found = await test(variant, () => true);
        if (found.length === 0) continue;
        bad++;
        console.log('DIFF', seed, variant, found.length, found.slice(0, 1).join(' | '));
        if (shrunk++ < shrinkMax) {
          const kept = new Set(Array.from({ length: 16 + 6 * 8 }, (_, k) => k));
          for (let chunk = 16; chunk >= 1; chunk = Math.floor(chunk / 2)) {
            const list = [...kept];
            for (let k = list.length; k > 0; k -= chunk) {
              const part = list.slice(Math.max(0, k - chunk), k);
              for (const p of part) kept.delete(p);
              if ((await test(variant, (s) => kept.has(s))).length === 0) for (const p of part) kept.add(p);
            }
          }
          const order = [...kept].sort((a, b) => a - b);
          const result = await test(variant, (s) => kept.has(s), true);
          console.log('MIN', seed, variant, order.join(','), '::', result.slice(0, 3).join(' | '));
        }
        break;
      } catch (e) { console.log('PLAIN', seed, (e as Error).stack!.slice(0, 500)); }
    }
  }
  console.log('DONE', to - from, 'bad', bad);
});
