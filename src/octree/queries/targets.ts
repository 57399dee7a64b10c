/** Checks of what the caller passes to be filled: lists of indices, arrays of records, single records. */

import { IndexList } from '../../tree/storage/index-list.ts';
import { requireObject, throwType } from '../input/input-checks.ts';
import { IntersectionRecord } from './intersection-record.ts';

export function requireList(where: string, list: IndexList): void {
  requireObject(where, 'list', list, 'pass an IndexList');
  if (!(list instanceof IndexList)) throwType(where, 'list', 'be an IndexList', list, 'make one with new IndexList()');
}

export function requireTarget(where: string, target: unknown): void {
  if (!Array.isArray(target)) throwType(where, 'target', 'be an array', target, 'leave it out for a fresh one');
}

export function requireRecord(where: string, target: unknown): void {
  if (target === null || target instanceof IntersectionRecord) return;
  throwType(where, 'target', 'be a record', target, 'pass one that a query has returned, or leave it out for a fresh one');
}
