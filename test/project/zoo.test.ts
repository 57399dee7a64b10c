import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BUGS } from '../zoo/bugs.ts';
import { plantIn } from '../zoo/planted-fault.ts';

/** `npm run zoo` plants the bugs, and runs the random histories until they catch each. */
it.each(BUGS)('the bug $name of the zoo still fits the code', (bug) => {
  for (const edit of bug.edits) {
    const text = readFileSync(`src/${edit.file}`, 'utf8');
    expect(plantIn(text, bug, edit)).not.toBe(text);
  }
});

it('the zoo has at least 40 bugs, each with its own name, a story and a source', () => {
  expect(BUGS.length).toBeGreaterThanOrEqual(40);
  expect(new Set(BUGS.map(({ name }) => name)).size).toBe(BUGS.length);
  for (const { name, story, source } of BUGS) {
    expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)+$/);
    expect(story).toMatch(/^[A-Z].+\.$/);
    expect(source).not.toBe('');
  }
});
