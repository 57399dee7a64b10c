// A machine that draws slowly, for pages that begin with fewer objects there.

type Read = (this: WebGL2RenderingContext, sync: WebGLSync, name: number) => unknown;

/** Lets the first fences of a page wait for 300 ms: the pages of the tests draw nothing. */
export function drawSlowly(): void {
  const { prototype } = WebGL2RenderingContext;
  const isDone = Object.getOwnPropertyDescriptor(prototype, 'getSyncParameter')!.value as Read;
  const begun = new Map<WebGLSync, number>();
  prototype.getSyncParameter = function (this: WebGL2RenderingContext, sync: WebGLSync, name: number): unknown {
    if (!begun.has(sync)) begun.set(sync, performance.now());
    const isWaiting = [...begun.keys()].indexOf(sync) < 3 && performance.now() - begun.get(sync)! < 300;
    return isWaiting ? this.UNSIGNALED : isDone.call(this, sync, name);
  };
}
