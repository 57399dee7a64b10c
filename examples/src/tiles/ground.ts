// The ground below the houses: fields, a river, streets, blocks. One mesh, drawn first and without depths: what comes
// later in it lies above.

import { BufferGeometry, Color, Float32BufferAttribute, Mesh, MeshLambertMaterial } from 'three';
import {
  BLOCK,
  type Block,
  type BlockUse,
  centreDistance,
  emptyBlock,
  planBlock,
  riverAt,
  STREET,
} from '../shared/city-plan.ts';
import type { SlicedWork } from '../shared/slices.ts';

/** The 100,000 houses nearest to the centre are nearer than this, as `centreDistance` measures it in metres. */
export const CITY_EDGE = 5985;
/** Columns and rows of blocks that reach beyond the city, on each side of its centre. */
const GRID = { columns: 58, rows: 82 };
const ROWS_PER_STEP = 2;
const RIVER = { from: -12, to: 98 };
const FIELDS = new Color('#8f9a6c');
const STREETS = new Color('#77777a');
const WATER = new Color('#4f7f98');
const GROUNDS: Readonly<Record<BlockUse, Color>> = {
  none: new Color('#6f8d50'),
  towers: new Color('#b4b0a8'),
  flats: new Color('#aba590'),
  houses: new Color('#86965e'),
  halls: new Color('#a5a19a'),
};

export function* createGround(half: number): SlicedWork<Mesh> {
  const [streets, blocks] = [new Quads(), new Quads()];
  const block = emptyBlock();
  for (let row = -GRID.rows; row < GRID.rows; row++) {
    for (let column = -GRID.columns; column < GRID.columns; column++) {
      planBlock(column, row, block);
      if (centreDistance(block) > CITY_EDGE || isInRiver(block)) continue;
      const { x, z, use } = block;
      streets.add([x - STREET, z - STREET, x + BLOCK.x + 2 * STREET, z + BLOCK.z + 2 * STREET], STREETS);
      blocks.add([x, z, x + BLOCK.x, z + BLOCK.z], GROUNDS[use]);
    }
    if (row % ROWS_PER_STEP === 0) yield (row + GRID.rows) / (2 * GRID.rows);
  }
  const all = new Quads();
  all.add([-half, -half, half, half], FIELDS);
  all.append(streets);
  for (let x = -half; x < half; x += 60) all.addRiver(x, x + 60);
  all.append(blocks);
  const ground = new Mesh(
    all.geometry(),
    new MeshLambertMaterial({ vertexColors: true, depthTest: false, depthWrite: false }),
  );
  ground.renderOrder = -0.5;
  ground.frustumCulled = false;
  return ground;
}

/** A block without houses is a park, or lies in the river. */
const isInRiver = ({ use, x, z }: Block): boolean => use === 'none' && Math.abs(z - riverAt(x)) < 110;

class Quads {
  private readonly positions: number[] = [];
  private readonly colors: number[] = [];

  add([x0, z0, x1, z1]: readonly [number, number, number, number], color: Color): void {
    this.addCorners([x0, z0, x0, z1, x1, z1, x1, z0], color);
  }

  addRiver(x0: number, x1: number): void {
    const [z0, z1] = [riverAt(x0), riverAt(x1)];
    this.addCorners([x0, z0 + RIVER.from, x0, z0 + RIVER.to, x1, z1 + RIVER.to, x1, z1 + RIVER.from], WATER);
  }

  append({ positions, colors }: Quads): void {
    for (const value of positions) this.positions.push(value);
    for (const value of colors) this.colors.push(value);
  }

  geometry(): BufferGeometry {
    const { positions, colors } = this;
    return new BufferGeometry()
      .setAttribute('position', new Float32BufferAttribute(positions, 3))
      .setAttribute('color', new Float32BufferAttribute(colors, 3))
      .setAttribute(
        'normal',
        new Float32BufferAttribute(
          Float32Array.from(positions, (_, k) => Number(k % 3 === 1)),
          3,
        ),
      );
  }

  /** @param corners x and z of four corners, against the clock as seen from above. */
  private addCorners(corners: readonly number[], { r, g, b }: Color): void {
    for (const k of [0, 1, 2, 0, 2, 3]) {
      this.positions.push(corners[2 * k], 0, corners[2 * k + 1]);
      this.colors.push(r, g, b);
    }
  }
}
