// Copies text to the clipboard.

/** Copies the text of an element. If the browser does not allow that, selects the text and returns a message. */
export async function copyText(source: HTMLElement, what: string): Promise<string | null> {
  try {
    await navigator.clipboard.writeText(source.textContent ?? '');
    return null;
  } catch {
    getSelection()?.selectAllChildren(source);
    return `The browser did not allow copying. ${what} is selected: copy it with the keyboard.`;
  }
}
