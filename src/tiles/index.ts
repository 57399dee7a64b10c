/**
 * Entry point scene-octree/tiles: writes a scene as 3D Tiles. Needs no file system, and of three only its types:
 * for pages, workers and servers.
 *
 * @module scene-octree/tiles
 */

export { objectsOf } from './objects-of.ts';
export { writeTiles } from './write-tiles.ts';
export type { MeshSimplifierLike } from './coarse.ts';
export type { MeshEncoderLike } from './glb.ts';
export type { EncodeImage, TileImage } from './materials.ts';
export type { LoadedScene, ObjectsOfOptions } from './objects-of.ts';
export type { SolidBoxLike } from './property-table.ts';
export type { SceneObject } from './scene-object.ts';
export type { TileFile, TileProgress, WriteTilesOptions } from './write-tiles.ts';
