/**
 * What is used of `TilesRenderer` of the package 3d-tiles-renderer, and of what GLTFLoader keeps for a tile, by shape:
 * the library does not import the package.
 */

import type { Group, Object3D } from 'three';

/** A tile of the renderer: the part of its type that is used here. */
export interface TileLike {
  /** How far the tile is from what it stands for, in metres. */
  readonly geometricError: number;
  /** Undefined if the tile draws nothing. */
  readonly content?: {
    /** The address of its file, as in the tileset. */
    readonly uri: string;
  };
  /** Of the renderer. */
  readonly engineData: {
    /** What the tile draws. Null while it is not loaded. */
    readonly scene: Object3D | null;
    /** What its loader returned. */
    readonly metadata: unknown;
  };
}

/** A `TilesRenderer`: the part of its type that is used here. */
export interface TilesRendererLike {
  /** Holds the tiles that no plugin draws. */
  readonly group: Group;
  /** The tiles that are shown. */
  readonly visibleTiles: ReadonlySet<TileLike>;
  /** Whether tiles out of view are shown. */
  displayActiveTiles: boolean;
  /** Whether `frustumCulled` of the meshes in tiles is set to false. */
  autoDisableRendererCulling: boolean;
  /** As of an `EventDispatcher` of three. */
  addEventListener(type: string, listener: (event: { readonly tile?: TileLike }) => void): void;
  /** As of an `EventDispatcher` of three. */
  removeEventListener(type: string, listener: (event: { readonly tile?: TileLike }) => void): void;
  /** Shows or hides a tile, and sends the event of it. */
  setTileVisible(tile: TileLike, isVisible: boolean): void;
}

/** What GLTFLoader returns, as far as it is used here. */
export interface LoadedGltf {
  readonly parser?: GltfParser;
}

export interface GltfParser {
  readonly json: GltfJson;
  readonly associations: { get(object: Object3D): { meshes?: number; primitives?: number } | undefined };
  getDependency(type: 'bufferView', index: number): Promise<ArrayBuffer>;
}

interface GltfJson {
  readonly meshes?: readonly { readonly primitives: readonly { readonly extensions?: PrimitiveExtensions }[] }[];
  readonly extensions?: { readonly EXT_structural_metadata?: StructuralMetadata };
}

interface PrimitiveExtensions {
  readonly EXT_mesh_features?: { readonly featureIds?: readonly FeatureIds[] };
}

/** Features of a primitive: each vertex has the number of its feature, which is the row of its object in a table. */
export interface FeatureIds {
  readonly featureCount: number;
  readonly attribute?: number;
  readonly propertyTable?: number;
}

interface StructuralMetadata {
  readonly schema?: { readonly classes?: Readonly<Record<string, MetadataClass | undefined>> };
  readonly propertyTables?: readonly TableJson[];
}

interface MetadataClass {
  readonly properties?: Readonly<Record<string, PropertyJson | undefined>>;
}

export interface PropertyJson {
  readonly type: string;
  readonly componentType?: string;
  readonly array?: boolean;
  readonly semantic?: string;
  /** Whether integers stand for 0 to 1, or -1 to 1. */
  readonly normalized?: boolean;
  readonly scale?: number;
  readonly offset?: number;
  /** Stands for no value; `default` takes its place. */
  readonly noData?: unknown;
  readonly default?: string | number;
}

export interface TableJson {
  readonly class: string;
  readonly count: number;
  readonly properties?: Readonly<Record<string, ColumnJson>>;
}

export interface ColumnJson {
  readonly values: number;
  readonly stringOffsets?: number;
  readonly stringOffsetType?: string;
  readonly arrayOffsets?: number;
  readonly arrayOffsetType?: string;
  /** In place of those of the schema. */
  readonly scale?: number;
  readonly offset?: number;
}
