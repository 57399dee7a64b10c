/** What a kind of change is: see change-kinds.ts. And how kinds are written down in tables. */

import {
  BoxGeometry,
  DataTexture,
  DirectionalLight,
  Group,
  Mesh,
  MeshLambertMaterial,
  Object3D,
  type BufferGeometry,
  type PerspectiveCamera,
  type Scene,
  type ShadowMapType,
} from 'three';
import type { FakeRenderer } from './change-towns.ts';

export type Subject = Mesh<BufferGeometry, MeshLambertMaterial>;

export interface KindWorld {
  readonly scene: Scene;
  /** An OctreeGroup, or a plain group with the same children. */
  readonly group: Group;
  readonly mesh: Subject;
  readonly material: MeshLambertMaterial;
  readonly light: DirectionalLight;
  readonly camera: PerspectiveCamera;
  readonly renderer: FakeRenderer & Record<string, unknown>;
}

/** In the update after the change. */
export const AT_ONCE = 'at once';
/** In turn, by one of the next 256 updates. */
export const LATE = 'late';
export const NEVER = 'never';
/** Nothing has changed there, but the bounds have, or how they are found. */
export const ANY = 'any';
export type When = typeof AT_ONCE | typeof LATE | typeof NEVER | typeof ANY;

export interface Kind {
  readonly change: (world: KindWorld) => void;
  /** What is there before. */
  readonly make?: (world: KindWorld) => void;
  /** Whether a picture, and whether a shadow map, changes. */
  readonly views: When;
  readonly shadows: When;
  /** When it is found of a static mesh that was not reported; of all others at once. */
  readonly unreported: When;
  /** Whether the mesh hides nothing any longer, and whether it has to be drawn although a wall hides it. */
  opens?: boolean;
  showsThrough?: boolean;
  /** What the user reports. Default: the mesh. */
  readonly reported?: (world: KindWorld) => Object3D;
  /** Whether no value shows what comes after: then each frame counts as changed. */
  readonly isUnknown?: boolean;
  readonly type?: ShadowMapType;
}

export type Change = Kind['change'];
export type Rest = Partial<Pick<Kind, 'make' | 'isUnknown' | 'type' | 'reported'>>;

/** Of the mesh itself: a static one that was not reported is found in turn. */
export const ofMesh = (change: Change, rest: Rest = {}): Kind => ({
  change,
  views: AT_ONCE,
  shadows: AT_ONCE,
  unreported: LATE,
  ...rest,
});
/** Of what meshes share, or of the scene: found at once. */
export const ofAll = (change: Change, rest: Rest = {}): Kind => ({ ...ofMesh(change, rest), unreported: AT_ONCE });
/** Of how the mesh is culled, drawn or hit. Pictures stay as they are. */
export const ofRule = (change: Change, rest: Rest = {}): Kind => ({
  ...ofMesh(change, rest),
  views: ANY,
  shadows: ANY,
});
/** Of what no shadow map reads. */
export const ofView = (change: Change, rest: Rest = {}): Kind => ({ ...ofAll(change, rest), shadows: NEVER });

export const picture = (edge = 1): DataTexture => new DataTexture(new Uint8Array(4 * edge * edge), edge, edge);
export const caster = (): Subject =>
  Object.assign(new Mesh(new BoxGeometry(), new MeshLambertMaterial()), { castShadow: true, name: 'child' });
