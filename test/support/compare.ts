/**
 * Compares results of the octree with results of the reference, and throws an error that names the first difference.
 */
import { Sphere } from 'three';
import type { Body, IntersectionRecord } from '../../src/index.ts';
import type { ReferenceResult } from '../../src/debug/reference/brute-force.ts';

/**
 * Greatest relative difference of positions, normals and depths. Both sides compute them from the same inputs, with a
 * few roundings.
 */
const RELATIVE_ERROR = 1e-9;

/**
 * Throws unless the records are the expected results. If `isOrdered`, their order and their distances must be equal
 * too, to the last bit; otherwise only the sets must be equal.
 */
export function expectRecords<T>(
  records: readonly IntersectionRecord<T>[],
  expected: readonly ReferenceResult[],
  isOrdered: boolean,
  indexOf: (body: Body<T>) => number = (body) => body.index,
): void {
  const found = records.map((record) => ({
    record,
    index: indexOf(record.body),
    other: record.other === null ? -1 : indexOf(record.other),
  }));
  if (!isOrdered) found.sort((a, b) => a.index - b.index || a.other - b.other);
  // Texts only for an error: they would take most of the time.
  if (
    found.length !== expected.length ||
    found.some(({ index, other }, i) => index !== expected[i].index || other !== expected[i].other)
  ) {
    throw new Error(`records are [${found.map(nameOf).join(' ')}], expected [${expected.map(nameOf).join(' ')}]`);
  }
  for (let i = 0; i < found.length; i++) expectFields(found[i].record, expected[i], isOrdered);
}

/** Throws unless the index form gives the results of the record form, in the same order. */
export function expectSameForms<T>(
  written: ArrayLike<number>,
  count: number,
  records: readonly IntersectionRecord<T>[],
  indexOf: (body: Body<T>) => number,
): void {
  let at = 0;
  let isSame = count === records.length;
  for (const { body, other } of records) {
    isSame &&= written[at++] === indexOf(body) && (other === null || written[at++] === indexOf(other));
  }
  if (isSame && written.length === at) return;
  const wanted = records.flatMap(({ body, other }) =>
    other === null ? [indexOf(body)] : [indexOf(body), indexOf(other)],
  );
  throw new Error(
    `collect form gives ${count} results [${Array.from(written).join(' ')}], record form [${wanted.join(' ')}]`,
  );
}

/** Throws unless the index form gives the expected results, in their order if `isOrdered`. */
export function expectIndices(
  written: ArrayLike<number>,
  count: number,
  expected: readonly ReferenceResult[],
  isOrdered: boolean,
): void {
  const perResult = expected.length > 0 && expected[0].other !== -1 ? 2 : 1;
  const found = Array.from({ length: written.length / perResult }, (_, i) => ({
    index: written[i * perResult],
    other: perResult === 2 ? written[i * 2 + 1] : -1,
  }));
  if (!isOrdered) found.sort((a, b) => a.index - b.index || a.other - b.other);
  if (
    count === expected.length &&
    found.length === count &&
    found.every(({ index, other }, i) => index === expected[i].index && other === expected[i].other)
  )
    return;
  throw new Error(
    `collect form gives ${count} results [${found.map(nameOf).join(' ')}], expected [${expected.map(nameOf).join(' ')}]`,
  );
}

function expectFields<T>(record: IntersectionRecord<T>, result: ReferenceResult, isExact: boolean): void {
  const { position, normal } = record;
  const [x, y, z] = result.position;
  const scale = Math.max(1, Math.abs(x), Math.abs(y), Math.abs(z), Math.abs(result.distance));
  const isSameDistance = isExact
    ? record.distance === result.distance
    : isNear(record.distance, result.distance, scale);
  if (!isSameDistance)
    throw new Error(`record ${nameOf(result)}: distance ${record.distance}, expected ${result.distance}`);
  if (record.time !== result.time)
    throw new Error(`record ${nameOf(result)}: time ${record.time}, expected ${result.time}`);
  if (record.alongRay !== (result.alongRay ?? 0) && !isNear(record.alongRay, result.alongRay ?? 0, scale))
    throw new Error(`record ${nameOf(result)}: alongRay ${record.alongRay}, expected ${result.alongRay}`);
  if (record.inside !== result.inside)
    throw new Error(`record ${nameOf(result)}: inside ${record.inside}, expected ${result.inside}`);
  if (!(isNear(position.x, x, scale) && isNear(position.y, y, scale) && isNear(position.z, z, scale))) {
    throw new Error(
      `record ${nameOf(result)}: position ${position.toArray().join(' ')}, expected ${result.position.join(' ')}`,
    );
  }
  const [normalX, normalY, normalZ] = result.normal;
  const isSameNormal = isNear(normal.x, normalX, 1) && isNear(normal.y, normalY, 1) && isNear(normal.z, normalZ, 1);
  if (!isSameNormal && !isIllConditioned(record, scale, result.alongRay !== undefined)) {
    throw new Error(
      `record ${nameOf(result)}: normal ${normal.toArray().join(' ')}, expected ${result.normal.join(' ')}`,
    );
  }
}

/**
 * Whether the normal consists of rounding errors: it joins two nearly equal points far from the origin. Its length must
 * still be 1 or 0. The hit of a ray on a sphere of radius 0 is not such a case, unless the query is for the nearest
 * body: its normal is the negated direction.
 */
function isIllConditioned<T>(
  { body, distance, normal, ray }: IntersectionRecord<T>,
  scale: number,
  isNearest: boolean,
): boolean {
  const radius = body.kind === 'sphere' ? body.getSphere(isIllConditioned_sphere).radius : Infinity;
  if (ray !== null && radius === 0 && !isNearest) return false;
  const span = Math.min(Math.abs(distance), radius);
  return span < scale * 1e-6 && (normal.lengthSq() === 0 || isNear(normal.lengthSq(), 1, 1));
}
const isIllConditioned_sphere = new Sphere();

function isNear(value: number, expected: number, scale: number): boolean {
  return Math.abs(value - expected) <= RELATIVE_ERROR * scale;
}

function nameOf({ index, other }: { readonly index: number; readonly other: number }): string {
  return other === -1 ? `${index}` : `${index}+${other}`;
}
