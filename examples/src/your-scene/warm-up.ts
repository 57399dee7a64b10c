// Compiles the shaders and uploads the textures and geometries of a scene in short steps, so that its first frame does
// not block the page.

import { type Camera, type Mesh, type Scene, type WebGLRenderer, WebGLRenderTarget } from 'three';
import { texturesOf } from '../shared/dispose-tree.ts';
import type { ScenePair } from './scene-pair.ts';
import type { TaskContext } from '../shared/task.ts';
import { untilDrawn } from '../shared/until-drawn.ts';

/** Milliseconds of work per turn. */
const SLICE_MS = 8;
/**
 * Greatest number of meshes, and of their vertices, that are uploaded at a time. After a batch that takes longer than a
 * slice, half as many follow; else twice as many.
 */
const BATCH = 64;
const MIN_BATCH = 8;
const BATCH_VERTICES = 20_000;

/**
 * @param scene Lights, environment and background as in the scene that will be drawn. It holds the plain group when
 *   this ends.
 */
export async function warmUp(
  renderer: WebGLRenderer,
  scene: Scene,
  camera: Camera,
  pair: ScenePair,
  context: TaskContext,
  from: number,
): Promise<void> {
  const { samples } = pair;
  scene.add(pair.plain);
  const turn = createTurns(context);
  const materials = new Map(
    samples.map((mesh) => [
      [mesh.material]
        .flat()
        .map(({ uuid }) => uuid)
        .join() + mesh.type,
      mesh,
    ]),
  );
  for (const mesh of materials.values()) {
    for (const material of [mesh.material].flat()) {
      for (const texture of texturesOf(material)) {
        renderer.initTexture(texture);
        // An upload blocks until the uploads before it are done.
        await untilDrawn(renderer);
        await turn();
      }
    }
    renderer.compile(mesh, camera, scene);
    await turn();
  }
  // Without the extension three would poll as well, but the drivers report nothing.
  if (renderer.extensions.has('KHR_parallel_shader_compile'))
    await context.unlessCancelled(renderer.compileAsync(pair.plain, camera, scene));
  const target = new WebGLRenderTarget(4, 4);
  const masks = new Map<Mesh, number>();
  pair.plain.traverse((object) => {
    if (!(object as Partial<Mesh>).isMesh) return;
    masks.set(object as Mesh, object.layers.mask);
    object.layers.mask = 0;
  });
  try {
    scene.updateMatrixWorld();
    scene.matrixWorldAutoUpdate = false;
    let drawn = 0;
    let size = BATCH;
    while (drawn < samples.length) {
      const batch = batchOf(samples, drawn, size);
      const start = performance.now();
      for (const mesh of batch) mesh.layers.mask = masks.get(mesh)!;
      renderer.setRenderTarget(target);
      renderer.render(scene, camera);
      renderer.setRenderTarget(null);
      size = performance.now() - start > SLICE_MS ? Math.max(MIN_BATCH, size >> 1) : Math.min(BATCH, size * 2);
      for (const mesh of batch) mesh.layers.mask = 0;
      context.progress(from + (1 - from) * ((drawn += batch.length) / samples.length));
      await untilDrawn(renderer);
      context.signal.throwIfAborted();
    }
  } finally {
    for (const [mesh, mask] of masks) mesh.layers.mask = mask;
    target.dispose();
  }
}

/** The meshes from `first` on, up to a number of them and of their vertices, but at least one. */
function batchOf(meshes: readonly Mesh[], first: number, size: number): Mesh[] {
  let vertices = 0;
  let end = first;
  while (end < meshes.length && end - first < size && vertices < BATCH_VERTICES)
    vertices += meshes[end++].geometry.getAttribute('position')?.count ?? 0;
  return meshes.slice(first, end);
}

/**
 * A function to call after each piece of work: it waits for the next turn of the event loop if this one has taken long.
 */
function createTurns({ signal }: TaskContext): () => Promise<void> {
  let start = performance.now();
  return async () => {
    signal.throwIfAborted();
    if (performance.now() - start < SLICE_MS) return;
    await new Promise((resolve) => setTimeout(resolve));
    start = performance.now();
  };
}
