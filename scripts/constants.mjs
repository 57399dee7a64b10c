/**
 * The numeric constants at the tops of the files of src. A tuned one names in its comment the test or the row of the
 * benchmark that fails when it is halved or doubled: `name.test`, or row "name of the row".
 *
 *     node scripts/constants.mjs            lists the tuned ones that name nothing
 *     node scripts/constants.mjs --all      lists all tuned ones, with what they name
 *     node scripts/constants.mjs --try WORD halves and doubles those whose file or name contains WORD, and runs the
 *                                           test that each names; 20 to 60 s for each
 */

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Files whose constants are no choices: layouts, bits, and bounds of rounding errors, each with its argument beside it.
 */
const NO_CHOICES =
  /^(math\/(tolerances|float32|integer-cube|box|sphere)|tree\/layout|triangles\/(kernels\/.*|triangle-walk|triangle-tree)|tree\/traverse\/walk-numbers|wasm\/(memory-map|.*-code)|.*-code|.*(bits|traits|material-traits))\.ts$/;
/**
 * Names of strides, offsets, bits, kinds, states and marks; and initial capacities, which only change how often the
 * first elements are copied.
 */
const NO_CHOICE =
  /(^|_)(STRIDE|OFFSET|SHIFT|BIT|BITS|MASK|FLAG|FLAGS|NUMBERS|ALL|NONE|SIDE|END|BEGIN|LIMIT_TEXT)(_|$)|^(NO|IS|HAS|NOT|BODY|NODE)_|^(ALL|FIRST|LAST|INITIAL)_/;
/** Others that are no choices, by what they are. */
const NAMED = new Set([
  // Limits and layouts of formats, of three and of WebAssembly.
  'INDICES',
  'MAX_GENERATION',
  'REGION_LIMIT',
  'MAX_EDGE',
  'WEBGL',
  'WEBGPU',
  'PERSPECTIVE',
  'NEAR_PLANE',
  'SCALE_Y',
  'WASM_PAGE_BYTES',
  'ALIGNMENT',
  'READ_AHEAD_BYTES',
  'MAP_LENGTH',
  'KEY_DEPTH',
  'SIZE_CLASSES',
  'ULP',
  'MAX_SHAPE_VALUES',
  // Bounds of numbers whose squares or inverses must stay finite.
  'MIN_LENGTH_SQ',
  'MAX_INVERSE',
  'MAX_INVERSE32',
  'EXACT_LIMIT',
  'LOOSENESS_UNITS',
  'MIN_AREA_EDGE',
  // Parts of the definition of a result: a change moves results by less than what the guide of exactness allows.
  'MIN_SINE',
  'CORNER_TOLERANCE',
  'MIN_REACH',
  'CUBE_STEP',
  'UNIT_TOLERANCE',
  'MIN_COMPONENT',
  'MIN_CROSS_SQ',
  // Bounds of rounding errors of src/triangles.
  'MAX_SKEW',
  'PARALLEL',
  'REST',
  'TIMES_RAISED',
  'SAFETY',
  'RELATIVE_TOLERANCE',
  // Mathematics.
  'COSINE_1',
  'CORNERS',
  'CORNER_PLANES',
  'INSCRIBED_INSET',
  'MAX_CORNERS',
  // States, kinds and places in a record.
  'BOUNDS',
  'TOUCHING',
  'APART',
  'SETTLED',
  'UNLINKED',
  'OUTSIDE',
  'REFUSED',
  'NEXT',
  'PREVIOUS',
  'STATE',
  'TAG',
  'PARTNER',
  'BODY',
  'ALIVE',
  'VISIBLE',
  'MOVED',
  'RENEWED',
  'HELD',
  'HIT_WITHIN_BOUNDS',
  'HIT_ANYWHERE',
  'FULL',
  'NOTHING_IS_NEARER',
  'EMPTY',
  'STATIC',
  'BOUNDS_ROUNDED',
  'FAT_BOUNDS_ROUNDED',
  'CENTER_ROUNDED',
  'FAT_BOUNDS_CRAMPED',
]);
/** Folders and files whose constants change neither results nor times: the reference, colours of the helper. */
const NO_COST = /^(debug(?:-three)?\/|helper\/node-colors\.ts)/;
/** Small integers in a row (0, 1, 2, ...) number states or fields; a single one is a choice. */
const MIN_NUMBERED = 3;

const DECLARATION =
  /^(?:export )?const ([A-Z][A-Z0-9_]*)(?:: number)? = ([-+*/%().\d\s_e]+|0x[\da-f]+|[-+*/().\w\s<>&|]+);$/;
const IS_NUMERIC = /^[-+*/%().\d\s_e]+$/;

/**
 * All tuned constants.
 *
 * @returns {{ file: string, line: number, name: string, value: string, text: string, tests: string[] }[]} With the
 *   tests and rows that their comments name.
 */
export function tunedConstants(root = 'src') {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !NO_CHOICES.test(file) && !NO_COST.test(file))
    .filter((file) => !file.includes('assembly/'))
    .sort()
    .flatMap((file) => constantsOf(file, readFileSync(`${root}/${file}`, 'utf8').split('\n')));
}

function constantsOf(file, lines) {
  const found = lines.flatMap((text, k) => {
    const [, name, value] = DECLARATION.exec(text) ?? [];
    return name !== undefined && IS_NUMERIC.test(value) ? [{ name, value: value.trim(), k, text }] : [];
  });
  return found
    .filter(({ name, value, k }) => !NO_CHOICE.test(name) && !NAMED.has(name) && !isNumbered(found, value, k))
    .map(({ name, value, k, text }) => ({
      file,
      line: k + 1,
      name,
      value,
      text,
      tests: testsIn(commentAbove(lines, k)),
    }));
}

/** Whether a constant stands in a row of lines whose values count up. */
function isNumbered(found, value, k) {
  if (!/^\d+$/.test(value)) return false;
  let length = 1;
  for (const step of [-1, 1])
    for (
      let at = 1;
      found.some((one) => one.k === k + step * at && Number(one.value) === Number(value) + step * at);
      at++
    )
      length++;
  return length >= MIN_NUMBERED;
}

/** The comment of a constant: the lines right above it, and those above the constants that share it. */
function commentAbove(lines, k) {
  let begin = k;
  while (begin > 0 && /^(\s*\/\*\*|\s*\*|\/\/|(export )?const [A-Z])/.test(lines[begin - 1])) begin--;
  return lines.slice(begin, k).join(' ');
}

/** Tests (`name.test`) and rows of the benchmark (`row "name"`) that a comment names. */
function testsIn(comment) {
  const tests = [...comment.matchAll(/([\w-]+)\.test\b/g)].map(([, name]) => `${name}.test.ts`);
  const rows = [...comment.matchAll(/row "([^"]+)"/g)].map(([, name]) => `row "${name}"`);
  return [...tests, ...rows];
}

/** Halves and doubles a constant, and runs the tests that it names. Prints for each whether they fail. */
function tryConstant({ file, name, value, text, tests }) {
  const paths = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((path) =>
    tests.includes(basename(path)),
  );
  for (const [word, planted] of [
    ['halved', `(${value}) / 2`],
    ['doubled', `(${value}) * 2`],
  ]) {
    const fault = { name, edits: [{ file, find: text, plant: text.replace(/= .*;$/, `= ${planted};`) }] };
    const { status } = spawnSync(
      'node_modules/.bin/vitest',
      ['run', '--reporter=dot', ...paths.map((path) => `test/${path}`)],
      {
        env: { ...process.env, PLANTED_FAULT: JSON.stringify(fault), npm_lifecycle_event: 'test:long' },
      },
    );
    console.log(
      `${file} ${name} = ${value}, ${word}: ${status === 0 ? 'GREEN' : 'red'} (${paths.join(', ') || 'no test found'})`,
    );
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [mode, word] = process.argv.slice(2);
  const tuned = tunedConstants();
  if (mode === '--try')
    tuned
      .filter(({ file, name, tests }) => tests.length > 0 && (file.includes(word) || name.includes(word)))
      .forEach(tryConstant);
  else {
    const listed = mode === '--all' ? tuned : tuned.filter(({ tests }) => tests.length === 0);
    for (const { file, line, name, value, tests } of listed)
      console.log(`src/${file}:${line} ${name} = ${value}${tests.length > 0 ? `  ${tests.join(', ')}` : ''}`);
    console.log(`${listed.length} of ${tuned.length}`);
  }
}
