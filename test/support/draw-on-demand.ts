// Draw calls that can be switched off. Without a GPU, drawing takes most of the CPU time of a page, and most tests look
// at something else.

export interface Drawing {
  /** While false, draw calls and clears do nothing. */
  isOn: boolean;
  /** Draw calls that drew something. */
  calls: number;
}

declare global {
  /** Defined once `drawOnDemand` has run. */
  var drawing: Drawing | undefined;
}

/**
 * Replaces the draw calls of WebGL 2 and WebGPU by ones that do nothing while `drawing.isOn` is false, and switches
 * them off. All other calls stay: shaders are compiled, data is uploaded, the state is set. Contains all that it needs,
 * because pages run it before their own scripts.
 */
export function drawOnDemand(): void {
  const drawing: Drawing = { isOn: false, calls: 0 };
  globalThis.drawing = drawing;

  function replace(owner: object | undefined, names: readonly string[], counted: number): void {
    for (const name of names) {
      const original = owner && (Reflect.get(owner, name) as ((...values: unknown[]) => unknown) | undefined);
      if (original === undefined) continue;
      Reflect.set(owner!, name, function (this: unknown, ...values: unknown[]) {
        if (!drawing.isOn) return;
        drawing.calls += counted;
        Reflect.apply(original, this, values);
      });
    }
  }

  const context = WebGL2RenderingContext.prototype;
  replace(context, ['drawArrays', 'drawArraysInstanced', 'drawElements', 'drawElementsInstanced'], 1);
  replace(context, ['clear', 'clearBufferfv', 'clearBufferiv', 'clearBufferuiv', 'clearBufferfi'], 0);
  // The methods of an extension can be replaced on the object only.
  const getExtension = Reflect.get(context, 'getExtension') as (name: string) => object | null;
  const known = new WeakSet();
  Reflect.set(context, 'getExtension', function (this: WebGL2RenderingContext, name: string) {
    const extension = Reflect.apply(getExtension, this, [name]);
    if (name === 'WEBGL_multi_draw' && extension !== null && !known.has(extension)) {
      known.add(extension);
      replace(
        extension,
        [
          'multiDrawArraysWEBGL',
          'multiDrawArraysInstancedWEBGL',
          'multiDrawElementsWEBGL',
          'multiDrawElementsInstancedWEBGL',
        ],
        1,
      );
    }
    return extension;
  });
  for (const name of ['GPURenderPassEncoder', 'GPURenderBundleEncoder']) {
    const { prototype } = (Reflect.get(globalThis, name) ?? {}) as { prototype?: object };
    replace(prototype, ['draw', 'drawIndexed', 'drawIndirect', 'drawIndexedIndirect'], 1);
  }
}
