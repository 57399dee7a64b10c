/**
 * The forms of a query beside records and indices: the first result, a batch of one ray, visits, visits that narrow the
 * search, and whether there is a result.
 */
import type { Body, Octree, QueryOptions } from '../../src/index.ts';
import type { ReferenceResult } from '../../src/debug/reference/brute-force.ts';
import { expectRecords } from './compare.ts';
import type { Query } from './queries.ts';
import { queryAny, queryBatch, queryFirst, queryFirstIndex, queryNarrowed, queryVisits } from './queries.ts';

/** Throws unless each of these forms that the kind has agrees with the expected results. */
export function expectSingleForms(
  octree: Octree<number>,
  query: Query,
  options: QueryOptions<number>,
  expected: readonly ReferenceResult[],
  indexOf: (body: Body<number>) => number,
): void {
  const first = queryFirst(octree, query, options);
  if (first !== undefined) expectRecords(first === null ? [] : [first], expected.slice(0, 1), true, indexOf);
  const firstIndex = queryFirstIndex(octree, query, options);
  const expectedIndex = expected.length > 0 ? expected[0].index : -1;
  if (firstIndex !== undefined && firstIndex !== expectedIndex)
    throw new Error(`the form for the first index gives ${firstIndex}, expected ${expectedIndex}`);
  const batch = queryBatch(octree, query, options);
  if (
    batch !== undefined &&
    (batch.index !== expectedIndex || batch.distance !== (expected[0]?.distance ?? Infinity))
  ) {
    throw new Error(
      `a batch gives body ${batch.index} at ${batch.distance}, expected ${expectedIndex} at ${expected[0]?.distance}`,
    );
  }
  const visits = queryVisits(octree, query, options);
  if (
    visits !== undefined &&
    (visits.length !== expected.length ||
      visits.some(({ body, distance }, k) => indexOf(body) !== expected[k].index || distance !== expected[k].distance))
  ) {
    throw new Error(
      `visits are [${visits.map(({ body, distance }) => `${indexOf(body)} at ${distance}`).join(' ')}], expected [${expected.map(({ index, distance }) => `${index} at ${distance}`).join(' ')}]`,
    );
  }
  const narrowed = queryNarrowed(octree, query, options);
  if (narrowed !== undefined) {
    const left = new Map(expected.map(({ index, distance, time }) => [index, query.kind === 'ray' ? distance : time]));
    for (const { body, distance } of narrowed.visits) {
      if (left.get(indexOf(body)) !== distance)
        throw new Error(`body ${indexOf(body)} is visited at ${distance}, expected ${left.get(indexOf(body))}`);
      left.delete(indexOf(body));
    }
    for (const [index, distance] of left)
      if (distance <= narrowed.last) throw new Error(`body ${index} at ${distance} is not visited`);
  }
  const any = queryAny(octree, query, options);
  if (any !== undefined && any !== expected.length > 0)
    throw new Error(`the form for any result gives ${any}, but there are ${expected.length} results`);
}
