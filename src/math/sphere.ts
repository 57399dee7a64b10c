/**
 * Balls and boxes. Numbers come in lanes and go out in lanes or as a yes or no: a number that is passed to a call, or returned by one, may
 * have to become an object first, and these are asked for every box on the way.
 *
 * Source of the box test: Arvo, "A Simple Method for Box-Sphere Intersection Testing", Graphics Gems, 1990.
 */

import type { Boxes } from './box.ts';

/** Whether the ball at lane `ball` of `balls`, centre and radius, touches the box at lane `at`. */
export function sphereTouchesBox(balls: Float64Array, ball: number, boxes: Boxes, at: number): boolean {
  const x = balls[ball];
  const y = balls[ball + 1];
  const z = balls[ball + 2];
  const radius = balls[ball + 3];
  const dx = x < boxes[at] ? boxes[at] - x : x > boxes[at + 3] ? x - boxes[at + 3] : 0;
  const dy = y < boxes[at + 1] ? boxes[at + 1] - y : y > boxes[at + 4] ? y - boxes[at + 4] : 0;
  const dz = z < boxes[at + 2] ? boxes[at + 2] - z : z > boxes[at + 5] ? z - boxes[at + 5] : 0;
  return dx * dx + dy * dy + dz * dz <= radius * radius;
}

/** Whether a ball holds all corners of a box. */
export function sphereContainsBox(balls: Float64Array, ball: number, boxes: Boxes, at: number): boolean {
  const x = balls[ball];
  const y = balls[ball + 1];
  const z = balls[ball + 2];
  const radius = balls[ball + 3];
  const dx = Math.max(x - boxes[at], boxes[at + 3] - x);
  const dy = Math.max(y - boxes[at + 1], boxes[at + 4] - y);
  const dz = Math.max(z - boxes[at + 2], boxes[at + 5] - z);
  return dx * dx + dy * dy + dz * dz <= radius * radius;
}

/** Whether two balls touch. */
export function spheresTouch(as: Float64Array, a: number, bs: Float64Array, b: number): boolean {
  const dx = as[a] - bs[b];
  const dy = as[a + 1] - bs[b + 1];
  const dz = as[a + 2] - bs[b + 2];
  const reach = as[a + 3] + bs[b + 3];
  return dx * dx + dy * dy + dz * dz <= reach * reach;
}
