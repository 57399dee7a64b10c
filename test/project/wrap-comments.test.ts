import { describe, expect, it } from 'vitest';
import { wrapComments } from '../../scripts/wrap-comments.mjs';

/** Words of nine letters: eleven of them are 109 columns wide. */
const words = (count: number) => Array.from({ length: count }, () => 'wordswide').join(' ');
const wrap = (...lines: string[]) =>
  wrapComments('file.ts', `${lines.join('\n')}\nlet x;\n`)
    .split('\n')
    .slice(0, -2);

describe('wrap-comments', () => {
  it('fills the paragraphs that have a line wider than 120 columns, and no others', () => {
    expect(wrap('/**', ` * ${words(13)}`, ' * end.', ' *', ' * A line.', ' * Another.', ' */')).toEqual([
      '/**',
      ` * ${words(11)}`,
      ` * ${words(2)} end.`,
      ' *',
      ' * A line.',
      ' * Another.',
      ' */',
    ]);
    expect(wrap(`  // ${words(13)}`, '  // end.')).toEqual([`  // ${words(11)}`, `  // ${words(2)} end.`]);
  });

  it('gives a comment of one line more lines, and its tags lines of their own', () => {
    expect(wrap(`/** ${words(13)} @param x ${words(11)} */`)).toEqual([
      '/**',
      ` * ${words(11)}`,
      ` * ${words(2)}`,
      ' *',
      ` * @param x ${words(10)}`,
      ` *   ${words(1)}`,
      ' */',
    ]);
  });

  it('indents the lines that continue a list item or a tag', () => {
    expect(wrap('/**', ` * - ${words(8)}`, ` *   ${words(13)}`, ' * - b', ' */')).toEqual([
      '/**',
      ` * - ${words(11)}`,
      ` *   ${words(10)}`,
      ' * - b',
      ' */',
    ]);
  });

  it('takes a number other than 1 for the begin of a list only in a list', () => {
    expect(wrap(`// ${words(12)} is`, '// 0. End.')).toEqual([`// ${words(11)}`, '// wordswide is 0. End.']);
    expect(wrap('// 1. a', `// 2. ${words(12)}`)).toEqual(['// 1. a', `// 2. ${words(11)}`, '//    wordswide']);
  });

  it('begins no line with a word that would begin a list, a tag or a table there', () => {
    for (const word of ['-', '12.', '@scope/name', '|x|']) {
      expect(wrap(`// ${words(11)} filled ${word} end`)).toEqual([`// ${words(11)}`, `// filled ${word} end`]);
    }
  });

  it('keeps code, tables, drawings, columns and indented lines, and inline code in one line', () => {
    for (const kept of [`| a | ${words(12)} |`, `a  ${words(12)}`, `    ${words(12)}`, `▼ ${words(12)}`]) {
      expect(wrap('/**', ` * ${kept}`, ' */')).toEqual(['/**', ` * ${kept}`, ' */']);
    }
    expect(wrap('/**', ' * ```', ` * ${words(13)}`, ' * ```', ' */')[2]).toBe(` * ${words(13)}`);
    expect(wrap(`// ${words(11)} \`a + b + c\` end`)).toEqual([`// ${words(11)}`, '// `a + b + c` end']);
  });

  it('leaves strings and comments beside code alone', () => {
    for (const line of [`const s = '// ${words(13)}';`, `const s = \`\n// ${words(13)}\`;`, `f(); // ${words(13)}`]) {
      expect(wrap(line).join('\n')).toBe(line);
    }
  });
});
