// What the last rectangle has caught: marked in the world, and listed on the page.

import type { PickingWorld, Thing } from './picking-world.ts';

/** Names listed; the rest is a number. */
const MOST_NAMES = 40;

export class Selection {
  things: readonly Thing[] = [];
  private world: PickingWorld | undefined;
  private readonly root: HTMLElement;
  private readonly title: HTMLElement;
  private readonly list: HTMLElement;

  constructor(root: HTMLElement) {
    this.root = root;
    this.title = root.querySelector('.selected-count')!;
    this.list = root.querySelector('ul')!;
  }

  /** Selects these things of a world and no others. */
  set(world: PickingWorld | undefined, things: readonly Thing[]): void {
    this.world?.setSelected(this.things, false);
    this.world = world;
    this.things = things;
    world?.setSelected(things, true);
    this.root.hidden = things.length === 0;
    this.title.textContent = `${things.length.toLocaleString('en')} selected`;
    this.list.replaceChildren(...things.slice(0, MOST_NAMES).map((thing) => item(world!.nameOf(thing))));
    if (things.length > MOST_NAMES) this.list.append(item(`and ${(things.length - MOST_NAMES).toLocaleString('en')} more`));
    this.list.scrollTop = 0;
  }
}

function item(text: string): HTMLLIElement {
  const line = document.createElement('li');
  line.textContent = text;
  return line;
}
