// The items in the last rectangle: highlighted in the world and listed on the page.

import type { PickingWorld, Item } from './picking-world.ts';

/** Maximum number of listed names; the rest is shown as a count. */
const MAX_NAMES = 40;

export class Selection {
  items: readonly Item[] = [];
  private world: PickingWorld | undefined;
  private readonly root: HTMLElement;
  private readonly title: HTMLElement;
  private readonly list: HTMLElement;

  constructor(root: HTMLElement) {
    this.root = root;
    this.title = root.querySelector('.selected-count')!;
    this.list = root.querySelector('ul')!;
  }

  /** Selects these items of a world and no others. */
  set(world: PickingWorld | undefined, items: readonly Item[]): void {
    this.world?.setSelected(this.items, false);
    this.world = world;
    this.items = items;
    world?.setSelected(items, true);
    this.root.hidden = items.length === 0;
    this.title.textContent = `${items.length.toLocaleString('en')} selected`;
    this.list.replaceChildren(...items.slice(0, MAX_NAMES).map((item) => listItem(world!.nameOf(item))));
    if (items.length > MAX_NAMES)
      this.list.append(listItem(`and ${(items.length - MAX_NAMES).toLocaleString('en')} more`));
    this.list.scrollTop = 0;
  }
}

function listItem(text: string): HTMLLIElement {
  const line = document.createElement('li');
  line.textContent = text;
  return line;
}
