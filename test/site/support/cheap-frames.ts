// What software rendering needs so that pages stay quick: both functions run in a page before its own scripts.

type GetContext = (this: HTMLCanvasElement, type: string, attributes?: object) => RenderingContext | null;

/** Contexts without antialiasing: a frame takes about two thirds of the CPU time. */
export function withoutAntialiasing(): void {
  const original = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'getContext')!.value as GetContext;
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, type: string, attributes?: object) {
    return original.call(this, type, { ...attributes, antialias: false });
  } as HTMLCanvasElement['getContext'];
}

/**
 * Animation frames that end only when they are drawn. A page issues the commands of a frame faster than software rendering executes them, so frames queue up in
 * the graphics process, and every readback, screenshot or closing of the page waits seconds for them.
 */
export function paceFrames(): void {
  const contexts = new Set<WebGL2RenderingContext>();
  const original = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'getContext')!.value as GetContext;
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, type: string, attributes?: object) {
    const context = original.call(this, type, attributes);
    if (context instanceof WebGL2RenderingContext) contexts.add(context);
    return context;
  } as HTMLCanvasElement['getContext'];

  const pixel = new Uint8Array(4);
  const requestFrame = globalThis.requestAnimationFrame.bind(globalThis);
  globalThis.requestAnimationFrame = (callback) =>
    requestFrame((now) => {
      callback(now);
      for (const context of contexts) {
        if (context.isContextLost()) continue;
        // Reading a pixel waits for all commands.
        const target: unknown = context.getParameter(context.FRAMEBUFFER_BINDING);
        context.bindFramebuffer(context.FRAMEBUFFER, null);
        context.readPixels(0, 0, 1, 1, context.RGBA, context.UNSIGNED_BYTE, pixel);
        context.bindFramebuffer(context.FRAMEBUFFER, target as WebGLFramebuffer | null);
      }
    });
}
