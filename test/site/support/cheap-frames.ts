// What keeps pages quick without a GPU: functions that run in a page before its own scripts, and contain all that they
// need.

type GetContext = (this: HTMLCanvasElement, type: string, attributes?: object) => RenderingContext | null;

/** Contexts without antialiasing: a frame takes about two thirds of the CPU time. */
export function withoutAntialiasing(): void {
  const original = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'getContext')!.value as GetContext;
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, type: string, attributes?: object) {
    return original.call(this, type, { ...attributes, antialias: false });
  } as HTMLCanvasElement['getContext'];
}

/** No blurred backgrounds and no transitions: they take more CPU time than the rest of a page that draws nothing. */
export function withoutEffects(): void {
  const style = new CSSStyleSheet();
  style.replaceSync('*, ::before, ::after { backdrop-filter: none !important; transition: none !important; }');
  document.adoptedStyleSheets = [style];
}

/**
 * At most 20 animation frames per second. Callbacks that were requested between two frames still run in one frame, in
 * their order. `performance.now` gives the true time.
 *
 * @param stepMs Time from frame to frame that the callbacks are given, if it is longer than the true one. With the time
 *   between two reports of figures a page reports in each frame: a test waits for the next frame instead of the fifth,
 *   and what moves does not move slower than in true time.
 */
export function limitFrames(stepMs: number): void {
  const FRAME_MS = 50;
  const requestFrame = globalThis.requestAnimationFrame.bind(globalThis);
  const waiting = new Map<number, FrameRequestCallback>();
  let lastId = 0;
  let lastFrame = -Infinity;
  let time = 0;
  let isScheduled = false;

  function run(now: number): void {
    isScheduled = false;
    lastFrame = performance.now();
    time = Math.max(now, time + stepMs);
    // A callback that a callback requests has a greater number, and runs in the next frame.
    const newest = lastId;
    for (const [id, callback] of waiting) {
      if (id > newest) break;
      waiting.delete(id);
      try {
        callback(time);
      } catch (error) {
        reportError(error);
      }
    }
  }

  globalThis.requestAnimationFrame = (callback) => {
    waiting.set(++lastId, callback);
    if (!isScheduled) setTimeout(() => requestFrame(run), Math.max(0, lastFrame + FRAME_MS - performance.now()));
    isScheduled = true;
    return lastId;
  };
  globalThis.cancelAnimationFrame = (id) => void waiting.delete(id);
}
