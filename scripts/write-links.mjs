// Makes the documents of the package link what the package does not contain: pages and pictures of the examples on the
// site, other files of the examples and CONTRIBUTING.md in the repository. The address of both is that in package.json.
// The documents are changed only while npm packs, and `--remove` brings them back: in the repository their links are
// relative.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KEPT = 'node_modules/.cache/documents';
const { homepage, repository } = JSON.parse(readFileSync('package.json', 'utf8'));
const files = repository.url.replace(/^git\+|\.git$/g, '') + '/blob/main/';

const documents = ['.', 'docs', 'docs/guides'].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

if (!process.argv.includes('--remove')) {
  for (const document of documents) {
    cpSync(document, join(KEPT, document));
    const text = readFileSync(document, 'utf8');
    writeFileSync(
      document,
      text.replaceAll(/(?<=\]\()(?:\.\.\/)*(examples\/[^)#]+|CONTRIBUTING\.md)/g, (_, path) => addressOf(path)),
    );
  }
} else if (existsSync(KEPT)) {
  for (const document of documents) cpSync(join(KEPT, document), document);
  rmSync(KEPT, { recursive: true });
}

/** Where a file of the examples is: a small example is a page of its own. */
function addressOf(path) {
  if (/^examples\/(images\/|[\w-]+\.html$)/.test(path)) return homepage + path;
  return path.startsWith('examples/small/') ? homepage + path.replace(/\.tsx?$/, '.html') : files + path;
}
