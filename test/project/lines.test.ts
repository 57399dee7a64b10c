import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countLines, measureLines } from '../../scripts/lines.mjs';

const measured = measureLines();
const describeLines = ({ name, code, limit }: { name: string; code: number; limit: number }): string =>
  `${name}: ${code} lines of code, limit ${limit}. Set it in scripts/lines.mjs; if it rises, the commit says why`;

describe('the lines of code of src', () => {
  it('are within the limit of each folder, and of the sums', () => {
    expect(measured.filter(({ code, limit }) => code > limit).map(describeLines)).toEqual([]);
  });

  it('have limits that are lowered when a folder shrinks', () => {
    const far = measured.filter(({ code, limit }) => code < 0.95 * limit && limit - code > 20);
    expect(far.map(describeLines)).toEqual([]);
  });

  it('are printed by every run of all tests', () => {
    for (const file of ['.ci/run', '.github/workflows/test.yml'])
      expect(readFileSync(file, 'utf8')).toContain('npm run -s lines');
  });
});

describe('lines', () => {
  it('leave out blank lines and comments, not code beside a comment', () => {
    const source = [
      '/**',
      ' * Of a file.',
      ' */',
      '',
      'const x = 1; // one',
      '// a line',
      "const text = '// no comment';",
      'const y = /* two',
      '  lines */ 2;',
    ].join('\n');
    expect(countLines('file.ts', source)).toEqual({ code: 4, comments: 4 });
  });

  it('count AssemblyScript, with its decorators', () => {
    expect(countLines('file.ts', '// @inline\n@inline\nfunction f(): void {}\n')).toEqual({ code: 2, comments: 1 });
  });
});
