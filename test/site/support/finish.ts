import type { SlicedWork } from '../../../examples/src/shared/slices.ts';

/** Runs sliced work to its end, in one go. */
export function finish<Product>(work: SlicedWork<Product>): Product {
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
}
