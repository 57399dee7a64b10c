/** The position of a pointer: from CSS pixels of the window to normalized device coordinates of a camera. */

import { Vector2 } from 'three';
import { describe, requireObject } from '../../octree/input/input-checks.ts';

const REMEDY = 'pass the event, or one of its touches';

/** A mouse or pointer event, a Touch, or another object with a position in the window, in CSS pixels. */
export interface PointerLike {
  /** From the left edge of the window. */
  readonly clientX: number;
  /** From the top edge of the window. */
  readonly clientY: number;
}

/** The canvas, or another element that shows the whole image of the camera. */
export interface ElementLike {
  /** Place and size of the element in the window, in CSS pixels, as of a DOM element. */
  getBoundingClientRect(): { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
}

/**
 * The position of a pointer in normalized device coordinates: -1 to 1 from left to right and from bottom to top of the element. NaN or
 * infinite if the element has no size.
 *
 * @throws {TypeError} If clientX or clientY of the pointer is not a number.
 * @throws {RangeError} If one of them is not finite.
 */
export function deviceCoordinatesOf(where: string, field: string, pointer: PointerLike, element: ElementLike): Vector2 {
  requireObject(where, field, pointer, REMEDY);
  const { clientX, clientY } = pointer;
  if (!Number.isFinite(clientX) || !Number.isFinite(clientY)) {
    const Kind = typeof clientX === 'number' && typeof clientY === 'number' ? RangeError : TypeError;
    throw new Kind(`${where}: ${field} must have a finite clientX and clientY, but has ${describe(clientX)} and ${describe(clientY)}; ${REMEDY}.`);
  }
  const { left, top, width, height } = element.getBoundingClientRect();
  return new Vector2((2 * (clientX - left)) / width - 1, 1 - (2 * (clientY - top)) / height);
}
