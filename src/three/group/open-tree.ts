/**
 * A child of a group that is opened (`OctreeGroup.addTree`): each of its parts is a member of its own. A plain node
 * only holds other objects, and is no part. A part is the first object on a path from the root that is not a plain
 * node. Its descendants belong to it, because a renderer must traverse them together with it: meshes with children,
 * LODs, groups with a render order, BundleGroups, ClippingGroups.
 */

import type { Object3D } from 'three';
import { isPlainLeaf, isPlainNode, isStillPlainNode } from '../bounds/object-traits.ts';
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
  members: readonly (Member | null)[] = [];
  /** Number of nodes that are not static. */
  watchedCount = 0;
  /** Whether an update goes through the nodes. It may run code that changes the tree. */
  isVisited = false;
  private readonly onChange: (event: TreeChange) => void;
  /**
   * Added to plain nodes, or removed from them, since the last `refresh`: if they are in the tree now, they are new.
   */
  readonly arrived = new Set<Object3D>();
  /** See `staticAbove`; null until it is needed. */
  private above: readonly number[] | null = null;
  /** By node; null before the second search since the last `refresh`: a map takes as long as hundreds of searches. */
  private indices: Map<Object3D, number> | null = null;
  private isSearched = false;

  /** @param onChange Called when an object is added to a plain node, or removed from one. */
  constructor(onChange: (event: TreeChange) => void) {
    super();
    this.onChange = onChange;
  }

  /** A copy with arrays of its own. */
  copy(): OpenTree<Member> {
    const copy: OpenTree<Member> = Object.assign(new OpenTree<Member>(this.onChange), this);
    for (const [key, value] of Object.entries(this))
      if (Array.isArray(value)) Object.assign(copy, { [key]: [...value] });
    copy.isVisited = false;
    return copy;
  }

  /**
   * Reads the tree. Nodes that are still at their place keep their numbers, and stay static or watched; new ones are as
   * their parents. An error, which only code of the user throws, leaves the tree as it was.
   *
   * @param isStatic Whether a new root is static.
   * @param memberOf The member of a part. `before`: the one it has had, null of a new part.
   * @returns The new nodes, without those below them, and the members of parts that are not at their place any more.
   */
  refresh(
    root: Object3D,
    isStatic: boolean,
    memberOf: (part: Object3D, isStatic: boolean, before: Member | null) => Member,
  ): { added: Object3D[]; left: Member[] } {
    const { nodes, members: membersBefore, ends: endsBefore, isPartlyStatic } = this;
    const from: number[] = [];
    const ends: number[] = [];
    const members: (Member | null)[] = [];
    const added: Object3D[] = [];
    const others = new TreeNodes();
    /** Index of the next node, if no node has left or come. */
    let next = 0;
    /** @param end After the last index where the node may be. */
    const visit = (node: Object3D, end: number, isParentStatic: boolean, isParentNew: boolean): void => {
      const isPart = !isPlainNode(node);
      const hasArrived = isParentNew || this.arrived.has(node);
      while (next < end && nodes[next] !== node && this.arrived.has(nodes[next])) next = endsBefore[next];
      const isNext = next < end && nodes[next] === node;
      const place = isNext ? next : !hasArrived || isPartlyStatic ? this.indexOf(node) : -1;
      const isNodeStatic = place < 0 ? isParentStatic : this.isStatic(place);
      const isKnown =
        !hasArrived && place >= 0 && this.parents[place] === node.parent && (membersBefore[place] !== null) === isPart;
      // Siblings in another order keep their numbers, too: code that sorts them dispatches no event.
      const isInOrder = isKnown && place >= next && place < end;
      const index = from.length;
      members.push(isPart ? memberOf(node, isNodeStatic, isKnown ? membersBefore[place] : null) : null);
      ends.push(0);
      from.push(isInOrder ? place : ~others.nodes.length);
      if (!isInOrder) watchNode(others, node, isPart, isNodeStatic);
      if (!isInOrder && isKnown) others.copyNumbers(others.nodes.length - 1, this, place);
      if (!isKnown && !isParentNew) added.push(node);
      if (isInOrder) next = place + 1;
      const nodeEnd = isInOrder ? endsBefore[place] : next;
      if (!isPart) for (const child of node.children) visit(child, nodeEnd, isNodeStatic, !isKnown);
      next = nodeEnd;
      ends[index] = from.length;
    };
    visit(root, nodes.length, isStatic, false);
    const left: Member[] = [];
    let kept = 0;
    nodes.forEach((node, k) => {
      while (from[kept] < k) kept++;
      if (from[kept] === k) return;
      const member = membersBefore[k];
      if (member === null) this.ignore(node);
      else left.push(member);
    });
    this.rearrange(from, others);
    [this.ends, this.members, this.above, this.indices, this.isSearched] = [ends, members, null, null, false];
    this.arrived.clear();
    this.watchedCount = 0;
    nodes.forEach((node, k) => {
      if (!this.isStatic(k)) this.watchedCount++;
      if (members[k] !== null) return;
      this.childCounts[k] = node.children.length;
      node.addEventListener('childadded', this.onChange);
      node.addEventListener('childremoved', this.onChange);
    });
    return { added, left };
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

  /** The index of a node; -1 of any other object. */
  private indexOf(object: Object3D): number {
    if (!this.isSearched) {
      this.isSearched = true;
      return this.nodes.indexOf(object);
    }
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
    this.nodes.forEach((node, k) => {
      if (this.members[k] === null) this.ignore(node);
    });
  }

  private ignore(node: Object3D): void {
    node.removeEventListener('childadded', this.onChange);
    node.removeEventListener('childremoved', this.onChange);
  }
}

/** Appends a node to others. */
function watchNode(nodes: TreeNodes, node: Object3D, isPart: boolean, isStatic: boolean): void {
  const index = nodes.nodes.length;
  nodes.watch(index, node, isPart && !isPlainLeaf(node) ? -1 : node.children.length);
  nodes.setStatic(index, isStatic);
  if (!isPart) nodes.geometries[index] = PLAIN_NODE;
}
