// Draws the buildings of city-blocks-plan.ts by night, and the ground.

import {
  BoxGeometry,
  DirectionalLight,
  Group,
  HemisphereLight,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PlaneGeometry,
} from 'three';
import { HALF_CITY } from './city-blocks-plan.ts';

/**
 * @param buildings Min x y z and max x y z of each, as `planBuildings` returns them.
 * @param heightShare Share of the height that is drawn.
 */
export function createCityBlocks(buildings: Float64Array, heightShare = 1): Group {
  const ground = new Mesh(
    new PlaneGeometry(2 * HALF_CITY + 60, 2 * HALF_CITY + 60).rotateX(-Math.PI / 2),
    new MeshBasicMaterial({ color: '#0b1019' }),
  );
  const blocks = new InstancedMesh(
    new BoxGeometry(1, 1, 1).translate(0.5, 0.5, 0.5),
    new MeshLambertMaterial({ color: '#3d4d6b' }),
    buildings.length / 6,
  );
  const matrix = new Matrix4();
  for (let k = 0; k < blocks.count; k++) {
    const [x, y, z, maxX, maxY, maxZ] = buildings.subarray(k * 6, k * 6 + 6);
    blocks.setMatrixAt(k, matrix.makeScale(maxX - x, (maxY - y) * heightShare, maxZ - z).setPosition(x, y, z));
  }
  const moon = new DirectionalLight('#b9ccff', 1.5);
  moon.position.set(-120, 200, 90);
  return new Group().add(ground, blocks, moon, new HemisphereLight('#7c9bd6', '#0a0c12', 0.5));
}
