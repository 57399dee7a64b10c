/** Compares results of the octree with results of the reference, and throws an error that names the first difference. */
import { Sphere } from 'three';
import type { Body, IntersectionRecord } from '../../src/index.ts';
import type { ReferenceResult } from '../../src/debug/brute-force.ts';

/**
 * Greatest relative difference of positions, normals and depths. Both sides compute them from the same inputs, with a few
 * roundings.
 */
const RELATIVE_ERROR = 1e-9;

/**
 * Throws unless the records are the expected results. If `isOrdered`, their order and their distances must be equal too, to the
 * last bit; otherwise only the sets must be equal.
 */
export function expectRecords<T>(
  records: readonly IntersectionRecord<T>[],
  expected: readonly ReferenceResult[],
  isOrdered: boolean,
  indexOf: (body: Body<T>) => number = (body) => body.index,
): void {
  const found = records.map((record) => ({ record, index: indexOf(record.body), other: record.other === null ? -1 : indexOf(record.other) }));
  if (!isOrdered) found.sort((a, b) => a.index - b.index || a.other - b.other);
  const names = found.map(({ index, other }) => nameOf(index, other)).join(' ');
  const wanted = expected.map(({ index, other }) => nameOf(index, other)).join(' ');
  if (names !== wanted) throw new Error(`records are [${names}], expected [${wanted}]`);
  for (const [i, result] of expected.entries()) expectFields(found[i].record, result, isOrdered);
}

/** Throws unless the index form gives the results of the record form, in the same order. */
export function expectSameForms<T>(written: readonly number[], count: number, records: readonly IntersectionRecord<T>[], indexOf: (body: Body<T>) => number): void {
  const wanted = records.flatMap(({ body, other }) => (other === null ? [indexOf(body)] : [indexOf(body), indexOf(other)]));
  if (count === records.length && written.join(' ') === wanted.join(' ')) return;
  throw new Error(`collect form gives ${count} results [${written.join(' ')}], record form [${wanted.join(' ')}]`);
}

/** Throws unless the index form gives the expected results, in their order if `isOrdered`. */
export function expectIndices(written: readonly number[], count: number, expected: readonly ReferenceResult[], isOrdered: boolean): void {
  const perResult = expected.length > 0 && expected[0].other !== -1 ? 2 : 1;
  const names = Array.from({ length: written.length / perResult }, (_, i) => nameOf(written[i * perResult], perResult === 2 ? written[i * 2 + 1] : -1));
  const wanted = expected.map(({ index, other }) => nameOf(index, other));
  if (!isOrdered) for (const list of [names, wanted]) list.sort();
  if (count === wanted.length && names.join(' ') === wanted.join(' ')) return;
  throw new Error(`collect form gives ${count} results [${names.join(' ')}], expected [${wanted.join(' ')}]`);
}

function expectFields<T>(record: IntersectionRecord<T>, result: ReferenceResult, isExact: boolean): void {
  const name = nameOf(result.index, result.other);
  const scale = Math.max(1, ...result.position.map(Math.abs), Math.abs(result.distance));
  const isSameDistance = isExact ? record.distance === result.distance : isNear(record.distance, result.distance, scale);
  if (!isSameDistance) throw new Error(`record ${name}: distance ${record.distance}, expected ${result.distance}`);
  if (record.time !== result.time) throw new Error(`record ${name}: time ${record.time}, expected ${result.time}`);
  if (record.inside !== result.inside) throw new Error(`record ${name}: inside ${record.inside}, expected ${result.inside}`);
  const { position, normal } = record;
  if (![position.x, position.y, position.z].every((value, axis) => isNear(value, result.position[axis], scale))) {
    throw new Error(`record ${name}: position ${position.toArray().join(' ')}, expected ${result.position.join(' ')}`);
  }
  const isSameNormal = [normal.x, normal.y, normal.z].every((value, axis) => isNear(value, result.normal[axis], 1));
  if (!isSameNormal && !isIllConditioned(record, scale)) {
    throw new Error(`record ${name}: normal ${normal.toArray().join(' ')}, expected ${result.normal.join(' ')}`);
  }
}

/**
 * Whether the normal consists of rounding errors: it joins two nearly equal points far from the origin. Its length must still be 1
 * or 0. The hit of a ray on a sphere of radius 0 is not such a case: its normal is the negated direction.
 */
function isIllConditioned<T>({ body, distance, normal, ray }: IntersectionRecord<T>, scale: number): boolean {
  const radius = body.kind === 'sphere' ? body.getSphere(isIllConditioned_sphere).radius : Infinity;
  if (ray !== null && radius === 0) return false;
  const span = Math.min(Math.abs(distance), radius);
  return span < scale * 1e-6 && (normal.lengthSq() === 0 || isNear(normal.lengthSq(), 1, 1));
}
const isIllConditioned_sphere = new Sphere();

function isNear(value: number, expected: number, scale: number): boolean {
  return Math.abs(value - expected) <= RELATIVE_ERROR * scale;
}

function nameOf(index: number, other: number): string {
  return other === -1 ? `${index}` : `${index}+${other}`;
}
