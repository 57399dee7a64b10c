import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { transformWithOxc } from 'vite';
import { expect, it } from 'vitest';
import { BROWSER_BUGS } from '../zoo/browser-bugs.ts';
import { BUGS } from '../zoo/bugs.ts';
import { plantIn, switchedIn } from '../zoo/planted-fault.ts';

const ALL = [...BUGS, ...BROWSER_BUGS];

/** `npm run zoo` plants the bugs, and runs the random histories, or with `--browser` drawing tests, until one fails. */
it.each(ALL)('the bug $name of the zoo still fits the code', (bug) => {
  for (const edit of bug.edits) {
    const text = readFileSync(`src/${edit.file}`, 'utf8');
    expect(plantIn(text, bug, edit)).not.toBe(text);
  }
});

/** A page plants them all as switches: each edit must be of an expression. */
it('the sources compile with the faults of what is drawn as switches', async () => {
  for (const file of new Set(BROWSER_BUGS.flatMap(({ edits }) => edits.map((edit) => edit.file)))) {
    const path = resolve('src', file);
    await expect(
      transformWithOxc(switchedIn(readFileSync(path, 'utf8'), path, BROWSER_BUGS), path),
    ).resolves.toBeDefined();
  }
});

it('the zoo has at least 40 bugs, and 60 of what is drawn, each with its own name, a story and a source', () => {
  expect(BUGS.length).toBeGreaterThanOrEqual(40);
  expect(BROWSER_BUGS.length).toBeGreaterThanOrEqual(60);
  expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
  for (const { name, story, source } of ALL) {
    expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)+$/);
    expect(story).toMatch(/^[A-Z].+\.$/);
    expect(source).not.toBe('');
  }
});
