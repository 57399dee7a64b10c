/** A city of separate meshes: blocks of houses between straight streets. 1 unit = 1 m. */

import { BoxGeometry, Mesh, MeshLambertMaterial, PerspectiveCamera, type BufferGeometry } from 'three';
import { createRandom } from './random.ts';

/** From the middle of a street to the next, the width of a street, and houses along an edge of a block. */
const BLOCK = 60;
const STREET = 12;
const HOUSES = 4;

/** Adds houses; each has a size of its own. Returns half the edge of the city. */
export function addBlockCity(count: number, add: (house: Mesh) => void, seed = 1): number {
  const random = createRandom(seed);
  const geometries: BufferGeometry[] = Array.from(
    { length: 64 },
    () => new BoxGeometry((BLOCK - STREET) / HOUSES, random.between(6, 22), (BLOCK - STREET) / HOUSES),
  );
  for (const geometry of geometries) geometry.computeBoundingBox();
  const materials = Array.from({ length: 12 }, () => new MeshLambertMaterial({ color: random.below(2 ** 24) }));
  const blocks = Math.ceil(Math.sqrt(count / (HOUSES * HOUSES)));
  const half = (blocks * BLOCK) / 2;
  const edge = (BLOCK - STREET) / HOUSES;
  for (let k = 0; k < count; k++) {
    const block = Math.floor(k / (HOUSES * HOUSES));
    const place = k % (HOUSES * HOUSES);
    const house = new Mesh(random.pick(geometries), random.pick(materials));
    const { max } = house.geometry.boundingBox!;
    house.position.set(
      (block % blocks) * BLOCK - half + STREET / 2 + ((place % HOUSES) + 0.5) * edge,
      max.y,
      Math.floor(block / blocks) * BLOCK - half + STREET / 2 + (Math.floor(place / HOUSES) + 0.5) * edge,
    );
    add(house);
  }
  return half;
}

/** Cameras at eye level in streets of the city, with random directions. */
export function streetCameras(count: number, half: number, seed = 2): PerspectiveCamera[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    const camera = new PerspectiveCamera(60, 16 / 9, 0.1, 2000);
    const line = Math.round(random.between(-0.4, 0.4) * ((2 * half) / BLOCK)) * BLOCK - (half % BLOCK);
    const along = random.between(-0.8, 0.8) * half;
    camera.position.set(line, 1.7, along);
    if (random.below(2) === 0) camera.position.set(along, 1.7, line);
    camera.rotation.y = random.between(0, 2 * Math.PI);
    camera.updateMatrixWorld();
    return camera;
  });
}
