// Builds the forest in steps: a jittered grid of trees, rocks, huts and lamps on tiles of ground, and birds above it.

import { type BufferGeometry, Color, type Mesh, MeshLambertMaterial, PlaneGeometry, Vector3 } from 'three';
import { hash, mix } from '../shared/noise.ts';
import type { SlicedWork } from '../shared/slices.ts';
import { Birds } from './birds.ts';
import { createKinds, type Kind, type KindName } from './kinds.ts';
import { heightAt, needlesAt, woodAt } from './land.ts';
import { paintBy } from './low-poly.ts';
import { ForestPath } from './path.ts';
import { GroupPair } from './group-pair.ts';

/** Metres between objects of the forest. */
const SPACING = 13;
/** Edge of a ground tile in metres, and its segments along an edge. */
const TILE = 128;
const TILE_STEPS = 10;
/** Share of the meshes that are birds. */
const BIRDS = 0.01;
/** Birds per flock. */
const FLOCK = 12;
/** Meshes per step: less than a millisecond of work. */
const STEP = 64;
/**
 * Minimum number of meshes between two updates of the group; 1/64 of all meshes if that is more. Each update also
 * checks all earlier meshes for moves.
 */
const BATCH = 512;
/** Far plane of the camera, in metres. */
export const VIEW = 190;

const GRASS = new Color('#6d7d42');
const MOSS = new Color('#45604a');
const EARTH = new Color('#94744c');

export interface Forest {
  readonly groups: GroupPair;
  readonly birds: Birds;
  readonly path: ForestPath;
  /** One mesh per material, to compile in advance. */
  readonly samples: readonly Mesh[];
  dispose(): void;
}

/**
 * Creates exactly `count` meshes per group. The OctreeGroup watches all meshes for moves, or only the birds if
 * `isStatic`.
 */
export function* buildForest(count: number, isStatic: boolean): SlicedWork<Forest> {
  const edge = Math.sqrt(count) * SPACING;
  const groups = new GroupPair();
  const kinds = createKinds();
  yield 0;
  const earth = new MeshLambertMaterial({ vertexColors: true });
  const path = new ForestPath(edge, VIEW);
  const birds = new Birds();
  const tiles: BufferGeometry[] = [];

  for (let bird = Math.floor(count * BIRDS); bird > 0; bird--) addBird(bird, kinds.bird, groups, birds, path);
  birds.moveTo(0);
  groups.culled.hasStaticChildren = isStatic;

  const tilesAcross = Math.max(1, Math.ceil(edge / TILE));
  for (let tile = 0; tile < tilesAcross ** 2 && groups.count < count; tile++) {
    const geometry = createTile(
      ((tile % tilesAcross) + 0.5) * TILE - edge / 2,
      (Math.floor(tile / tilesAcross) + 0.5) * TILE - edge / 2,
    );
    tiles.push(geometry);
    groups.add(geometry, earth, (mesh) => (mesh.name = 'ground'));
    yield groups.count / count;
  }

  const objectCount = count - groups.count;
  const across = Math.ceil(Math.sqrt(objectCount));
  const batch = Math.max(BATCH, count >> 6);
  for (let k = 0; k < objectCount; k++) {
    addObject(k % across, Math.floor(k / across), edge / across, edge, groups, kinds);
    if (k % batch === 0) groups.flush();
    if (k % STEP === 0) yield groups.count / count;
  }
  groups.flush();

  const dispose = (): void => {
    for (const geometry of tiles) geometry.dispose();
    earth.dispose();
    for (const { geometries, materials } of Object.values(kinds))
      for (const part of [...geometries, ...materials]) part.dispose();
  };
  return { groups, birds, path, samples: samplesOf(groups), dispose };
}

function addObject(
  column: number,
  row: number,
  step: number,
  edge: number,
  groups: GroupPair,
  kinds: Readonly<Record<KindName, Kind>>,
): void {
  const random = (salt: number): number => hash(column, row, salt);
  const x = (column + 0.5 + (random(1) - 0.5) * 0.85) * step - edge / 2;
  const z = (row + 0.5 + (random(2) - 0.5) * 0.85) * step - edge / 2;
  const kind = kindAt(x, z, random(3));
  const { geometries, materials, scale } = kinds[kind];
  const size = mix(scale[0], scale[1], random(4));
  groups.add(
    geometries[Math.floor(random(5) * geometries.length)],
    materials[Math.floor(random(6) * materials.length)],
    (mesh) => {
      mesh.name = kind;
      mesh.position.set(x, heightAt(x, z), z);
      mesh.rotation.y = random(7) * Math.PI * 2;
      mesh.scale.set(size, size * mix(0.9, 1.15, random(8)), size);
    },
  );
}

function kindAt(x: number, z: number, chance: number): KindName {
  const wood = woodAt(x, z);
  if (wood < 0.3) return chance < 0.04 ? 'hut' : chance < 0.1 ? 'lamp' : chance < 0.45 ? 'rock' : 'bush';
  if (chance > 0.93) return chance > 0.97 ? 'rock' : 'bush';
  const needles = needlesAt(x, z) + (chance - 0.45) * 0.5;
  return needles > 0.57 ? 'pine' : needles > 0.49 ? 'birch' : 'tree';
}

function addBird(
  bird: number,
  { geometries, materials, scale }: Kind,
  groups: GroupPair,
  birds: Birds,
  path: ForestPath,
): void {
  const flock = Math.floor(bird / FLOCK);
  const centre = path.pointAt(hash(flock, 0, 11), new Vector3());
  centre.x += (hash(flock, 1, 11) - 0.5) * 60;
  centre.z += (hash(flock, 2, 11) - 0.5) * 60;
  const size = mix(scale[0], scale[1], hash(bird, 0, 12));
  const pair = groups.add(geometries[0], materials[0], (mesh) => {
    mesh.name = `bird ${bird}`;
    mesh.scale.setScalar(size);
  });
  birds.add(
    pair,
    [centre.x, centre.y + 2 + hash(bird, 1, 12) * 6, centre.z],
    18 + hash(bird, 2, 12) * 14,
    hash(bird, 3, 12) * 1.6,
  );
}

/** A square ground tile with its centre at (x, z). */
function createTile(x: number, z: number): BufferGeometry {
  const plane = new PlaneGeometry(TILE, TILE, TILE_STEPS, TILE_STEPS).rotateX(-Math.PI / 2).translate(x, 0, z);
  const places = plane.getAttribute('position');
  for (let corner = 0; corner < places.count; corner++)
    places.setY(corner, heightAt(places.getX(corner), places.getZ(corner)));
  return paintBy(plane, (place, face, target) => {
    const wood = woodAt(place.x, place.z);
    target.lerpColors(
      wood < 0.32 ? EARTH : GRASS,
      wood < 0.32 ? GRASS : MOSS,
      wood < 0.32 ? wood / 0.32 : (wood - 0.32) / 0.4,
    );
    target.multiplyScalar(0.9 + 0.2 * hash(Math.round(x + face), Math.round(z), 13));
  });
}

function samplesOf({ plain }: GroupPair): Mesh[] {
  return [...new Map((plain.children as Mesh[]).map((mesh) => [mesh.material, mesh])).values()];
}
