// Finds the elements of a page.

/** The first element that matches a selector. Throws if there is none, or if it is of another kind. */
export function find<Kind extends Element>(selector: string, kind: abstract new () => Kind): Kind {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`The page has no ${kind.name} "${selector}"`);
  return found;
}

export const element = (id: string): HTMLElement => find(`#${id}`, HTMLElement);
