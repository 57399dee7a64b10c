/**
 * A plugin of typedoc: documents have the names of their headings, guides have the order of their table, and each page
 * has a link to the demos.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { Application, Converter, JSX } from 'typedoc';

const ROOT = new URL('../../', import.meta.url);
/** Text of the first heading of a document. */
const HEADING = /^# (.+)$/m;
/** Documents that are no guides, in their order. */
const OTHERS = ['docs/architecture.md', 'docs/benchmark.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];

export function load(app) {
  app.on(Application.EVENT_BOOTSTRAP_END, () =>
    app.options.setValue(
      'projectDocuments',
      [...guides(), ...OTHERS].map((path) => new URL(path, ROOT).pathname),
    ),
  );
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => {
    const text = document.content.map((part) => part.text).join('');
    document.name = HEADING.exec(text)?.[1].replaceAll('`', '') ?? document.name;
  });
  app.renderer.hooks.on('sidebar.begin', (context) =>
    JSX.createElement('p', null, JSX.createElement('a', { href: context.relativeURL('../index.html') }, 'Demos')),
  );
}

/**
 * Paths of all guides, in the order of the table of guides. The table itself, which does not link itself, comes first.
 */
function guides() {
  const table = readFileSync(new URL('docs/guides/README.md', ROOT), 'utf8');
  const files = readdirSync(new URL('docs/guides', ROOT)).filter((file) => file.endsWith('.md'));
  return files.sort((a, b) => table.indexOf(`(${a})`) - table.indexOf(`(${b})`)).map((file) => `docs/guides/${file}`);
}
