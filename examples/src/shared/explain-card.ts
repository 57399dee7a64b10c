// Says why an object is drawn, or not drawn, on Alt and a click or on a long press: in a card near the pointer, by
// `explain`, which the first one loads.

import type { Camera, Intersection } from 'three';
import { pick, type Pickable } from '../../../src/three.ts';
import { onKeyPress } from './held-keys.ts';

/** A press of a finger is long from this on. */
const LONG_PRESS_MS = 550;
/** Pixels that a finger may move during a long press. */
const PRESS_PIXELS = 8;
/** Pixels between the pointer and the card, and between the card and the edges of the window. */
const GAP = 12;

/** What a view shows. */
export interface ExplainedView {
  /** The camera that draws the view. */
  readonly camera: Camera;
  /** The containers whose objects are explained; none while there is no scene. */
  readonly containers: readonly Pickable[];
  /** The camera that is explained. By default that of the view; a view from above explains that of the page. */
  readonly explained?: Camera;
  /** Runs work while the containers are in the scene. For a page that adds them for each frame. */
  readonly inScene?: (work: () => string) => string;
}

/** The card of the page. */
let shared: ExplainCard | undefined;

/** @param view Read at each press. */
export function explainOnAltClick(surface: HTMLElement, view: () => ExplainedView): void {
  const card = (shared ??= new ExplainCard());
  const explainAt = (event: PointerEvent): void => {
    const { camera, containers, explained = camera, inScene = (work) => work() } = view();
    const hits = containers.map((container) => pick(event, camera, surface, container, { includesHidden: true }));
    const hit = hits.reduce((nearest, each) => (isNearer(each, nearest) ? each : nearest), null);
    void card.show(event, async () => {
      if (hit === null) return 'No object of an octree is here. Alt+click one.';
      const { explain } = await import('../../../src/debug-three/index.ts');
      return inScene(() => explain(hit.object, explained, hit.instanceId));
    });
  };
  onAltClick(surface, explainAt);
  onLongPress(surface, explainAt);
}

const isNearer = (hit: Intersection | null, than: Intersection | null): boolean =>
  hit !== null && (than === null || hit.distance < than.distance);

/** Alt and a click of the main button mean nothing else on the surface: no other listener gets these events. */
function onAltClick(surface: HTMLElement, act: (event: PointerEvent) => void): void {
  let pressed = -1;
  for (const type of ['pointerdown', 'pointerup', 'click'] as const)
    document.addEventListener(
      type,
      (event) => {
        const { target, altKey, button, pointerId } = event;
        if (target !== surface || button !== 0) return;
        if (type === 'pointerdown') pressed = altKey ? pointerId : -1;
        if (type === 'click' ? !altKey : pointerId !== pressed) return;
        event.stopPropagation();
        event.preventDefault();
        if (type === 'pointerup') act(event);
      },
      { capture: true },
    );
}

function onLongPress(surface: HTMLElement, act: (event: PointerEvent) => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let start: PointerEvent | undefined;
  const end = (): void => clearTimeout(timer);
  surface.addEventListener('pointerdown', (event) => {
    end();
    if (event.pointerType !== 'touch' || !event.isPrimary) return;
    start = event;
    timer = setTimeout(() => act(event), LONG_PRESS_MS);
  });
  surface.addEventListener('pointermove', ({ clientX, clientY }) => {
    if (start && Math.hypot(clientX - start.clientX, clientY - start.clientY) > PRESS_PIXELS) end();
  });
  for (const type of ['pointerup', 'pointercancel'] as const) surface.addEventListener(type, end);
}

/** Where the card begins, in pixels: after the pointer, or before it if it would not fit there. */
const placeBeside = (pointer: number, size: number, end: number): number =>
  Math.max(GAP, pointer + GAP + size <= end - GAP ? pointer + GAP : pointer - GAP - size);

/** Closed by its button, by Escape, and by the next press elsewhere. The list of controls names it. */
class ExplainCard {
  private readonly root = document.createElement('aside');
  private readonly text = document.createElement('p');
  /** The last text that was asked for. */
  private asked = 0;

  constructor() {
    const { root, text } = this;
    root.className = 'explain-card';
    root.hidden = true;
    text.role = 'status';
    const close = document.createElement('button');
    close.type = 'button';
    close.textContent = '\u00d7';
    close.ariaLabel = 'Close';
    close.addEventListener('click', () => this.hide());
    root.append(text, close);
    document.body.append(root);
    document
      .querySelector('.help dl')
      ?.insertAdjacentHTML(
        'beforeend',
        '<dt class="touch"><kbd>Alt</kbd> click, long press</dt><dd>why an object is drawn, or not</dd>',
      );
    onKeyPress('Escape', () => this.hide());
    document.addEventListener('pointerdown', ({ target }) => {
      if (!root.contains(target as Node)) this.hide();
    });
  }

  async show({ clientX, clientY }: PointerEvent, read: () => Promise<string>): Promise<void> {
    const asked = ++this.asked;
    const sentence = await read();
    if (asked !== this.asked) return;
    const { root, text } = this;
    text.textContent = sentence;
    root.hidden = false;
    const { width, height } = root.getBoundingClientRect();
    root.style.left = `${placeBeside(clientX, width, innerWidth)}px`;
    root.style.top = `${placeBeside(clientY, height, innerHeight)}px`;
  }

  private hide(): void {
    this.asked++;
    this.root.hidden = true;
  }
}
