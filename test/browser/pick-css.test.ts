// `pick` and `pickWithin` on a canvas that CSS moves, scales, turns and pads.

import { Mesh, MeshBasicMaterial, OrthographicCamera, PlaneGeometry, Vector2 } from 'three';
import { afterEach, describe, expect, it } from 'vitest';
import { OctreeGroup, pick, pickWithin } from '../../src/three.ts';
import { createRandom } from '../support/random.ts';
import { sampleFrom } from '../support/sampled.ts';

/** The image: the hit of a ray is the place in normalized device coordinates. */
const camera = new OrthographicCamera(-1, 1, 1, -1, 0.1, 10);
camera.position.z = 1;
camera.updateMatrixWorld();
const wall = new OctreeGroup().add(new Mesh(new PlaneGeometry(2.000001, 2.000001), new MeshBasicMaterial()));
const dots = new OctreeGroup();
for (let x = -0.95; x < 1; x += 0.1)
  for (let y = -0.95; y < 1; y += 0.1) {
    const dot = new Mesh(new PlaneGeometry(1e-6, 1e-6), new MeshBasicMaterial());
    dot.position.set(x, y, 0);
    dots.add(dot);
  }

type Css = Record<string, string>;
/** Left, top, width and height of the image, from the padding edge of the canvas. */
type ImagePlace = readonly [number, number, number, number];

interface Sibling {
  readonly name: string;
  readonly css: Css;
  /** Styles of the elements around it, from the inside. */
  readonly around?: readonly Css[];
  readonly image?: ImagePlace;
  /** Pixels of the canvas. */
  readonly pixels?: readonly [number, number];
  /** Whether its transforms have a perspective: only an event that is being handled is exact. */
  readonly isPerspective?: boolean;
}

const size: Css = { width: '200px', height: '100px' };
const whole: ImagePlace = [0, 0, 200, 100];
const turn = (degrees: number): Css => ({ transform: `rotate(${degrees}deg)` });

const siblings: Sibling[] = [
  { name: 'no style', css: {} },
  { name: 'a border', css: { border: '7px solid red' } },
  { name: 'a border of different widths', css: { border: 'solid red', borderWidth: '1px 12px 30px 4px' } },
  { name: 'padding', css: { padding: '11px' }, image: [11, 11, 200, 100] },
  { name: 'different paddings', css: { padding: '1px 22px 3px 14px' }, image: [14, 1, 200, 100] },
  { name: 'padding in percent', css: { padding: '1%' }, around: [{ width: '500px' }], image: [5, 5, 200, 100] },
  { name: 'border and padding', css: { border: '5px solid', padding: '9px' }, image: [9, 9, 200, 100] },
  {
    name: 'border and padding inside its size',
    css: { border: '5px solid', padding: '9px', boxSizing: 'border-box' },
    image: [9, 9, 172, 72],
  },
  { name: 'a margin', css: { margin: '13px 40px' } },
  { name: 'a size in fractions', css: { width: '133.37px', height: '66.6px' }, image: [0, 0, 133.37, 66.6] },
  { name: 'object-fit: fill', css: { objectFit: 'fill' }, pixels: [10, 70] },
  { name: 'object-fit: contain, tall', css: { objectFit: 'contain' }, pixels: [50, 100], image: [75, 0, 50, 100] },
  { name: 'object-fit: contain, wide', css: { objectFit: 'contain' }, pixels: [400, 100], image: [0, 25, 200, 50] },
  { name: 'object-fit: cover, tall', css: { objectFit: 'cover' }, pixels: [50, 100], image: [0, -150, 200, 400] },
  { name: 'object-fit: cover, wide', css: { objectFit: 'cover' }, pixels: [400, 100], image: [-100, 0, 400, 100] },
  { name: 'object-fit: none', css: { objectFit: 'none' }, pixels: [60, 300], image: [70, -100, 60, 300] },
  {
    name: 'object-fit: scale-down, small',
    css: { objectFit: 'scale-down' },
    pixels: [40, 20],
    image: [80, 40, 40, 20],
  },
  {
    name: 'object-fit: scale-down, large',
    css: { objectFit: 'scale-down' },
    pixels: [50, 200],
    image: [87.5, 0, 25, 100],
  },
  {
    name: 'object-position in percent',
    css: { objectFit: 'contain', objectPosition: '10% 80%' },
    pixels: [50, 100],
    image: [15, 0, 50, 100],
  },
  {
    name: 'object-position in pixels',
    css: { objectFit: 'none', objectPosition: '12px -7px' },
    pixels: [50, 60],
    image: [12, -7, 50, 60],
  },
  {
    name: 'object-position from the right and the bottom',
    css: { objectFit: 'none', objectPosition: 'right 10px bottom 5px' },
    pixels: [50, 60],
    image: [140, 35, 50, 60],
  },
  {
    name: 'object-fit with border and padding',
    css: { objectFit: 'contain', border: '3px solid', padding: '10px 20px' },
    pixels: [50, 100],
    image: [95, 10, 50, 100],
  },
  ...[90, 180, 270, 30, -77].map((degrees): Sibling => ({ name: `turned by ${degrees} degrees`, css: turn(degrees) })),
  { name: 'turned by the property rotate', css: { rotate: '25deg' } },
  { name: 'scaled by the property scale', css: { scale: '1.5 0.5' } },
  { name: 'moved by the property translate', css: { translate: '40px 30%' } },
  {
    name: 'all three properties and a transform',
    css: { rotate: '25deg', scale: '2 0.6', translate: '9px', transform: 'skewX(20deg)' },
  },
  { name: 'mirrored', css: { transform: 'scaleX(-1)' } },
  { name: 'upside down', css: { transform: 'scaleY(-1)' } },
  { name: 'mirrored and turned', css: { transform: 'scale(-1, 1) rotate(33deg)' } },
  { name: 'sheared', css: { transform: 'skew(20deg, 10deg)' } },
  { name: 'a matrix', css: { transform: 'matrix(1, 0.3, -0.4, 0.8, 10, 20)' } },
  { name: 'another origin', css: { ...turn(40), transformOrigin: '0 0' } },
  {
    name: 'turned with border and padding',
    css: { ...turn(40), border: '6px solid', padding: '4px 8px' },
    image: [8, 4, 200, 100],
  },
  {
    name: 'turned with object-fit',
    css: { ...turn(-20), objectFit: 'contain' },
    pixels: [50, 100],
    image: [75, 0, 50, 100],
  },
  // Chromium gives offsets in zoomed pixels.
  { name: 'zoom', css: { zoom: '1.5' }, image: [0, 0, 300, 150] },
  { name: 'zoom with a border', css: { zoom: '0.75', border: '8px solid' }, image: [0, 0, 150, 75] },
  { name: 'ancestors that turn', css: {}, around: [turn(20), {}, turn(-50)] },
  { name: 'ancestors that scale and turn', css: turn(10), around: [{ transform: 'scale(2, 0.5)' }, turn(35)] },
  {
    name: 'an ancestor with zoom, turned',
    css: turn(15),
    around: [{ zoom: '1.25' }, turn(12)],
    image: [0, 0, 250, 125],
  },
  { name: 'a scrolled ancestor', css: {}, around: [{ overflow: 'scroll', width: '150px', height: '80px' }] },
  {
    name: 'a scrolled ancestor that is turned',
    css: {},
    around: [{ overflow: 'scroll', width: '150px', height: '80px' }, turn(30)],
  },
  { name: 'a fixed place', css: { position: 'fixed', left: '30px', top: '40px' } },
  { name: 'a turn in space, flat', css: { transform: 'rotateY(50deg) rotateX(20deg)' } },
  {
    name: 'turns in space, flat at each ancestor',
    css: { transform: 'rotateY(50deg)' },
    around: [{ transform: 'rotateX(40deg)' }],
  },
  {
    name: 'turns in space, preserved',
    css: { transform: 'rotateY(50deg)' },
    around: [{ transform: 'rotateY(-20deg)', transformStyle: 'preserve-3d' }],
  },
  { name: 'rotate around an axis', css: { rotate: 'y 40deg' } },
  { name: 'rotate around any axis', css: { rotate: '1 2 0.5 40deg' } },
  { name: 'a perspective', css: { transform: 'perspective(300px) rotateY(40deg)' }, isPerspective: true },
  {
    name: 'the perspective of an ancestor',
    css: { transform: 'rotateX(40deg)', border: '4px solid' },
    around: [{ perspective: '400px' }],
    isPerspective: true,
  },
];

afterEach(() => {
  for (const element of document.querySelectorAll('.pick-css')) element.remove();
});

/** The canvas in its ancestors. */
function canvasOf({ css, around = [], pixels = [300, 150] }: Sibling): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = pixels;
  Object.assign(canvas.style, { display: 'block', boxSizing: 'content-box' }, size, css);
  let top: HTMLElement = canvas;
  for (const style of around) {
    const outer = document.createElement('div');
    Object.assign(outer.style, style);
    outer.append(top);
    top = outer;
  }
  const place = document.createElement('div');
  Object.assign(place.style, { position: 'absolute', left: '120px', top: '130px' });
  place.className = 'pick-css';
  place.append(top);
  document.body.append(place);
  canvas.parentElement!.scrollTo(17, 9);
  return canvas;
}

/** Whether offsets of events count from the border edge, as WebKit has them. */
function isFromBorder(): boolean {
  if (fromBorder === undefined) {
    const element = document.createElement('div');
    Object.assign(element.style, { position: 'absolute', left: '0', top: '0', borderLeft: '50px solid' });
    document.body.append(element);
    element.addEventListener('pointermove', ({ offsetX }) => (fromBorder = offsetX >= 0));
    const { left } = element.getBoundingClientRect();
    element.dispatchEvent(new PointerEvent('pointermove', { clientX: left + 10, clientY: 0 }));
    element.remove();
  }
  return fromBorder!;
}
let fromBorder: boolean | undefined;

/** Calls back in a handler of a pointer event at a place in the window. */
function inEvent<Result>(
  canvas: HTMLCanvasElement,
  clientX: number,
  clientY: number,
  call: (event: PointerEvent) => Result,
): Result {
  let result!: Result;
  const onMove = (event: PointerEvent): void => {
    // By the standard, from the padding edge.
    const { offsetX, offsetY } = event;
    if (isFromBorder()) {
      const zoom = zoomOf(canvas);
      Object.defineProperties(event, {
        offsetX: { value: offsetX - zoom * canvas.clientLeft },
        offsetY: { value: offsetY - zoom * canvas.clientTop },
      });
    }
    result = call(event);
  };
  canvas.addEventListener('pointermove', onMove, { once: true });
  canvas.dispatchEvent(new PointerEvent('pointermove', { clientX, clientY, bubbles: true }));
  return result;
}

/** Where the browser says that a pointer is, in normalized device coordinates. */
function placeOf(event: PointerEvent, [left, top, width, height]: ImagePlace): Vector2 {
  return new Vector2((2 * (event.offsetX - left)) / width - 1, 1 - (2 * (event.offsetY - top)) / height);
}

/** Whether a place in the padding box is in the content box. */
function isInContent(canvas: HTMLCanvasElement, { offsetX, offsetY }: PointerEvent, slack: number): boolean {
  const style = getComputedStyle(canvas);
  const [top, right, bottom, left] = ['Top', 'Right', 'Bottom', 'Left'].map((side) =>
    Number.parseFloat(Reflect.get(style, `padding${side}`) as string),
  );
  const zoom = zoomOf(canvas);
  const fromRight = zoom * canvas.clientWidth - right - offsetX;
  const fromBottom = zoom * canvas.clientHeight - bottom - offsetY;
  return Math.min(offsetX - left, offsetY - top, fromRight, fromBottom) > slack;
}

/** WebKit has no such property. Its events count the offsets below a `zoom` otherwise. */
function zoomOf(canvas: HTMLCanvasElement): number {
  return HAS_ZOOM ? canvas.currentCSSZoom : 1;
}
const HAS_ZOOM = 'currentCSSZoom' in Element.prototype;
const hasZoom = ({ css, around = [] }: Sibling): boolean => [css, ...around].some((style) => 'zoom' in style);

describe('on a canvas with', () => {
  const tested = sampleFrom(
    siblings.filter((sibling) => HAS_ZOOM || !hasZoom(sibling)),
    2,
  );
  it.each(tested.map((sibling) => [sibling.name, sibling] as const))('%s', (_, sibling) => {
    const canvas = canvasOf(sibling);
    const { image = whole, isPerspective = false } = sibling;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const random = createRandom(5);
    let hits = 0;
    for (let k = 0; k < 120; k++) {
      const [x, y] = [left + width * random.between(-0.05, 1.05), top + height * random.between(-0.05, 1.05)];
      // An error in a handler would not reach the test.
      const { hit, place, offset, inner, outer, client } = inEvent(canvas, x, y, (event) => ({
        // WebKit rounds it.
        client: { clientX: event.clientX, clientY: event.clientY },
        hit: pick(event, camera, canvas, wall),
        place: placeOf(event, image),
        offset: [event.offsetX, event.offsetY],
        inner: isInContent(canvas, event, 1.5),
        outer: isInContent(canvas, event, -1.5),
      }));
      // Offsets are rounded to pixels of the element. At the edges both answers are right.
      const tolerance = 3 / Math.min(image[2], image[3]);
      const edge = Math.max(Math.abs(place.x), Math.abs(place.y));
      const where = `${x}, ${y}, offset ${offset.join()}`;
      if (edge < 1 - tolerance && inner) expect(hit, where).not.toBeNull();
      if (edge > 1 + tolerance || !outer) expect(hit, where).toBeNull();
      if (hit === null) continue;
      hits++;
      expect(Math.abs(hit.point.x - place.x), where).toBeLessThan(tolerance);
      expect(Math.abs(hit.point.y - place.y), where).toBeLessThan(tolerance);
      if (isPerspective) continue;
      // A touch, or an event that was handled before, has no offset.
      const later = pick(client, camera, canvas, wall)!;
      expect(later.point.distanceTo(hit.point)).toBe(0);
    }
    expect(hits).toBeGreaterThan(0);
    if (isPerspective) return;
    // The window as a linear map of the image.
    const [origin, right, down] = [
      [0, 0],
      [1000, 0],
      [0, 1000],
    ].map(([x, y]) => inEvent(canvas, x, y, (event) => placeOf(event, image)));
    const [u, v] = [right, down].map((end) => end.clone().sub(origin).divideScalar(1000));
    const windowOf = (place: Vector2): Vector2 => {
      const { x, y } = place.clone().sub(origin);
      const determinant = u.x * v.y - u.y * v.x;
      return new Vector2((x * v.y - y * v.x) / determinant, (u.x * y - u.y * x) / determinant);
    };
    for (let k = 0; k < 6; k++) {
      const [from, to] = [0, 1].map(() => new Vector2(left + width * random.next(), top + height * random.next()));
      const [low, high] = [from.clone().min(to), from.clone().max(to)];
      const picked = new Set(
        pickWithin({ clientX: from.x, clientY: from.y }, { clientX: to.x, clientY: to.y }, camera, canvas, dots).map(
          ({ object }) => object,
        ),
      );
      for (const dot of dots.children) {
        const at = windowOf(new Vector2(dot.position.x, dot.position.y));
        const margin = Math.min(at.x - low.x, at.y - low.y, high.x - at.x, high.y - at.y);
        if (Math.abs(margin) < 1.5) continue;
        const isShown = inEvent(canvas, at.x, at.y, (event) => [
          isInContent(canvas, event, 1),
          isInContent(canvas, event, -1),
        ]);
        if (isShown[0] === isShown[1]) expect(picked.has(dot)).toBe(margin > 0 && isShown[0]);
      }
    }
  });

  it('a shadow root and a slot between it and an ancestor that is turned', () => {
    const host = document.createElement('div');
    host.className = 'pick-css';
    Object.assign(host.style, { position: 'absolute', left: '99px', top: '99px' }, turn(20));
    const root = host.attachShadow({ mode: 'open' });
    root.innerHTML = '<div style="transform: rotate(30deg)"><slot></slot></div>';
    const canvas = document.createElement('canvas');
    Object.assign(canvas.style, { display: 'block' }, size);
    host.append(canvas);
    document.body.append(host);
    const { left, top, width, height } = canvas.getBoundingClientRect();
    for (const part of [0.4, 0.5, 0.6]) {
      const [place, hit] = inEvent(
        canvas,
        left + part * width,
        top + height / 2,
        (event) => [placeOf(event, whole), pick(event, camera, canvas, wall)!] as const,
      );
      expect(Math.hypot(hit.point.x - place.x, hit.point.y - place.y)).toBeLessThan(0.03);
    }
  });
});
