import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Number of cases by their group. */
const GROUPS = { A: 19, B: 28, C: 9, D: 19, E: 18, F: 3, G: 15, H: 4 };

const rows = [...readFileSync('test/nasty/README.md', 'utf8').matchAll(/^\| ([A-H]\d+) \| (.+?) \| (.+) \|$/gm)].map(
  ([, id, , test]) => ({ id, test }),
);

it('the table of nasty cases has each case once', () => {
  const ids = Object.entries(GROUPS).flatMap(([group, count]) =>
    Array.from({ length: count }, (_, k) => `${group}${k + 1}`),
  );
  expect(rows.map(({ id }) => id)).toEqual(ids);
});

it('each test that the table names exists; a case without one has a reason', () => {
  const missing = rows.filter(({ id, test }) => {
    const [, file, name = `${id} `] = /^`([^`]+\.test\.ts)`(?:: (.+))?$/.exec(test) ?? [];
    if (file === undefined) return !/^[A-Z].{30,}\.$/.test(test);
    return !readFileSync(file, 'utf8').includes(name);
  });
  expect(missing).toEqual([]);
});
