import { readdirSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'rolldown/utils';
import { expect, it } from 'vitest';

/** Casts by which tests reach a private field of a class of src, by file and field, each with its reason. */
const ALLOWED: Record<string, string> = {
  'test/browser/react-binding.test.ts routed':
    'what is kept of children that were unmounted has no result to see; React itself keeps some of them for a while',
};
/** Casts to types with a field that has the name of a private one, but belongs to another object. */
const OTHERS: Record<string, string> = {
  'test/browser/batches-odd.test.ts data': 'of an attribute of three',
  'test/instances/instances-morphs.test.ts center': 'of a sphere of three',
  'test/instances/instances-morphs.test.ts radius': 'of a sphere of three',
  'test/site/your-scene.test.ts meshes': 'of a glTF file',
  'test/support/change-towns.ts update': 'three calls it on the last object of a scene',
  'test/support/lateness.ts update': 'three calls it on the last object of a scene',
  'test/three/detector/traps.test.ts update': 'three calls it on the last object of a scene',
  'test/tiles-renderer/octree-tiles.test.ts clear': 'a public method of Octree, which a read-only octree must refuse',
};

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

const textsIn = (folder: string): (readonly [string, string])[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('node_modules'))
    .map((file) => [file, readFileSync(file, 'utf8')]);

/** The names that a class of src declares as private or protected. */
const PRIVATE = new Set(
  textsIn('src').flatMap(([, text]) =>
    Array.from(
      text.matchAll(/\b(?:private|protected) (?:(?:static|readonly|abstract|override|async|get|set) )*\*?(\w+)/g),
      ([, name]) => name,
    ),
  ),
);

function keysIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap(keysIn);
  const { type, key } = node as Node;
  const own = type === 'TSPropertySignature' || type === 'TSMethodSignature' ? [(key as { name?: string }).name!] : [];
  return [...own, ...Object.values(node).flatMap(keysIn)];
}

function isCast(node: Node | undefined): boolean {
  let inner = node;
  while (inner?.type === 'ParenthesizedExpression') inner = inner.expression as Node;
  return inner?.type === 'TSAsExpression' && (inner.expression as Node).type === 'TSAsExpression';
}

/** The names that a file reaches by a cast of a cast: those of its type, and what is read from it at once. */
function namesBehindCasts(file: string, text: string): Set<string> {
  const names = new Set<string>();
  new Visitor({
    TSAsExpression(node) {
      if (!isCast(node as unknown as Node)) return;
      for (const name of keysIn(node.typeAnnotation)) names.add(name);
    },
    MemberExpression({ object, property, computed }) {
      if (isCast(object as unknown as Node) && !computed && 'name' in property) names.add(property.name);
    },
    VariableDeclarator(node) {
      if (!isCast((node.init ?? undefined) as Node | undefined) || node.id.type !== 'ObjectPattern') return;
      for (const property of node.id.properties)
        if ('key' in property && property.key.type === 'Identifier') names.add(property.key.name);
    },
  }).visit(parseSync(file, text).program);
  return names;
}

/**
 * A private field is reached by a cast, by its name in brackets, which the rule `dot-notation` of the linter reports,
 * or by `any`, which its rule `no-explicit-any` reports.
 */
it('tests reach no private field but the listed ones', () => {
  const found = textsIn('test')
    .filter(([, text]) => /\bas (?:unknown|never) as\b/.test(text))
    .flatMap(([file, text]) => [...namesBehindCasts(file, text)].map((name) => [file, name]))
    .filter(([, name]) => PRIVATE.has(name))
    .map(([file, name]) => `${file} ${name}`);
  expect(found.sort()).toEqual([...Object.keys(ALLOWED), ...Object.keys(OTHERS)].sort());
});

it('the linter reports the other ways to a private field', () => {
  const { rules } = JSON.parse(readFileSync('.oxlintrc.json', 'utf8')) as { rules: Record<string, unknown> };
  expect(rules).toMatchObject({ 'typescript/dot-notation': 'error', 'typescript/no-explicit-any': 'error' });
});
