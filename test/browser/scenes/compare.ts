/** Compares two recordings of a scene. */

import { isNearPixel, NEAR_SHARE } from '../../support/near-pictures.ts';
import { EDGE } from './stage.ts';
import { FRAMES, pictureOf, type Recording } from './play.ts';

/**
 * One sentence for each frame and each kind of difference. Empty if the recordings are equal.
 *
 * @param hasBatches Whether a few pixels may differ.
 */
export function differences(plain: Recording, other: Recording, hasBatches = false): string[] {
  const found: string[] = [];
  const isSame = hasBatches ? isNearPixel : (a: number, b: number): boolean => a === b;
  const all = plain.pixels.reduce((sum, pixel, k) => sum + Number(!isSame(pixel, other.pixels[k])), 0);
  const isAllowed = hasBatches && all <= NEAR_SHARE * plain.pixels.length;
  for (let frame = 0; frame < FRAMES; frame++) {
    const report = (what: string): void => void found.push(`frame ${frame}: ${what}`);
    const expected = pictureOf(plain.pixels, frame);
    const picture = pictureOf(other.pixels, frame);
    const first = expected.findIndex((pixel, k) => !isSame(pixel, picture[k]));
    if (first >= 0 && !isAllowed) {
      const count = expected.reduce((sum, pixel, k) => sum + Number(!isSame(pixel, picture[k])), 0);
      report(
        `${count} pixels differ, the first at (${first % EDGE}, ${Math.floor(first / EDGE)}): ${hex(picture[first])} in place of ${hex(expected[first])}`,
      );
    }
    // Boxes are tighter than the bounding spheres of three, so some draw calls of objects at the edge of the picture
    // are left out.
    if (other.drawCalls[frame] > plain.drawCalls[frame])
      report(`${other.drawCalls[frame]} draw calls in place of ${plain.drawCalls[frame]}`);
    reportLists('callbacks', plain.callbacks[frame], other.callbacks[frame], report);
    reportMatrices(plain.matrices[frame], other.matrices[frame], report);
    reportLists('hits', plain.hits[frame], other.hits[frame], report);
  }
  return found;
}

function reportLists(
  what: string,
  expected: readonly string[],
  actual: readonly string[],
  report: (text: string) => void,
): void {
  const k = expected.findIndex((entry, place) => entry !== actual[place]);
  if (k >= 0 || actual.length > expected.length) {
    const place = k < 0 ? expected.length : k;
    report(`${what}: ${actual[place] ?? 'nothing'} at place ${place} in place of ${expected[place] ?? 'nothing'}`);
  }
}

function reportMatrices(
  expected: ReadonlyMap<string, number[]>,
  actual: ReadonlyMap<string, number[]>,
  report: (text: string) => void,
): void {
  if (expected.size !== actual.size) report(`${actual.size} objects in place of ${expected.size}`);
  for (const [path, elements] of expected) {
    const others = actual.get(path) ?? [];
    if (elements.every((element, k) => Object.is(element, others[k]) || element === others[k])) continue;
    report(`matrixWorld of ${path}: ${others.join(' ')} in place of ${elements.join(' ')}`);
    return;
  }
}

function hex(pixel: number): string {
  return (pixel >>> 0).toString(16).padStart(8, '0');
}
