/**
 * A child of a group that is opened (`OctreeGroup.addTree`): each of its parts is a member of its own. A plain node
 * only holds other objects, and is no part. A part is the first object on a path from the root that is not a plain
 * node. Its descendants belong to it, because a renderer must traverse them together with it: meshes with children,
 * LODs, groups with a render order, BundleGroups, ClippingGroups.
 */

import type { Object3D } from 'three';
import { isPlainNode, isStillPlainNode } from '../bounds/object-traits.ts';
import { PLAIN_NODE } from './class-comparisons.ts';
import { TreeNodes } from './tree-nodes.ts';

/** The event of three. */
export interface TreeChange {
  readonly type: 'childadded' | 'childremoved';
  readonly child: Object3D;
}

/** `Member`: what its owner keeps of a part. */
export class OpenTree<Member> extends TreeNodes {
  /** By node: the member of a part; null for a plain node. */
  readonly members: readonly (Member | null)[];
  /** The nodes that were not in the tree before, or had another parent; without those below them. */
  readonly added: Object3D[] = [];
  /** Number of nodes that are not static. */
  watchedCount: number;
  private readonly onChange: (event: TreeChange) => void;
  /** See `staticAbove`; null until it is needed. */
  private above: readonly number[] | null = null;
  /** By node; null until it is needed. */
  private indices: Map<Object3D, number> | null = null;

  /**
   * @param isStatic Whether the tree is static.
   * @param before The same tree at an earlier time: its nodes stay static or watched. Others are as their parents.
   * @param memberOf The member of a part.
   * @param onChange Called when an object is added to a plain node, or removed from one.
   */
  constructor(
    root: Object3D,
    isStatic: boolean,
    before: OpenTree<Member> | null,
    memberOf: (part: Object3D, isStatic: boolean, node: number) => Member,
    onChange: (event: TreeChange) => void,
  ) {
    super(root, (object) => !isPlainNode(object));
    this.onChange = onChange;
    this.watchedCount = this.nodes.length;
    if (before === null) this.setRangeStatic(0, this.nodes.length, isStatic);
    /** After the last node below one that is added. */
    let end = 0;
    this.members = this.nodes.map((node, k) => {
      const isPart = !isPlainNode(node);
      if (before !== null) {
        const from = before.indexOf(node);
        const isNodeStatic = from < 0 ? this.isStatic(this.indexOf(node.parent!)) : before.isStatic(from);
        this.setRangeStatic(k, k + 1, isNodeStatic);
        // Updates compute only what differs.
        if (before.parents[from] === node.parent && (before.members[from] !== null) === isPart)
          this.copyNumbers(k, before, from);
        else if (k >= end) {
          this.added.push(node);
          end = this.ends[k];
        }
      }
      if (isPart) return memberOf(node, this.isStatic(k), k);
      this.geometries[k] = PLAIN_NODE;
      return null;
    });
    for (const node of this.plainNodes) {
      node.addEventListener('childadded', onChange);
      node.addEventListener('childremoved', onChange);
    }
  }

  /**
   * Whether all plain nodes are still plain, and have as many children as before: writing into an array of children
   * dispatches no event.
   */
  get isUnchanged(): boolean {
    const { nodes, childCounts, members } = this;
    for (let k = 0; k < nodes.length; k++)
      if (members[k] === null && (nodes[k].children.length !== childCounts[k] || !isStillPlainNode(nodes[k])))
        return false;
    return true;
  }

  /** Whether some nodes are static, and others are not. */
  get isPartlyStatic(): boolean {
    return this.watchedCount % this.nodes.length !== 0;
  }

  /** The nodes of an object and its descendants, as a range of indices. An object below a part stands for the part. */
  rangeOf(object: Object3D): [first: number, end: number] {
    const first = this.indexOf(object);
    return first < 0 ? this.rangeOf(object.parent!) : [first, this.ends[first]];
  }

  /** An object was removed, with all below it: if it comes back, it is new. */
  forget(object: Object3D): void {
    const index = this.indexOf(object);
    if (index >= 0) this.parents[index] = null;
  }

  /** The index of a node; -1 of any other object. */
  private indexOf(object: Object3D): number {
    this.indices ??= new Map(this.nodes.map((node, k) => [node, k]));
    return this.indices.get(object) ?? -1;
  }

  /** The nodes, without the root, that are static or not other than their parents. */
  get otherThanParents(): Object3D[] {
    return this.nodes.filter((node, k) => k > 0 && this.isStatic(k) !== this.isStatic(this.indexOf(node.parent!)));
  }

  /** Makes a range of nodes static or not. Returns whether that changes anything. */
  setRangeStatic(first: number, end: number, isStatic: boolean): boolean {
    const before = this.watchedCount;
    this.above = null;
    for (let k = first; k < end; k++) {
      if (this.isStatic(k) !== isStatic) this.watchedCount += isStatic ? -1 : 1;
      this.setStatic(k, isStatic);
    }
    return this.watchedCount !== before;
  }

  /** The static plain nodes above watched nodes: if one is hidden, these are, too. */
  get staticAbove(): readonly number[] {
    const { members, nodes, ends } = this;
    const isAbove = (k: number): boolean =>
      members[k] === null && this.isStatic(k) && nodes.slice(k, ends[k]).some((_, at) => !this.isStatic(k + at));
    return (this.above ??= this.isPartlyStatic ? [...nodes.keys()].filter(isAbove) : []);
  }

  close(): void {
    for (const node of this.plainNodes) {
      node.removeEventListener('childadded', this.onChange);
      node.removeEventListener('childremoved', this.onChange);
    }
  }

  private get plainNodes(): Object3D[] {
    return this.nodes.filter((_, k) => this.members[k] === null);
  }
}
