// The clashes: pairs of things that intersect though they should not, such as a lamp in an awning. Meshes of one thing,
// such as the posts and the counter of a stall, may touch.

import type { Object3D, Vector3 } from 'three';
import { intersectMeshPairsAsync, type SliceOptions } from '../../../src/triangles/index.ts';
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
/** Things stand on these. */
const GROUNDS = ['ground', 'paths'];
/** Things of these kinds may touch each other. */
const TOUCHING = ['fence', 'tree'];

/** In slices. */
export async function findClashes(
  { group, triangles, peopleRoot }: Fair,
  options: Pick<SliceOptions, 'onProgress' | 'signal'>,
): Promise<Clash[]> {
  const counts = (mesh: Object3D): boolean => {
    const thing = thingOf(mesh, group);
    return thing !== peopleRoot && !GROUNDS.includes(thing.name);
  };
  const pairs = await intersectMeshPairsAsync(triangles, {
    ...options,
    filter: ({ object }) => object !== null && counts(object),
    pairFilter: ({ object }, { object: otherObject }) => {
      const [thing, other] = [thingOf(object!, group), thingOf(otherObject!, group)];
      const mayTouch = (kind: string): boolean => thing.name.startsWith(kind) && other.name.startsWith(kind);
      return thing !== other && !TOUCHING.some(mayTouch);
    },
  });
  return pairs.map(({ object, other, position }) => ({ a: object!, b: other.object!, at: position.clone() }));
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
