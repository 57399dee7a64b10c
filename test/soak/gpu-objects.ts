/** Counts the objects of a GPU that a renderer creates and deletes. */

export interface GpuObjects {
  /** Number of objects that were created and not deleted, by kind. */
  count(): Record<string, number>;
  /** All are gone: the context was lost. */
  clear(): void;
}

type Methods = Record<string, ((...args: unknown[]) => unknown) | undefined>;

/** Counts the objects of a context or of a device from now on. */
export function countGpuObjects(owner: WebGL2RenderingContext | GPUDevice): GpuObjects {
  const counts = new Map<string, number>();
  const add = (kind: string, by: number): void => void counts.set(kind, (counts.get(kind) ?? 0) + by);
  const methods = owner as unknown as Methods;
  const isDevice = 'createRenderPipeline' in owner;
  const kinds = isDevice
    ? ['Buffer', 'Texture', 'QuerySet']
    : ['Buffer', 'Texture', 'VertexArray', 'Program', 'Shader', 'Framebuffer', 'Renderbuffer', 'Query', 'Sampler'];
  for (const kind of kinds) {
    const create = methods[`create${kind}`]!.bind(owner);
    methods[`create${kind}`] = (...args) => {
      add(kind, 1);
      const made = create(...args) as Methods;
      if (!isDevice) return made;
      const destroy = made.destroy!.bind(made);
      let isDestroyed = false;
      made.destroy = () => {
        if (!isDestroyed) add(kind, -1);
        isDestroyed = true;
        return destroy();
      };
      return made;
    };
    if (isDevice) continue;
    const remove = methods[`delete${kind}`]!.bind(owner);
    methods[`delete${kind}`] = (...args) => {
      if (args[0] !== null && args[0] !== undefined) add(kind, -1);
      return remove(...args);
    };
  }
  return {
    count: () => Object.fromEntries([...counts].filter(([, count]) => count !== 0)),
    clear: () => counts.clear(),
  };
}
