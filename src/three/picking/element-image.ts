/**
 * Where an element shows the image of a camera, in the window: its content box, under the CSS transforms of the element
 * and its ancestors, and in it the image as `object-fit` and `object-position` place it.
 */

import { Vector2 } from 'three';
import type { ElementLike, PointerLike } from './screen.ts';

/** A rectangle, y downwards. */
interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** What an event has beside its place in the window. */
interface EventLike extends PointerLike {
  readonly target?: unknown;
  readonly eventPhase?: number;
  readonly offsetX?: number;
  readonly offsetY?: number;
}

/** What the kinds of elements with an image of their own have: its size. */
interface NaturalSize {
  readonly tagName: string;
  readonly width?: number;
  readonly height?: number;
  readonly videoWidth?: number;
  readonly videoHeight?: number;
  readonly naturalWidth?: number;
  readonly naturalHeight?: number;
}

/** The columns of a matrix without translation: x to (a, b), y to (c, d). */
interface Linear {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
}

export class ElementImage {
  /** In normalized device coordinates: the part of the image that the element shows. */
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
  private readonly element: ElementLike;
  /** Of the element, in the window. */
  private readonly bounds: Rectangle;
  /** Of the element without its transforms, with border and padding. */
  private readonly width: number;
  private readonly height: number;
  /** From the element to the window. */
  private readonly linear: Linear;
  /** Whether a perspective is among the transforms: then no linear map is exact. */
  private readonly hasPerspective: boolean;
  /** Of the element's place without transforms. */
  private readonly image: Rectangle;
  private readonly borderLeft: number;
  private readonly borderTop: number;

  constructor(element: ElementLike) {
    this.element = element;
    const bounds = (this.bounds = element.getBoundingClientRect());
    const style = styleOf(element);
    const border = style === null ? NO_EDGES : edgesOf(style, (side) => `border-${side}-width`);
    const padding = style === null ? NO_EDGES : edgesOf(style, (side) => `padding-${side}`);
    const insets = border.map((edge, k) => edge + padding[k]);
    const isWhole = style?.boxSizing === 'border-box';
    const lengthOf = (css: string | undefined, around: number, fallback: number): number => {
      const length = Number.parseFloat(css ?? '');
      return Number.isNaN(length) ? fallback : isWhole ? length : length + around;
    };
    this.width = lengthOf(style?.width, insets[1] + insets[3], bounds.width);
    this.height = lengthOf(style?.height, insets[0] + insets[2], bounds.height);
    const { linear, hasPerspective } = style === null ? NO_TRANSFORM : transformOf(element as unknown as Element);
    this.hasPerspective = hasPerspective;
    // The bounds are those of the transformed box: this finds `zoom`, too.
    const scaleX = bounds.width / (Math.abs(linear.a) * this.width + Math.abs(linear.c) * this.height);
    const scaleY = bounds.height / (Math.abs(linear.b) * this.width + Math.abs(linear.d) * this.height);
    this.linear = { a: linear.a * scaleX, b: linear.b * scaleY, c: linear.c * scaleX, d: linear.d * scaleY };
    this.borderLeft = border[3];
    this.borderTop = border[0];
    const content = {
      left: insets[3],
      top: insets[0],
      width: this.width - insets[1] - insets[3],
      height: this.height - insets[0] - insets[2],
    };
    this.image = style === null ? content : imageIn(content, style, element as unknown as NaturalSize);
    const min = this.deviceOf(content.left, content.top);
    const max = this.deviceOf(content.left + content.width, content.top + content.height);
    this.left = Math.max(-1, min.x);
    this.right = Math.min(1, max.x);
    this.bottom = Math.max(-1, max.y);
    this.top = Math.min(1, min.y);
  }

  /** Whether it is turned or sheared: then a rectangle in the window is none in the image. */
  get isTurned(): boolean {
    const { a, b, c, d } = this.linear;
    const tolerance = 1e-6 * (Math.abs(a) + Math.abs(b) + Math.abs(c) + Math.abs(d));
    return Math.min(Math.abs(a) + Math.abs(d), Math.abs(b) + Math.abs(c)) > tolerance;
  }

  /** The normalized device coordinates of a pointer. NaN or infinite if the element has no size. */
  coordinatesOf(pointer: EventLike): Vector2 {
    const { clientX, clientY, target, eventPhase, offsetX, offsetY } = pointer;
    // Browsers round `offsetX`, so it is used only where nothing else is right. It holds while the event is handled.
    if (this.hasPerspective && target === this.element && eventPhase !== 0 && offsetX !== undefined)
      return this.deviceOf(offsetX + this.borderLeft, offsetY! + this.borderTop);
    const { left, top, width, height } = this.bounds;
    const { a, b, c, d } = this.linear;
    // A linear map takes the centre of a box to the centre of its bounds.
    const x = clientX - left - width / 2;
    const y = clientY - top - height / 2;
    const determinant = a * d - b * c;
    return this.deviceOf(
      this.width / 2 + (d * x - c * y) / determinant,
      this.height / 2 + (a * y - b * x) / determinant,
    );
  }

  /** Whether the element shows a place of the image. False for NaN. */
  shows({ x, y }: Vector2): boolean {
    return x >= this.left && x <= this.right && y >= this.bottom && y <= this.top;
  }

  /** The normalized device coordinates of a place in the element, without its transforms. */
  private deviceOf(x: number, y: number): Vector2 {
    const { left, top, width, height } = this.image;
    return new Vector2((2 * (x - left)) / width - 1, 1 - (2 * (y - top)) / height);
  }
}

const NO_EDGES: readonly number[] = [0, 0, 0, 0];
const NO_TRANSFORM = { linear: { a: 1, b: 0, c: 0, d: 1 }, hasPerspective: false };

/** The style of an element of a document; null for any other object. */
function styleOf(element: unknown): CSSStyleDeclaration | null {
  const { ownerDocument } = element as Partial<Element>;
  return ownerDocument?.defaultView?.getComputedStyle(element as Element) ?? null;
}

/** Top, right, bottom, left, in pixels. */
function edgesOf(style: CSSStyleDeclaration, property: (side: string) => string): number[] {
  return ['top', 'right', 'bottom', 'left'].map(
    (side) => Number.parseFloat(style.getPropertyValue(property(side))) || 0,
  );
}

/** The transforms of an element and its ancestors, without their translations. */
function transformOf(element: Element): { linear: Linear; hasPerspective: boolean } {
  let matrix = new DOMMatrix();
  let hasPerspective = false;
  let style: CSSStyleDeclaration | null = styleOf(element);
  for (let node: Element | null = element; node !== null && style !== null;) {
    matrix = ownTransformOf(style)?.multiply(matrix) ?? matrix;
    node = parentOf(node);
    style = node === null ? null : styleOf(node);
    const isInPerspective = style !== null && style.perspective !== 'none' && !matrix.is2D;
    hasPerspective ||= isInPerspective || matrix.m14 !== 0 || matrix.m24 !== 0 || matrix.m34 !== 0;
    // In a flat parent the third dimension ends.
    if (style?.transformStyle !== 'preserve-3d')
      matrix = new DOMMatrix([matrix.m11, matrix.m12, matrix.m21, matrix.m22, 0, 0]);
  }
  return { linear: matrix, hasPerspective };
}

function ownTransformOf({ transform, rotate, scale }: CSSStyleDeclaration): DOMMatrix | null {
  if (transform === 'none' && rotate === 'none' && scale === 'none') return null;
  return new DOMMatrix(`${rotationOf(rotate)} ${scaleOf(scale)} ${transform === 'none' ? '' : transform}`);
}

/** The property `rotate` as a transform: an angle, after an axis by its name or as three numbers. */
function rotationOf(rotate: string): string {
  if (rotate === 'none' || rotate === '') return '';
  const words = rotate.split(' ');
  const angle = words.pop()!;
  const axis = { x: '1,0,0', y: '0,1,0', z: '0,0,1' }[words.join()] ?? (words.join() || '0,0,1');
  return axis === '0,0,1' ? `rotate(${angle})` : `rotate3d(${axis},${angle})`;
}

function scaleOf(scale: string): string {
  if (scale === 'none' || scale === '') return '';
  const [x, y = x, z] = scale.split(' ');
  return z === undefined ? `scale(${x},${y})` : `scale3d(${x},${y},${z})`;
}

/** The parent in the tree that is drawn, across shadow roots. */
function parentOf(node: Element): Element | null {
  const root = node.parentNode as { readonly host?: Element } | null;
  return node.assignedSlot ?? node.parentElement ?? root?.host ?? null;
}

/** The image in the content box of an element. */
function imageIn(content: Rectangle, style: CSSStyleDeclaration, element: NaturalSize): Rectangle {
  const width = element.videoWidth ?? element.naturalWidth ?? element.width;
  const height = element.videoHeight ?? element.naturalHeight ?? element.height;
  const { objectFit } = style;
  if (!/^(canvas|video|img)$/i.test(element.tagName) || !width || !height || objectFit === 'fill' || !objectFit)
    return content;
  const contain = Math.min(content.width / width, content.height / height);
  const cover = Math.max(content.width / width, content.height / height);
  const factor =
    { contain, cover, 'scale-down': Math.min(1, contain) }[objectFit as 'contain' | 'cover' | 'scale-down'] ?? 1;
  const [x, y] = positionsOf(style.objectPosition);
  const size = { width: width * factor, height: height * factor };
  return {
    left: content.left + x(content.width - size.width),
    top: content.top + y(content.height - size.height),
    ...size,
  };
}

/** `object-position`, for x and y: from the free room to the place in it. */
function positionsOf(objectPosition: string): ((room: number) => number)[] {
  const values = objectPosition.match(/calc\([^)]*\)|\S+/g) ?? [];
  return [0, 1].map((axis) => {
    // A percentage, a length in pixels, or the sum of both.
    const parts = (values[axis] ?? '50%').replaceAll(/\s*([+-])\s+/g, ' $1').matchAll(/([+-]?[\d.]+)(%|px)/g);
    const terms = Array.from(parts, ([, number, unit]) => ({ number: Number(number), unit }));
    return (room) => terms.reduce((sum, { number, unit }) => sum + (unit === '%' ? (number / 100) * room : number), 0);
  });
}
