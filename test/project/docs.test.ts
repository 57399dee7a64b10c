import { existsSync, readFileSync } from 'node:fs';
import { BoxGeometry, Mesh, PerspectiveCamera, Scene, type Matrix4, type Object3D } from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import * as core from '../../src/core.ts';
import * as debug from '../../src/debug/index.ts';
import * as debugThree from '../../src/debug-three/index.ts';
import * as library from '../../src/index.ts';
import * as react from '../../src/react/index.ts';
import * as save from '../../src/save/index.ts';
import * as triangles from '../../src/triangles/index.ts';
import * as three from '../../src/three.ts';
import * as tiles from '../../src/tiles/index.ts';
import * as tsl from '../../src/tsl.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { listedExamples, sourceOf } from '../../scripts/example-list.ts';
import {
  compileExamples,
  documents,
  ENTRY_POINTS,
  examplesInSources,
  examplesOf,
  linkedPaths,
  promisedOutput,
  readerModule,
  runExamples,
  sources,
} from '../support/doc-examples.ts';

const readme = readFileSync('README.md', 'utf8');
const examples = [...['index.html', ...documents()].flatMap(examplesOf), ...examplesInSources()];
const printing = examples.filter((example) => promisedOutput(example).length > 0);
let report = 'not compiled';
let outputs = new Map<string, string>();

beforeAll(() => {
  report = compileExamples(examples);
  if (report === '') outputs = runExamples(printing);
}, 120_000);

describe('README.md', () => {
  it('has at most 1,200 words, marks of tables not counted', () => {
    const words = readme.split(/\s+/).filter((word) => /\w/.test(word));
    expect(words.length).toBeGreaterThan(600);
    expect(words.length).toBeLessThanOrEqual(1200);
  });

  it('has code in the first lines, then a picture that is a link, and the two commands', () => {
    expect(readme.split('\n').slice(0, 8).join('\n')).toContain('```ts');
    expect(readme.split('\n').slice(0, 20).join('\n')).toMatch(/\[!\[[^\]]+\]\([^)]+\)\]\([^)]+\)/);
    expect(readme).toContain('npm start');
    expect(readme).toContain('npm test');
  });

  it('has examples of at most 25 lines, of both entry points', () => {
    const own = examplesOf('README.md');
    expect(own.length).toBeGreaterThanOrEqual(2);
    for (const { code } of own) expect(code.trim().split('\n').length).toBeLessThanOrEqual(25);
    for (const entry of ['scene-octree', 'scene-octree/three']) expect(readme).toContain(`from '${entry}'`);
  });

  it('has an example without a renderer that prints what its comments say', () => {
    const output = outputs.get(examplesOf('README.md').find(({ code }) => code.includes('firstHit'))!.name);
    expect(output).toContain('tree 11.5');
    expect(output).toMatch(/true 7 .*\{ x: 0, y: 0, z: 1 \}/);
  });
});

describe('the home page', () => {
  it('has one example, an import and three lines', () => {
    expect(examplesOf('index.html').map(({ code }) => code.trim().split('\n').length)).toEqual([4]);
  });
});

describe('the table of guides', () => {
  it('links every guide', () => {
    const linked = linkedPaths('docs/guides/README.md');
    expect(documents().filter((document) => document.startsWith('docs/guides/') && !linked.includes(document))).toEqual(
      ['docs/guides/README.md'],
    );
  });
});

describe('the guides', () => {
  it.each(listedExamples().filter(({ guide }) => !guide.startsWith('../')))(
    'link the example $slug in $guide, its guide',
    (example) => {
      const page = example.slug.startsWith('small/') ? sourceOf(example) : `examples/${example.slug}.html`;
      expect(linkedPaths(`docs/guides/${example.guide}`)).toContain(page);
    },
  );
});

/** Pages to look things up in. */
const REFERENCE = ['README', 'api', 'troubleshooting', 'exactness', 'getting-started'];
/** A server in full. */
const WITH_LONG_CODE = ['servers-and-workers'];
/** Lines before the picture, imports not counted: more is not read at a glance. */
const MAX_FIRST_LINES = 6;
/** Characters of such a line: more is wrapped on the site in a window of 1280 pixels. */
const MAX_FIRST_COLUMNS = 90;
/** Guides about what has no picture. */
const WITHOUT_PICTURE = ['frameworks', 'xr'];

const guides = documents()
  .filter((path) => path.startsWith('docs/guides/'))
  .map((path) => path.slice('docs/guides/'.length, -'.md'.length))
  .filter((guide) => !REFERENCE.includes(guide));

describe('each guide', () => {
  it.each(guides)('begins with its task, code and a picture: %s', (guide) => {
    const [opening] = readFileSync(`docs/guides/${guide}.md`, 'utf8').split(/^## /m);
    const [, code] = /^# .+\n\n[A-Z0-9][^\n]+\n\n```tsx?\n([^]+?)```/.exec(opening) ?? ['', ''];
    const lines = code.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('import '));
    expect(lines.length).toBeGreaterThan(0);
    if (!WITH_LONG_CODE.includes(guide)) {
      expect(lines.length).toBeLessThanOrEqual(MAX_FIRST_LINES);
      expect(lines.filter((line) => line.length > MAX_FIRST_COLUMNS)).toEqual([]);
    }
    if (WITHOUT_PICTURE.includes(guide)) return;
    const [, alternative, picture] =
      /^!\[([^\]]{20,})\]\(\.\.\/\.\.\/(examples\/images\/[^)]+)\)$/m.exec(opening) ?? [];
    expect([guide, existsSync(picture)]).toEqual([guide, true]);
    expect(alternative.length).toBeGreaterThan(20);
  });
});

/** Tables of other libraries and frameworks: all of them is what differs. */
const OF_OTHERS = ['migrating', 'frameworks'];
/** Times that a setting or an example has: no figures of a machine. */
const CHOSEN_TIMES = /(at most|about) [42] ms|latency is 100 ms/g;

describe('the limits of each guide', () => {
  it.each(guides.filter((guide) => !OF_OTHERS.includes(guide)))(
    'stand in one table, the first section: %s',
    (guide) => {
      const [, title, ...rest] = readFileSync(`docs/guides/${guide}.md`, 'utf8').split(/^## (.+)$/m);
      expect(title).toBe('Limits');
      expect(rest.filter((text) => text === 'Limits')).toEqual([]);
      const rows = /^\n\n\|[^\n]+\n\|---\|---\|\n((?:\|[^\n]+\n)+)/.exec(rest[0])?.[1].trim().split('\n') ?? [];
      expect(rows.length).toBeGreaterThanOrEqual(3);
      expect(rows.length).toBeLessThanOrEqual(8);
    },
  );

  it.each(guides)('has its figures in the benchmark: %s', (guide) => {
    const text = readFileSync(`docs/guides/${guide}.md`, 'utf8').replaceAll(CHOSEN_TIMES, '');
    expect(text.match(/[\d.]+ ?(?:ms|us|µs|ns|microseconds|milliseconds)\b.*/g) ?? []).toEqual([]);
  });
});

/** What a user meets while rendering: a part of its text, and the file that has it. */
const WHILE_RENDERING: readonly (readonly [text: string, file: string])[] = [
  ['is static, and was moved without a report', 'src/three/group/group-children.ts'],
  ['must lead to bounds within +-2^50', 'src/three/bounds/bounds-math.ts'],
  ['Until then every pass draws', 'src/instances/octree-instances.ts'],
  ['Until then every pass draws', 'src/three/group/member-bodies.ts'],
  ['must have an item for each instance', 'src/instances/instance-checks.ts'],
  ['must not read the draw slot of an instance', 'src/instances/levels/shader-reads.ts'],
  ['draw everything in every pass', 'src/three/passes/warnings.ts'],
  ['so each query that reaches it tests all of them', 'src/triangles/triangle-scene.ts'],
  ['of a tile cannot be read', 'src/tiles-renderer/property-table.ts'],
  ['pixels differ from those of plain three', 'src/debug-three/verify.ts'],
];
/** Errors of a frame: thrown by updateMatrixWorld, by a setter, or by what a second load of a module does. */
const ERRORS_WHILE_RENDERING: typeof WHILE_RENDERING = [
  ['the array must not be replaced', 'src/three/passes/pass-container.ts'],
  ['must hold numbers within +-2^50 only', 'src/instances/instance-checks.ts'],
  ['must be the object itself, but is a proxy of it', 'src/three/bounds/object-kinds.ts'],
  ['geometry must be a BufferGeometry', 'src/instances/instance-checks.ts'],
  ['must have as many influences as in the first call', 'src/instances/instance-checks.ts'],
  ['must lie inside the box around the vertices of the mesh', 'src/occlusion/culling/solid-shape.ts'],
  ['has one already; dispose it first', 'src/changes/shadows/shadow-updates.ts'],
];

describe('the guide Troubleshooting', () => {
  const guide = readFileSync('docs/guides/troubleshooting.md', 'utf8');
  const texts = sources();

  it('has each warning of the library, in the words of the source', () => {
    const warning = [...texts].filter(([, text]) => /warnOnce\(/.test(text)).map(([file]) => file);
    const inSource = WHILE_RENDERING.filter(([text, file]) => texts.get(file)!.includes(text)).map(([, file]) => file);
    // The text of bounds out of range has two parts, in two files.
    expect(new Set(inSource.filter((file) => file !== 'src/three/bounds/bounds-math.ts'))).toEqual(new Set(warning));
  });

  it.each([...WHILE_RENDERING, ...ERRORS_WHILE_RENDERING])('has "%s" of %s', (text, file) => {
    expect(texts.get(file)).toContain(text);
    expect(guide).toContain(text);
  });

  it('has a way from each symptom of its first table to a section', () => {
    const [, table] = /^\| you see \| section \|\n[^\n]*\n((?:\|.*\n)+)/m.exec(guide)!;
    const linked = [...table.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    const sections = [...guide.matchAll(/^## (.+)$/gm)].map(([, title]) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    expect(linked.filter((anchor) => !sections.includes(anchor))).toEqual([]);
    expect(
      sections.filter((section) => !linked.includes(section) && !/what-does|is-the-picture/.test(section)),
    ).toEqual([]);
  });
});

/** The functions of a sample of the guide to editors. */
const ofEditor = (start: string): Promise<unknown> =>
  readerModule(examples.find(({ document, code }) => document.endsWith('editor.md') && code.includes(start))!);

describe('the guide to editors', () => {
  it('watches what the gizmo holds, and gives back what it was', async () => {
    const { hold } = (await ofEditor('function hold')) as {
      hold: (object: Object3D | null, gizmo: TransformControls, group: three.OctreeGroup) => void;
    };
    const gizmo = new TransformControls(new PerspectiveCamera());
    const group = new three.OctreeGroup();
    const [house, shed, car] = Array.from({ length: 60 }, () => new Mesh(new BoxGeometry()));
    group.add(house, shed, car).setStatic(house).setStatic(shed);
    const statics = (): boolean[] => [house, shed, car].map((mesh) => group.isStatic(mesh));
    const scene = new Scene().add(group);
    scene.updateMatrixWorld();
    expect(statics()).toEqual([true, true, false]);
    hold(house, gizmo, group);
    expect([gizmo.object, ...statics()]).toEqual([house, false, true, false]);
    house.position.x = 70; // No report.
    scene.updateMatrixWorld();
    expect(group.octree.intersectPoint({ x: 70, y: 0, z: 0 }).map(({ body }) => body.data)).toEqual([house]);
    hold(car, gizmo, group);
    expect([gizmo.object, ...statics()]).toEqual([car, true, true, false]);
    hold(shed, gizmo, group);
    expect([gizmo.object, ...statics()]).toEqual([shed, true, false, false]);
    shed.removeFromParent();
    hold(null, gizmo, group);
    expect([gizmo.object, group.isStatic(house), group.isStatic(car)]).toEqual([undefined, true, false]);
    group.add(shed);
    hold(house, gizmo, group);
    hold(null, gizmo, group);
    expect(statics()).toEqual([true, false, false]);
  });

  it('records a drag as the object and the matrix before it', async () => {
    const { recordDrags } = (await ofEditor('function recordDrags')) as {
      recordDrags: (gizmo: TransformControls, moved: (object: Object3D, before: Matrix4) => void) => void;
    };
    const gizmo = new TransformControls(new PerspectiveCamera());
    const drags: unknown[] = [];
    recordDrags(gizmo, (object, { elements }) => drags.push(object, elements[12]));
    const box = new Mesh(new BoxGeometry());
    gizmo.attach(box);
    for (const x of [3, 8]) {
      gizmo.dispatchEvent({ type: 'mouseDown', mode: 'translate' });
      box.position.x = x;
      gizmo.dispatchEvent({ type: 'mouseUp', mode: 'translate' });
    }
    expect(drags).toEqual([box, 0, box, 3]);
  });
});

describe('the home page, the README, the guides and doc comments', () => {
  it('have examples that compile, each of them', () => {
    expect(report).toBe('');
  });

  it('import only from entry points of the package', () => {
    const entries = examples.flatMap(({ code }) =>
      [...code.matchAll(/from '(scene-octree[^']*)'/g)].map(([, entry]) => entry),
    );
    expect(entries.filter((entry) => !(entry in ENTRY_POINTS))).toEqual([]);
  });

  it.each(printing.map((example) => [example.name, example] as const))(
    '%s prints what its comments say',
    (name, example) => {
      let rest = outputs.get(name) ?? 'not run';
      for (const text of promisedOutput(example)) {
        expect(rest).toContain(text);
        rest = rest.slice(rest.indexOf(text) + text.length);
      }
    },
  );
});

/** A doc comment whose first sentence leads to another name: that sentence, and the line that it describes. */
const VAGUE = /\/\*\*\s*(?:\* )?((?:As `|Like `|The first record of)[^\n]*)(?:(?!\*\/)[\s\S])*?\*\/\s*(\S[^\n]*)/g;

/** The names of all functions, classes and constants that the entry points export. */
const PUBLIC = [core, library, save, tiles, triangles, three, react, debug, debugThree, tsl].flatMap((entry) =>
  Object.keys(entry),
);

/** Doc comments of the public functions, classes and constants, by file and name, with the parameters of functions. */
function publicComments(): (readonly [place: string, comment: string, head: string])[] {
  const names = new Set(PUBLIC);
  return [...sources()].flatMap(([file, text]) =>
    [
      ...text.matchAll(
        /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/)\n(?:\/\/.*\n)*export (?:abstract |async )?(?:function|class|const) (\w+)(?:(?:<[^>]*>)?\(([^)]*)\))?/g,
      ),
    ]
      .filter(([, comment, name]) => names.has(name) && !/@hidden|@internal/.test(comment))
      .map(([, comment, name, head = '']) => [`${file}: ${name}`, comment, head] as const),
  );
}

describe('the guide API at a glance', () => {
  it('names each function, class and constant of the entry points', () => {
    const guide = readFileSync('docs/guides/api.md', 'utf8');
    expect(PUBLIC.filter((name) => !new RegExp(`\\b${name}\\b`).test(guide))).toEqual([]);
  });
});

describe('the doc comments of what is public', () => {
  const comments = publicComments();

  it('have an example that imports what they describe', () => {
    const described = new Set(comments.map(([place]) => place.split(': ')[1]));
    expect(PUBLIC.filter((name) => !described.has(name))).toEqual([]);
    const without = comments.filter(([place, comment]) => {
      const [, example = ''] = comment.split('@example');
      const name = place.split(': ')[1];
      return !new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from 'scene-octree`).test(example);
    });
    expect(without.map(([place]) => place)).toEqual([]);
  });

  it('say of each function what each argument is', () => {
    const silent = comments.flatMap(([place, comment, head]) =>
      [...head.matchAll(/(?:^\s*|,\s+)(\w+)\??: /g)]
        .map(([, parameter]) => parameter)
        .filter((parameter) => !new RegExp(`@param ${parameter}\\b`).test(comment))
        .map((parameter) => `${place}(${parameter})`),
    );
    expect(silent).toEqual([]);
  });

  it('say first what it does, not which other name does nearly the same', () => {
    const publics = new Set(comments.map(([place]) => place));
    const files = new Set([...publics].map((place) => place.split(': ')[0]).concat('src/octree/readable-octree.ts'));
    const vague = [...sources()]
      .filter(([file]) => files.has(file))
      .flatMap(([file, text]) =>
        [...text.matchAll(VAGUE)]
          .map(([, line, declaration]) => [line, declaration.replace(/^export (?:\w+ )+(\w+).*/, `${file}: $1`)])
          .filter(([, of]) =>
            of.startsWith('src/') ? publics.has(of) : !/^(?:private|protected|function|const) /.test(of),
          )
          .map(([line]) => `${file}: ${line}`),
      );
    expect(vague).toEqual([]);
  });
});
