import { describe, expect, it } from 'vitest';
import { octreeOf, ownerOf, region } from '../../support/octrees.ts';
import { validate } from '../../../src/debug/index.ts';

describe('the keys of the first build', () => {
  it('a body whose size is rounded down goes to a node that accepts it', () => {
    // From 2^-46 below 128 to 384: size and centre are rounded to 256, but the cell at 256 of edge 256 accepts bodies
    // from 128 on.
    const low = 128 - 2 ** -46;
    const { octree, bodies } = octreeOf(
      [
        [low, low, low, 384, 384, 384],
        [128, 128, 128, 384, 384, 384],
      ],
      { region: region(0, 1024), leafCapacity: 1 },
    );
    octree.update();
    expect(bodies.map((body) => ownerOf(octree, body).edge)).toEqual([512, 256]);
    expect(validate(octree)).toEqual([]);
  });
});
