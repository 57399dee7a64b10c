// The canvas behind the page, divided into views. Each view is drawn at the place of its HTML element, so CSS lays out
// the views.

import {
  type Camera,
  type Color,
  type Mesh,
  type Object3D,
  type PerspectiveCamera,
  type Scene,
  ShaderMaterial,
  Texture,
  Timer,
  WebGLRenderer,
} from 'three';
import { watchContext } from './lost-context.ts';
import { nextTurn } from './slices.ts';

const MAX_PIXEL_RATIO = 2;
/** Time for the driver to compile in the background, if it cannot report completion. */
const COMPILE_MS = 15;
/** Maximum time step of a frame, in seconds. */
const MAX_STEP = 0.1;

/** Null if the browser has no WebGL 2. */
export const openContext = (canvas: HTMLCanvasElement): WebGL2RenderingContext | null =>
  canvas.getContext('webgl2', { antialias: true, powerPreference: 'high-performance' });

export class View {
  readonly element: HTMLElement;
  /** CSS pixels from the upper left corner of the canvas. */
  x = 0;
  y = 0;
  width = 0;
  height = 0;

  constructor(element: HTMLElement) {
    this.element = element;
  }

  get isShown(): boolean {
    return this.width > 0 && this.height > 0;
  }

  get aspect(): number {
    return this.isShown ? this.width / this.height : 1;
  }

  /** Edge of a CSS pixel at a distance of 1 from the camera. */
  pixelSizeOf({ fov }: PerspectiveCamera): number {
    return (2 * Math.tan((fov * Math.PI) / 360)) / Math.max(1, this.height);
  }

  measure(): void {
    ({ x: this.x, y: this.y, width: this.width, height: this.height } = this.element.getBoundingClientRect());
  }
}

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly views: readonly View[];
  /** False while the graphics context is lost. */
  isAlive = true;
  /** Called when the canvas was cleared by a resize or a lost context. Pages that draw on demand redraw then. */
  onBlank: () => void = () => {};

  constructor(context: WebGL2RenderingContext, elements: readonly HTMLElement[]) {
    const canvas = context.canvas as HTMLCanvasElement;
    this.renderer = new WebGLRenderer({ canvas, context });
    this.renderer.info.autoReset = false;
    this.renderer.autoClear = false;
    this.views = elements.map((element) => new View(element));
    const resize = new ResizeObserver(() => this.resize());
    for (const element of [canvas, ...elements]) resize.observe(element);
    addEventListener('resize', () => this.resize());
    this.resize();
    watchContext(canvas, (isAlive) => {
      this.isAlive = isAlive;
      this.onBlank();
    });
  }

  get pixelRatio(): number {
    return this.renderer.getPixelRatio();
  }

  /** Compiles shaders and uploads textures of the objects, one by one, so that the first frame is not delayed. */
  async prepare(objects: readonly Object3D[], camera: Camera, scene: Scene): Promise<void> {
    const canPoll = this.renderer.extensions.has('KHR_parallel_shader_compile');
    for (const object of objects) {
      await nextTurn();
      if (canPoll) await this.renderer.compileAsync(object, camera, scene);
      else {
        this.renderer.compile(object, camera, scene);
        await new Promise((resolve) => setTimeout(resolve, COMPILE_MS));
      }
      object.traverse((part) => this.upload(part));
    }
  }

  /**
   * Calls back once per frame with the seconds since the last frame, at most `MAX_STEP`, and the time in milliseconds.
   */
  start(frame: (seconds: number, now: number) => void): void {
    const timer = new Timer();
    timer.connect(document);
    this.renderer.setAnimationLoop((now) => {
      timer.update(now);
      frame(Math.min(MAX_STEP, timer.getDelta()), now);
    });
  }

  beginFrame(): void {
    this.renderer.info.reset();
  }

  draw(view: View, scene: Scene, camera: Camera, background: Color): void {
    if (!view.isShown || !this.isAlive) return;
    const { renderer } = this;
    const below = renderer.domElement.clientHeight - view.y - view.height;
    // Set in every frame, because a restored context has lost its state.
    renderer.setScissorTest(true);
    renderer.setViewport(view.x, below, view.width, view.height);
    renderer.setScissor(view.x, below, view.width, view.height);
    renderer.setClearColor(background, 1);
    renderer.clear();
    renderer.render(scene, camera);
  }

  private upload(object: Object3D): void {
    const { material } = object as Partial<Mesh>;
    if (!(material instanceof ShaderMaterial)) return;
    for (const { value } of Object.values(material.uniforms))
      if (value instanceof Texture) this.renderer.initTexture(value);
  }

  private resize(): void {
    const { renderer } = this;
    const { clientWidth, clientHeight } = renderer.domElement;
    renderer.setPixelRatio(Math.min(devicePixelRatio, MAX_PIXEL_RATIO));
    renderer.setSize(clientWidth, clientHeight, false);
    for (const view of this.views) view.measure();
    this.onBlank();
  }
}
