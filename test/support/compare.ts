/** Holds the octree's answers against those of the reference, and says in one line where they part. */
import { Sphere } from 'three';
import type { Body, IntersectionRecord } from '../../src/index.ts';
import type { ReferenceResult } from '../../src/debug/brute-force.ts';

/** How far positions, normals and depths may differ: they are computed from exact inputs, by a handful of roundings. */
const RELATIVE_ERROR = 1e-9;

/**
 * Throws unless the records are exactly the expected answers: the same set, in the same order where the query has one (`isOrdered`), the same
 * distances to the last bit where order depends on them.
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
  for (const [i, answer] of expected.entries()) expectFields(found[i].record, answer, isOrdered);
}

/** Throws unless the index form says the same as the record form, in the same order. */
export function expectSameForms<T>(written: readonly number[], count: number, records: readonly IntersectionRecord<T>[], indexOf: (body: Body<T>) => number): void {
  const wanted = records.flatMap(({ body, other }) => (other === null ? [indexOf(body)] : [indexOf(body), indexOf(other)]));
  if (count === records.length && written.join(' ') === wanted.join(' ')) return;
  throw new Error(`collect form gives ${count} answers [${written.join(' ')}], record form [${wanted.join(' ')}]`);
}

/** Throws unless the index form is exactly the expected answer. */
export function expectIndices(written: readonly number[], count: number, expected: readonly ReferenceResult[], isOrdered: boolean): void {
  const perAnswer = expected.length > 0 && expected[0].other !== -1 ? 2 : 1;
  const names = Array.from({ length: written.length / perAnswer }, (_, i) => nameOf(written[i * perAnswer], perAnswer === 2 ? written[i * 2 + 1] : -1));
  const wanted = expected.map(({ index, other }) => nameOf(index, other));
  if (!isOrdered) for (const list of [names, wanted]) list.sort();
  if (count === wanted.length && names.join(' ') === wanted.join(' ')) return;
  throw new Error(`collect form gives ${count} answers [${names.join(' ')}], expected [${wanted.join(' ')}]`);
}

function expectFields<T>(record: IntersectionRecord<T>, answer: ReferenceResult, isExact: boolean): void {
  const name = nameOf(answer.index, answer.other);
  const scale = Math.max(1, ...answer.position.map(Math.abs), Math.abs(answer.distance));
  const isSameDistance = isExact ? record.distance === answer.distance : isNear(record.distance, answer.distance, scale);
  if (!isSameDistance) throw new Error(`record ${name}: distance ${record.distance}, expected ${answer.distance}`);
  if (record.inside !== answer.inside) throw new Error(`record ${name}: inside ${record.inside}, expected ${answer.inside}`);
  const { position, normal } = record;
  if (![position.x, position.y, position.z].every((value, axis) => isNear(value, answer.position[axis], scale))) {
    throw new Error(`record ${name}: position ${position.toArray().join(' ')}, expected ${answer.position.join(' ')}`);
  }
  const isSameNormal = [normal.x, normal.y, normal.z].every((value, axis) => isNear(value, answer.normal[axis], 1));
  if (!isSameNormal && !isIllConditioned(record, scale)) {
    throw new Error(`record ${name}: normal ${normal.toArray().join(' ')}, expected ${answer.normal.join(' ')}`);
  }
}

/**
 * A normal between two points that are almost one, seen from far away, is rounding only; it must have length 1 or 0 all the same. A ray that hits
 * a sphere of radius 0 is no such case: the normal is minus its direction.
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
