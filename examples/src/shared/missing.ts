// Replaces the page by an error message when a requirement is missing, or when the page fails.

/** Replaces the page by a title and a remedy. */
function showMissing(what: string, remedy: string): void {
  const box = document.createElement('main');
  box.className = 'missing';
  const title = document.createElement('h1');
  title.textContent = what;
  const text = document.createElement('p');
  text.textContent = remedy;
  const back = document.createElement('a');
  back.href = '../index.html';
  back.textContent = 'All examples';
  box.append(title, text, back);
  document.body.replaceChildren(box);
}

export const showFailure = (what: string, error: unknown): void => showMissing(what, messageOf(error));

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export function showNoWebGL2(): void {
  showMissing(
    'This page needs WebGL 2',
    'The browser did not create a WebGL 2 context. Switch on hardware acceleration in its settings, update the graphics driver, or open the page in a current Chrome, Edge, Firefox or Safari.',
  );
}
