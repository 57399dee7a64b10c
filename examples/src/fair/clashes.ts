// The clashes: pairs of things that intersect though they should not, such as a lamp in an awning. Meshes of one thing,
// such as the posts and the counter of a stall, may touch.

import { Box3, type Object3D, Vector3 } from 'three';
import { type IndexList, IndexList as List } from '../../../src/index.ts';
import { intersectMeshPairs, type MeshDistance } from '../../../src/triangles/index.ts';
import type { SlicedWork } from '../shared/slices.ts';
import type { Fair } from './fair.ts';
import { nameOf } from './names.ts';
import { Overlays } from './overlays.ts';

export interface Clash {
  readonly a: Object3D;
  readonly b: Object3D;
  /** A point of both. */
  readonly at: Vector3;
}
/** Lines of the list; further clashes are coloured only. */
const LISTED = 60;
/** Edge of the squares that are looked at one after the other, in metres, and how far they reach from the middle. */
const SQUARE = 12;
const REACH = 84;
/** Things stand on these. */
const GROUNDS = ['ground', 'paths'];
/** Things of these kinds may touch each other. */
const TOUCHING = ['fence', 'tree'];

/** Square by square, so that none takes long. */
export function* findClashes({ group, triangles, peopleRoot }: Fair): SlicedWork<Clash[]> {
  const { octree } = group;
  const clashes: Clash[] = [];
  const known = new Set<string>();
  const list: IndexList = new List();
  const square = new Box3();
  const pairs: MeshDistance<Object3D>[] = [];
  for (let x = -REACH; x < REACH; x += SQUARE)
    for (let z = -REACH; z < REACH; z += SQUARE) {
      square.min.set(x, -1, z);
      square.max.set(x + SQUARE, 60, z + SQUARE);
      octree.collectBox(square, list);
      const inSquare = new Set(list.array.subarray(0, list.length));
      for (const index of inSquare) {
        const thing = thingOf(octree.dataAt(index), group);
        if (thing === peopleRoot || GROUNDS.includes(thing.name)) inSquare.delete(index);
      }
      intersectMeshPairs(triangles, { filter: inSquare }, pairs);
      for (const { object, other, position } of pairs) {
        if (object === null || other.object === null) continue;
        const [first, second] = [thingOf(object, group), thingOf(other.object, group)];
        if (first === second || TOUCHING.some((kind) => first.name.startsWith(kind) && second.name.startsWith(kind)))
          continue;
        // A pair on the edge of a square is in two of them.
        const key = `${object.id} ${other.object.id}`;
        if (known.has(key)) continue;
        known.add(key);
        clashes.push({ a: object, b: other.object, at: position.clone() });
      }
      yield (x + REACH) / (2 * REACH);
    }
  return clashes;
}

/** The thing that a mesh is a part of: a stall, a lamp, a tree. */
function thingOf(mesh: Object3D, group: Object3D): Object3D {
  let thing = mesh;
  while (thing.parent !== null && thing.parent !== group) thing = thing.parent;
  return thing;
}

export class ClashList {
  readonly overlays = new Overlays('#ff3b30', 0.62);
  clashes: readonly Clash[] = [];
  private readonly list: HTMLElement;
  private readonly onChoose: (clash: Clash) => void;

  /** @param onChoose Called for a line of the list. */
  constructor(list: HTMLElement, onChoose: (clash: Clash) => void) {
    this.list = list;
    this.onChoose = onChoose;
  }

  show(clashes: readonly Clash[]): void {
    this.clashes = clashes;
    this.overlays.set([...new Set(clashes.flatMap(({ a, b }) => [a, b]))]);
    this.list.replaceChildren(
      ...clashes.slice(0, LISTED).map((clash) => {
        const item = document.createElement('li');
        const button = document.createElement('button');
        button.type = 'button';
        button.textContent = `${nameOf(clash.a)} \u2013 ${nameOf(clash.b)}`;
        button.addEventListener('click', () => this.onChoose(clash));
        item.append(button);
        return item;
      }),
    );
  }
}
