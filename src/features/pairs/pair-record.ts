/** Records of pairs. */

import type { AnyRecord } from '../../octree/queries/intersection-record.ts';
import type { RecordWriter } from '../../octree/queries/record-writer.ts';

/** Writes the record of two bodies, which touch or are within a distance of each other; the record's `body` is the first one. */
export function writePair(writer: RecordWriter, index: number, other: number): AnyRecord {
  const { bounds, otherBounds, contact, store } = writer;
  const record = writer.next(index);
  const isSphere = writer.readBounds(index, bounds);
  const isOtherSphere = writer.readBounds(other, otherBounds);
  writer.writeContact(record, contact.between(bounds, isSphere, otherBounds, isOtherSphere));
  record.other = store.bodyAt(other);
  return record;
}
