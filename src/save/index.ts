/**
 * Entry point scene-octree/save: the bodies of an octree as arrays, and as one ArrayBuffer. Needs no three: for pages,
 * workers and servers.
 *
 * @module scene-octree/save
 */

export { readBodies, readBoxes, readMasks } from './read-bodies.ts';
export { decodeBodies, encodeBodies } from './encode-bodies.ts';
export { BodySet } from './body-set.ts';
export { ChangeJournal, trackChanges } from './track-changes.ts';
export { SavedBodiesError } from './saved-bodies-error.ts';
export type { BodyGroup, OctreeWithData, ReadBodyGroup, ReadOptions } from './read-bodies.ts';
export type { DataCodec } from './encode-bodies.ts';
export type { BodyChanges, ChangeOptions } from './track-changes.ts';
export type { SavedBodiesFault } from './saved-bodies-error.ts';
