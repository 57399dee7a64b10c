/**
 * Every pair of bodies that touch, or are within a distance of each other, once: a walk of the tree against itself. A
 * task is two nodes whose fitted boxes are near each other: no farther than the distance on any axis. It stands for all
 * pairs of a body in or below one node with a body in or below the other. A task of a node with itself is all pairs of
 * bodies in and below that node. Each pair of bodies is tested exactly once, because each body lies in exactly one
 * node.
 *
 * If few bodies have the categories of one side, each of them walks the tree alone.
 */

import { BOX_STRIDE, type Boxes, boxesOverlap } from '../../math/box.ts';
import { sortableBits } from '../../math/float32.ts';
import { RadixSorter } from '../../math/sorting.ts';
import { withCapacity } from '../../math/typed-arrays.ts';
import { ALL_CATEGORIES, BLOCK, BODY_STATIC, NODE_HAS_MOVABLE, NODE_USED, ROOT } from '../../tree/layout.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import type { Scratch } from '../../tree/traverse/kernel.ts';
import type { Tree } from '../../tree/tree.ts';
import type { Search } from '../../octree/queries/search.ts';
import { categoriesOfOther, PairTest, withinMargin } from './pair-test.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';

/**
 * Maximum number of bodies in a page that are tested each against each other. For more, sweep and prune is faster:
 * 10,000 bodies in 8 cells of the smallest size take 1/13 of the time, in 512 cells as long.
 * Test: pairs.test.
 */
const MAX_UNSORTED_PAGE = 64;
/**
 * Part of all bodies. If fewer than this have the categories of one side, each of them walks the tree alone: touching
 * pairs of 200 bodies with 9,800 others take 0.07 of the time of tasks, of 2,000 with 8,000 0.55. Test: pairs.test.
 */
const ALONE_PART = 1 / 3;

export class PairQuery {
  /** Maximum distance of the bodies of a pair, in world units, at most MAX_RADIUS; 0 for bodies that touch. */
  distance = 0;
  /** Categories of the second body of a pair. */
  otherCategories = ALL_CATEGORIES;
  /** Whether two static bodies may form a pair. */
  staticPairs = false;

  private tree: Tree | null = null;
  private categories = ALL_CATEGORIES;
  private testsCategories = false;
  private candidatesOnly = false;
  /** Distance by which boxes of the tree are enlarged, so that no pair is lost to rounding. */
  private margin = 0;
  private readonly test = new PairTest();
  /** The slots of the few bodies that walk alone, and their categories; 0 if there are none. */
  private readonly few = new IndexList(0);
  private fewCategories = 0;
  /** Stack of tasks, two nodes each. */
  private tasks = new Int32Array(1024);
  private taskCount = 0;
  /** Slots of a large page in sweep order, and their sort keys. */
  private order = new Uint32Array(0);
  private keys = new Uint32Array(0);
  private readonly sorter = new RadixSorter();

  /**
   * Fills `out` with two indices a pair, in the order in which they are found. The first body has one of `categories`,
   * the second one of `otherCategories`; if both orders are possible, the smaller index comes first. Without
   * `staticPairs` it leaves out pairs of two static bodies.
   */
  findPairs(tree: Tree, { candidatesOnly, categories, scratch }: Search, out: IndexList): void {
    const { distance, few, otherCategories } = this;
    out.length = 0;
    if (!tree.hasRoot) return;
    this.tree = tree;
    this.categories = categories;
    this.testsCategories =
      categories !== ALL_CATEGORIES || otherCategories !== ALL_CATEGORIES || tree.uncategorizedCount > 0;
    this.candidatesOnly = candidatesOnly;
    this.margin = withinMargin(distance);
    this.test.distance[0] = distance;
    this.fewCategories = 0;
    if (this.testsCategories && (this.listFew(categories, scratch) || this.listFew(otherCategories, scratch))) {
      for (let k = 0; k < few.length; k++) this.pairWithBelow(few.array[k], ROOT, scratch, out);
    } else this.runTasks(scratch, out);
    this.tree = null;
  }

  /** Lists the bodies with one of `categories`; returns false if they are too many to walk alone. */
  private listFew(categories: number, scratch: Scratch): boolean {
    const { few } = this;
    const stack = scratch.nodes.numbers;
    const { bodies, nodes, placedCount, slots } = this.tree!;
    few.length = 0;
    let top = 0;
    stack[top++] = ROOT;
    while (top > 0) {
      const node = stack[--top];
      if ((nodes.categoryMask[node] & categories) === 0) continue;
      const page = nodes.page(node);
      const end = page + nodes.bodyCount(node);
      for (let slot = page; slot < end; slot++)
        if ((bodies.categoryMask[slots.body[slot]] & categories) !== 0) few.push(slot);
      if (few.length > placedCount * ALONE_PART) return false;
      const first = nodes.firstChild(node);
      if (first === 0) continue;
      for (let child = first; child < first + BLOCK; child++)
        if ((nodes.flags[child] & NODE_USED) !== 0) stack[top++] = child;
    }
    this.fewCategories = categories;
    return true;
  }

  private runTasks(scratch: Scratch, out: IndexList): void {
    this.taskCount = 0;
    this.push(ROOT, ROOT);
    while (this.taskCount > 0) {
      const b = this.tasks[--this.taskCount];
      const a = this.tasks[--this.taskCount];
      scratch.nodesVisited++;
      if (a === b) this.pairWithin(a, scratch, out);
      else this.pairBetween(a, b, scratch, out);
    }
  }

  /** All pairs in a node and below it. */
  private pairWithin(node: number, scratch: Scratch, out: IndexList): void {
    const { nodes } = this.tree!;
    const page = nodes.page(node);
    const end = page + nodes.bodyCount(node);
    if (end - page > MAX_UNSORTED_PAGE) this.sweep(node, page, end, scratch, out);
    else for (let slot = page; slot < end; slot++) this.testRange(slot, slot + 1, end, scratch, out);
    const first = nodes.firstChild(node);
    if (first === 0) return;
    for (let child = first; child < first + BLOCK; child++) {
      if ((nodes.flags[child] & NODE_USED) === 0) continue;
      this.push(child, child);
      for (let other = child + 1; other < first + BLOCK; other++) this.push(child, other);
      this.pairBodiesBelow(node, child, scratch, out);
    }
  }

  /**
   * All pairs in one large page. With looseness 1, for example, bodies on a splitting plane make pages large. Sweep and
   * prune: slots are sorted by their minimum along the longest axis of the node, and each is tested against the
   * following ones up to its own maximum.
   */
  private sweep(node: number, page: number, end: number, scratch: Scratch, out: IndexList): void {
    const { nodes, slots } = this.tree!;
    const { slotBounds } = slots;
    const at = node * BOX_STRIDE;
    let axis = 0;
    for (let k = 1; k < 3; k++) {
      if (nodes.fitted[at + k + 3] - nodes.fitted[at + k] > nodes.fitted[at + axis + 3] - nodes.fitted[at + axis])
        axis = k;
    }
    const count = end - page;
    const keys = (this.keys = withCapacity(this.keys, count));
    const order = (this.order = withCapacity(this.order, count));
    for (let k = 0; k < count; k++) {
      order[k] = page + k;
      keys[k] = sortableBits(slotBounds, (page + k) * BOX_STRIDE + axis);
    }
    this.sorter.sort(keys, order, 0, count);
    for (let i = 0; i < count; i++) {
      const last = slotBounds[order[i] * BOX_STRIDE + axis + 3] + this.margin;
      for (let j = i + 1; j < count && slotBounds[order[j] * BOX_STRIDE + axis] <= last; j++) {
        this.testRange(order[i], order[j], order[j] + 1, scratch, out);
      }
    }
  }

  /** All pairs of a body in or below `a` and a body in or below `b`. Neither node is below the other. */
  private pairBetween(a: number, b: number, scratch: Scratch, out: IndexList): void {
    const { nodes } = this.tree!;
    const firstA = nodes.firstChild(a);
    const firstB = nodes.firstChild(b);
    if (firstA === 0 || firstB === 0) {
      this.pairPages(a, b, scratch, out);
      if (firstB !== 0) for (let child = firstB; child < firstB + BLOCK; child++) this.push(a, child);
      else if (firstA !== 0) for (let child = firstA; child < firstA + BLOCK; child++) this.push(child, b);
      return;
    }
    this.pairBodiesBelow(a, b, scratch, out);
    for (let childA = firstA; childA < firstA + BLOCK; childA++) {
      if ((nodes.flags[childA] & NODE_USED) === 0) continue;
      this.pairBodiesBelow(b, childA, scratch, out);
      for (let childB = firstB; childB < firstB + BLOCK; childB++) this.push(childA, childB);
    }
  }

  /** All pairs of a body of `a` and a body of `b`, without the nodes below. */
  private pairPages(a: number, b: number, scratch: Scratch, out: IndexList): void {
    const { nodes, slots } = this.tree!;
    const begin = nodes.page(b);
    const end = begin + nodes.bodyCount(b);
    const page = nodes.page(a);
    for (let slot = page; slot < page + nodes.bodyCount(a); slot++) {
      if (this.areNear(slots.slotBounds, slot * BOX_STRIDE, nodes.fitted, b * BOX_STRIDE))
        this.testRange(slot, begin, end, scratch, out);
    }
  }

  /** All pairs of a body of `node` and a body in or below `below`. */
  private pairBodiesBelow(node: number, below: number, scratch: Scratch, out: IndexList): void {
    const { nodes } = this.tree!;
    const page = nodes.page(node);
    const end = page + nodes.bodyCount(node);
    for (let slot = page; slot < end; slot++) this.pairWithBelow(slot, below, scratch, out);
  }

  /** All pairs of the body in `slot` and a body in or below `below`. */
  private pairWithBelow(slot: number, below: number, scratch: Scratch, out: IndexList): void {
    const { bodies, nodes, slots } = this.tree!;
    const { testsCategories } = this;
    const wanted = testsCategories ? this.categoriesFor(bodies.categoryMask[slots.body[slot]]) : ALL_CATEGORIES;
    const stack = scratch.nodes.numbers;
    let top = 0;
    stack[top++] = below;
    while (top > 0) {
      const next = stack[--top];
      if (!this.areNear(slots.slotBounds, slot * BOX_STRIDE, nodes.fitted, next * BOX_STRIDE)) continue;
      if (testsCategories && (nodes.categoryMask[next] & wanted) === 0) continue;
      const begin = nodes.page(next);
      this.testRange(slot, begin, begin + nodes.bodyCount(next), scratch, out);
      const first = nodes.firstChild(next);
      if (first !== 0) for (let child = first; child < first + BLOCK; child++) stack[top++] = child;
    }
  }

  /** The categories of the bodies that may form a pair with a body of the categories `mask`. */
  private categoriesFor(mask: number): number {
    return categoriesOfOther(mask, this.categories, this.otherCategories);
  }

  /** Tests the body in `slot` against the bodies in [begin, end). */
  private testRange(slot: number, begin: number, end: number, scratch: Scratch, out: IndexList): void {
    const { bodies, slots } = this.tree!;
    const { slotBounds, body } = slots;
    const { fewCategories, margin, staticPairs, test, testsCategories } = this;
    const leftOut = staticPairs ? 0 : BODY_STATIC;
    const a = body[slot];
    // Without a test of categories these are not read, which saves a cache miss.
    const wanted = testsCategories ? this.categoriesFor(bodies.categoryMask[a]) : ALL_CATEGORIES;
    if (wanted === 0) return;
    const at = slot * BOX_STRIDE;
    const minX = slotBounds[at] - margin;
    const minY = slotBounds[at + 1] - margin;
    const minZ = slotBounds[at + 2] - margin;
    const maxX = slotBounds[at + 3] + margin;
    const maxY = slotBounds[at + 4] + margin;
    const maxZ = slotBounds[at + 5] + margin;
    scratch.bodiesTested += end - begin;
    for (let k = begin, other = begin * BOX_STRIDE; k < end; k++, other += BOX_STRIDE) {
      if (slotBounds[other] > maxX || slotBounds[other + 3] < minX) continue;
      if (slotBounds[other + 1] > maxY || slotBounds[other + 4] < minY) continue;
      if (slotBounds[other + 2] > maxZ || slotBounds[other + 5] < minZ) continue;
      const b = body[k];
      if ((bodies.flags[a] & bodies.flags[b] & leftOut) !== 0) continue;
      if (testsCategories && (bodies.categoryMask[b] & wanted) === 0) continue;
      // A body that walks alone finds itself, and two of them find each other twice.
      if (fewCategories !== 0 && b <= a && (bodies.categoryMask[b] & fewCategories) !== 0) continue;
      if (!this.candidatesOnly && !test.accepts(bodies, a, b)) continue;
      const isAFirst = this.comesFirst(bodies, a, b);
      out.push(isAFirst ? a : b);
      out.push(isAFirst ? b : a);
    }
  }

  /** Whether `a` is the first body of its pair with `b`: the smaller index, if both orders are possible. */
  private comesFirst({ categoryMask }: BodyArrays, a: number, b: number): boolean {
    const { categories, otherCategories } = this;
    if (categories === otherCategories) return a < b;
    const isPossible = (categoryMask[a] & categories) !== 0 && (categoryMask[b] & otherCategories) !== 0;
    const isOtherPossible = (categoryMask[b] & categories) !== 0 && (categoryMask[a] & otherCategories) !== 0;
    return isPossible && (a < b || !isOtherPossible);
  }

  /** Pushes a task, unless its nodes cannot hold a pair. */
  private push(a: number, b: number): void {
    const { nodes } = this.tree!;
    const { categoryMask, flags, fitted } = nodes;
    if (!this.staticPairs && ((flags[a] | flags[b]) & NODE_HAS_MOVABLE) === 0) return;
    if (this.testsCategories && (categoryMask[b] & this.categoriesFor(categoryMask[a])) === 0) return;
    // A child that is not in use has an empty box, which overlaps nothing.
    if (a !== b && !this.areNear(fitted, a * BOX_STRIDE, fitted, b * BOX_STRIDE)) return;
    if (this.taskCount + 2 > this.tasks.length) this.tasks = withCapacity(this.tasks, this.taskCount + 2);
    this.tasks[this.taskCount++] = a;
    this.tasks[this.taskCount++] = b;
  }

  /** Whether two boxes overlap, if one of them is enlarged by the margin. */
  private areNear(as: Boxes, a: number, bs: Boxes, b: number): boolean {
    const { margin } = this;
    if (margin === 0) return boxesOverlap(as, a, bs, b);
    return (
      as[a] - margin <= bs[b + 3] &&
      as[a + 3] + margin >= bs[b] &&
      as[a + 1] - margin <= bs[b + 4] &&
      as[a + 4] + margin >= bs[b + 1] &&
      as[a + 2] - margin <= bs[b + 5] &&
      as[a + 5] + margin >= bs[b + 2]
    );
  }
}
