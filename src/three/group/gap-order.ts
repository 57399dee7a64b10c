/**
 * A list of items, each of which stores its index in it in a field. A removed item leaves a gap, so the others keep
 * their indices.
 */

/** Number of gaps up to which the order is never rebuilt for its gaps. Test: gap-order.test. */
const MAX_GAPS = 64;

export class GapOrder<Field extends string, Item extends Record<Field, number>> {
  /** By order; null in a gap. A rebuild replaces the array. */
  items: (Item | null)[] = [];
  /** Number of items. */
  count = 0;
  private readonly field: Field;
  private isOrdered = true;

  constructor(field: Field) {
    this.field = field;
  }

  /** Adds an item at the end. */
  append(item: Item): void {
    (item as Record<Field, number>)[this.field] = this.items.push(item) - 1;
    this.count++;
  }

  /** Leaves a gap, and sets the index of the item to -1. */
  remove(item: Item): void {
    this.items[item[this.field]] = null;
    (item as Record<Field, number>)[this.field] = -1;
    this.count--;
  }

  /** Records that an appended item belongs elsewhere; the next `restore` corrects that. */
  invalidate(): void {
    this.isOrdered = false;
  }

  /**
   * Rebuilds the order, if it is invalid or has too many gaps. Cost otherwise: none.
   *
   * @param visitAll Visits all items in the order that they are to have.
   */
  restore(visitAll: (visitor: (item: Item) => void) => void): void {
    const gaps = this.items.length - this.count;
    if (this.isOrdered && gaps <= Math.max(this.count, MAX_GAPS)) return;
    this.items = [];
    this.count = 0;
    this.isOrdered = true;
    visitAll((item) => this.append(item));
  }
}
