// The ground below the houses: fields, a river, streets, blocks. One mesh, drawn first and without depths: what comes
// later in it lies above.

import { BufferAttribute, BufferGeometry, Color, Mesh, MeshLambertMaterial } from 'three';
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
const QUADS_PER_STEP = 500;
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
  const streets: Quad[] = [];
  const blocks: Quad[] = [];
  const block = emptyBlock();
  for (let row = -GRID.rows; row < GRID.rows; row++) {
    for (let column = -GRID.columns; column < GRID.columns; column++) {
      planBlock(column, row, block);
      if (centreDistance(block) > CITY_EDGE || isInRiver(block)) continue;
      const { x, z, use } = block;
      streets.push(rectangle(x - STREET, z - STREET, x + BLOCK.x + 2 * STREET, z + BLOCK.z + 2 * STREET, STREETS));
      blocks.push(rectangle(x, z, x + BLOCK.x, z + BLOCK.z, GROUNDS[use]));
    }
    if (row % ROWS_PER_STEP === 0) yield (row + GRID.rows) / (2 * GRID.rows) / 2;
  }
  const river: Quad[] = [];
  for (let x = -half; x < half; x += 60) river.push(reach(x, x + 60));
  const geometry = yield* geometryOf([rectangle(-half, -half, half, half, FIELDS), ...streets, ...river, ...blocks]);
  const ground = new Mesh(
    geometry,
    new MeshLambertMaterial({ vertexColors: true, depthTest: false, depthWrite: false }),
  );
  ground.renderOrder = -0.5;
  ground.frustumCulled = false;
  return ground;
}

/** A block without houses is a park, or lies in the river. */
const isInRiver = ({ use, x, z }: Block): boolean => use === 'none' && Math.abs(z - riverAt(x)) < 110;

interface Quad {
  /** x and z of four corners, against the clock as seen from above. */
  readonly corners: readonly number[];
  readonly color: Color;
}

function rectangle(x0: number, z0: number, x1: number, z1: number, color: Color): Quad {
  return { corners: [x0, z0, x0, z1, x1, z1, x1, z0], color };
}

/** A part of the river, from one x to another. */
function reach(x0: number, x1: number): Quad {
  const [z0, z1] = [riverAt(x0), riverAt(x1)];
  const corners = [x0, z0 + RIVER.from, x0, z0 + RIVER.to, x1, z1 + RIVER.to, x1, z1 + RIVER.from];
  return { corners, color: WATER };
}

function* geometryOf(quads: readonly Quad[]): SlicedWork<BufferGeometry> {
  const positions = new Float32Array(12 * quads.length);
  const normals = new Float32Array(12 * quads.length);
  const colors = new Float32Array(12 * quads.length);
  const index = new Uint32Array(6 * quads.length);
  for (const [k, { corners, color }] of quads.entries()) {
    for (let corner = 0; corner < 4; corner++) {
      const at = 12 * k + 3 * corner;
      positions[at] = corners[2 * corner];
      positions[at + 2] = corners[2 * corner + 1];
      normals[at + 1] = 1;
      color.toArray(colors, at);
    }
    index.set([4 * k, 4 * k + 1, 4 * k + 2, 4 * k, 4 * k + 2, 4 * k + 3], 6 * k);
    if (k % QUADS_PER_STEP === 0) yield 0.5 + k / quads.length / 2;
  }
  return new BufferGeometry()
    .setAttribute('position', new BufferAttribute(positions, 3))
    .setAttribute('color', new BufferAttribute(colors, 3))
    .setAttribute('normal', new BufferAttribute(normals, 3))
    .setIndex(new BufferAttribute(index, 1));
}
