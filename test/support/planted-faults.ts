/** Faults planted into classes of the library: what a history must notice. `vi.restoreAllMocks` removes them. */

import { vi } from 'vitest';
import { Detector } from '../../src/three/detector/detector.ts';

type Method<This = unknown> = (this: This, ...args: unknown[]) => unknown;

/** Replaces a method. `original` calls the replaced one. */
export function plant<This>(target: object, name: string, create: (original: Method<This>) => Method<This>): void {
  const methods = target as Record<string, Method<This>>;
  const implementation = create(methods[name]);
  vi.spyOn(methods, name).mockImplementation(implementation);
}

/** Has a method do nothing. */
export function omit(target: object, name: string): void {
  plant(target, name, () => function () {});
}

/** Has change detectors tell no changes of some kinds. @param forgotten The bits of these. */
export function silence(forgotten: number): void {
  plant(
    Detector.prototype,
    'tell',
    (original) =>
      function (member, told) {
        original.call(this, member, (told as number) & ~forgotten);
      },
  );
}
