/**
 * Wraps comments at the width of the formatter, which leaves comments as they are. `npm run format` writes the files;
 * with `--check` it lists what it would change and all other lines that are too wide, and fails if there are any.
 *
 * Only paragraphs with a line that is too wide change. Code, tables, drawings and indented lines keep their lines.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseSync } from 'rolldown/utils';

const { printWidth: WIDTH } = JSON.parse(readFileSync(new URL('../.oxfmtrc.json', import.meta.url), 'utf8'));
const FOLDERS = ['src', 'test', 'examples', 'scripts', 'docs/reference'];
/** A line that cannot be broken: a comment of one word, code with a string, a regular expression. */
const UNBREAKABLE = /^\s*(?:\/\/|\/?\*)\W*\S+\W*$|^(?!\s*(?:\/\/|\/?\*)).*['"`]|^\s*\/[^/*].*\/[a-z]*[,;)]*$/;
/** What stays in one line: a word, inline code, an inline tag. */
const WORD = /(?:`[^`]*`|\{@[^}]*\}|\S)+/g;
/** A word that must not be the first of a line, where it would begin a list, a tag, a table or a quotation. */
const NOT_FIRST = /^(?:[-+*#]$|\d+[.)]$|[@|>])/;
/** A line that stays as it is: a table, a drawing, columns, a heading, a quotation, an instruction to a tool. */
const FIXED = /^\s*(?:\|.*\|$|[#>])|[\u2190-\u21ff\u2500-\u25ff]|\S {2,}\S|^@ts-|^(?:oxlint|oxfmt|prettier)-/;
/** The begin of a list item or of a tag. The lines that continue it are indented. */
const ITEM = /^\s*(?:([-*+] +|\d+[.)] +)|@[a-z])/i;
/** The space before a tag in a comment of one line. */
const TAG = /\s+(?=@(?:param|returns|throws|default|see|example)\b)/g;
const isWide = (line) => line.length > WIDTH;

/** The lines of a paragraph, filled up to the width. `hang` is the indentation of all lines but the first. */
function fill(lines, prefix, hang) {
  const units = [];
  for (const word of lines.join(' ').match(WORD))
    units.push(units.length > 0 && NOT_FIRST.test(word) ? `${units.pop()} ${word}` : word);
  const filled = [/^ */.exec(lines[0])[0] + units[0]];
  for (const unit of units.slice(1)) {
    const longer = `${filled.at(-1)} ${unit}`;
    if (isWide(prefix + longer)) filled.push(' '.repeat(hang) + unit);
    else filled[filled.length - 1] = longer;
  }
  return filled;
}

/** Wraps the text of a comment. Its lines come without the `prefix` that each of them has in the file. */
function wrapText(text, prefix) {
  const paragraphs = [];
  let isCode = false;
  for (const line of text) {
    const [indent, item, isFence] = [line.search(/\S|$/), ITEM.exec(line), /^\s*```/.test(line)];
    const isFixed = isCode || isFence || line.trim() === '' || FIXED.test(line);
    if (isFence) isCode = !isCode;
    // As in Markdown, a number other than 1 begins no list within a paragraph.
    const continues = paragraphs.at(-1)?.hang === indent && (!item || /^(?!1[.)])\d/.test(item[1]));
    if (!isFixed && continues) paragraphs.at(-1).lines.push(line);
    else if (!isFixed && item) paragraphs.push({ lines: [line], hang: indent + (item[1]?.length ?? 2) });
    else paragraphs.push({ lines: [line], hang: isFixed || indent > 0 ? -1 : 0 });
  }
  return paragraphs.flatMap(({ lines, hang }) =>
    hang >= 0 && lines.some((line) => isWide(prefix + line)) ? fill(lines, prefix, hang) : lines,
  );
}

/** Wraps a comment that begins with `/*`, which has an asterisk in each line. */
function wrapBlock(comment, indent) {
  const [opening] = /^\/\*+/.exec(comment);
  let text = comment.slice(opening.length, -2).split('\n');
  if (!text.slice(1, -1).every((line) => /^\s*\*/.test(line))) return comment;
  text = text.map((line, k) => (k === 0 ? line.trim() : line.replace(/^\s*\* ?|^\s+$/, '').trimEnd()));
  // Tags in a comment of one line get lines of their own, below an empty line.
  const lines = text[0].replace(TAG, '\n').replace(/^([^@].*)\n/, '$1\n\n');
  if (text.length === 1) text = lines.split('\n');
  else text = text.slice(text[0] === '' ? 1 : 0, text.at(-1) === '' ? -1 : undefined);
  const wrapped = wrapText(text, `${indent} * `).map((line) => `${indent} * ${line}`.trimEnd());
  return [opening, ...wrapped, `${indent} */`].join('\n');
}

/** Wraps the lines of a comment that begin with `//`. */
function wrapLines(comment, indent) {
  const lines = comment.split('\n').map((line) => line.trim().replace(/^\/\/ ?/, ''));
  return `// ${wrapText(lines, `${indent}// `).join(`\n${indent}// `)}`.replace(/ +$/gm, '');
}

/** The source of a file, its comments wrapped. A comment beside code stays as it is. */
export function wrapComments(file, source) {
  // Decorators of AssemblyScript are no TypeScript. All else keeps its position.
  const code = source.replace(/^ *@\w+/gm, ({ length }) => ' '.repeat(length));
  const groups = [];
  for (const { type, start, end } of parseSync(file, code).comments) {
    const indent = source.slice(source.lastIndexOf('\n', start) + 1, start);
    if (indent.trim() !== '' || !/^\s*?(?:\n|$)/.test(source.slice(end))) continue;
    const last = groups.at(-1);
    const continues = type === 'Line' && last?.type === type && source.slice(last.end, start) === `\n${last.indent}`;
    if (continues) last.end = end;
    else groups.push({ type, start, end, indent });
  }
  for (const { type, start, end, indent } of groups.toReversed()) {
    const comment = source.slice(start, end);
    if (!(indent + comment).split('\n').some(isWide) || comment.startsWith('///')) continue;
    source = source.slice(0, start) + (type === 'Line' ? wrapLines : wrapBlock)(comment, indent) + source.slice(end);
  }
  return source;
}

function filesOf(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`);
}

if (process.argv[1]?.endsWith('wrap-comments.mjs')) {
  const check = process.argv.includes('--check');
  const faults = [];
  for (const file of [...readdirSync('.'), ...FOLDERS.flatMap(filesOf)]) {
    if (!/\.(?:ts|tsx|mts|mjs|js)$/.test(file) || /node_modules|-code\.ts$/.test(file)) continue;
    const source = readFileSync(file, 'utf8');
    const wrapped = source.split('\n').some(isWide) ? wrapComments(file, source) : source;
    for (const [k, line] of wrapped.split('\n').entries())
      if (isWide(line) && !UNBREAKABLE.test(line)) faults.push(`${file}:${k + 1} is too wide: break it by hand\n`);
    if (wrapped !== source && check) faults.push(`${file} has wide comments: call npm run format\n`);
    if (wrapped !== source && !check) writeFileSync(file, wrapped);
  }
  process.stderr.write(faults.join(''));
  if (faults.length > 0 && check) process.exitCode = 1;
}
