/**
 * Every public function of the library, by its types: has a row with each of its parameters and fields; and, of all
 * entries but the core, is called with every wrong value in each of them. Those of the core are in
 * invalid-arguments.test.ts.
 */

import { inspect } from 'node:util';
import {
  BoxGeometry,
  Color,
  Group,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  PerspectiveCamera,
  Raycaster,
  Texture,
} from 'three';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as core from '../../src/index.ts';
import { OctreeGroup, OctreeInstances } from '../../src/three.ts';
import { targets } from '../support/public-calls.ts';
import { publicSignatures, type PublicParameter, type PublicSignature } from '../support/public-signatures.ts';
import { errorOf, GAP } from '../support/rejects.ts';
import { ENTRIES, entryCall, WITHOUT_ROW } from '../support/entry-calls.ts';
import { IS_LONG } from '../support/sampled.ts';
import { NO_ROW, threeCall, type ThreeCall } from '../support/three-calls.ts';

const signatures = publicSignatures(['src/core.ts', 'src/three.ts', ...ENTRIES]);
const coreSignatures = signatures.get('src/core.ts')!;
const threeSignatures = signatures.get('src/three.ts')!.filter(({ name }) => !(name in NO_ROW));

/** A function of an entry, and what makes a fresh call of it. */
interface Row extends PublicSignature {
  readonly entry: string;
  readonly create: () => ThreeCall | undefined;
}
const rows: readonly Row[] = [
  ...threeSignatures.map((one) => ({ ...one, entry: 'three', create: () => threeCall(one.name) })),
  ...ENTRIES.flatMap((entry) =>
    signatures
      .get(entry)!
      .filter(({ name }) => !WITHOUT_ROW.some(([pattern]) => pattern.test(name)))
      .map((one) => ({ ...one, entry: entry.split('/')[1], create: () => entryCall(entry, one.name) })),
  ),
].filter(({ parameters }) => parameters.length > 0);

/** A field of a value by its path; of an array of such values, that of the first. */
function fieldOf(value: unknown, path: string): unknown {
  let field = value;
  for (const key of path.split('.')) {
    if (Array.isArray(field) && !(key in field)) field = field[0];
    field = (field as Record<string, unknown> | null | undefined)?.[key];
  }
  return field;
}

/**
 * Fields that are no input: `stats` is written; the others are fields of a renderer, which three's own types cover, and
 * other shapes of an argument, which the tests of the core spoil.
 */
const UNREAD =
  /^stats\.|^(domElement|getViewport|getScissor|getScissorTest|info|getMRT|getRenderObjectFunction|contextNode|highPrecision|localClippingEnabled)\b|^shadowMap\.(transmitted|autoUpdate|needsUpdate)$|^query\.(origin|direction|far)$|^walk$|^octree\.walk$|^filter\.has$/;

/** The parameters and fields of a signature that no row has a value for. */
function missing({ name, parameters }: PublicSignature, rows: readonly (readonly unknown[])[]): string[] {
  const lacksField = ({ fields }: PublicParameter, k: number): string[] =>
    fields.filter((path) => !UNREAD.test(path) && rows.every((row) => fieldOf(row[k], path) === undefined));
  return parameters.flatMap((parameter, k) =>
    rows.every((row) => k >= row.length)
      ? [`${name}: ${parameter.name}`]
      : lacksField(parameter, k).map((path) => `${name}: ${parameter.name}.${path}`),
  );
}

/** Without the octree, which the functions of features take first. */
function withoutOctree({ name, parameters }: PublicSignature): PublicSignature {
  return { name, parameters: parameters[0]?.name === 'octree' ? parameters.slice(1) : parameters };
}

it('every function, parameter and option in the types of scene-octree/core has a row of valid arguments', () => {
  expect(coreSignatures.length).toBeGreaterThan(80);
  const rows = targets();
  const faults = coreSignatures.flatMap((signature) => {
    const { name } = signature;
    const own = rows.filter(({ name: row }) =>
      [row, `Octree.${row}`, `Body.${row}`, `new ${row === 'constructor' ? 'Octree' : row}`].includes(name),
    );
    return own.length === 0
      ? [`${name}: no row`]
      : missing(
          withoutOctree(signature),
          own.map((row) => row.arguments),
        );
  });
  expect(faults).toEqual([]);
});

it('every function with parameters in the types of the other entries has a row, with every parameter and option', () => {
  expect(rows.length).toBeGreaterThan(70);
  const faults = rows.flatMap((signature) => {
    const row = signature.create();
    const found = row === undefined ? [`${signature.name}: no row`] : missing(signature, [row.arguments]);
    return found.map((fault) => `${signature.entry}: ${fault}`);
  });
  expect(faults).toEqual([]);
  const names = [...signatures.values()].flatMap((all) => all.map(({ name }) => name));
  expect(Object.keys(NO_ROW).filter((name) => !names.includes(name))).toEqual([]);
  expect(WITHOUT_ROW.filter(([pattern]) => !names.some((name) => pattern.test(name)))).toEqual([]);
});

const octrees: readonly unknown[] = [
  null,
  undefined,
  1,
  '',
  {},
  [],
  new Proxy({}, {}),
  Object.create(core.Octree.prototype),
];

it.each(coreSignatures.filter(({ parameters }) => parameters[0]?.name === 'octree').map(({ name }) => name))(
  '%s refuses what is no octree, and says so',
  (name) => {
    const row = targets().find((one) => one.name === name)!;
    for (const octree of octrees) {
      const call = Object.entries(core).find(([key]) => key === name)![1] as (...given: unknown[]) => unknown;
      expect(String(errorOf(() => call(octree, ...row.arguments)))).toMatch(
        new RegExp(`^TypeError: ${name}: octree .+; .+`),
      );
    }
  },
);

/** Wrong nearly everywhere. A caller of JavaScript passes them by mistake, or because it has read them from a file. */
const VALUES: readonly (readonly [name: string, create: () => unknown])[] = [
  ['null', () => null],
  ['true', () => true],
  ['NaN', () => NaN],
  ['Infinity', () => Infinity],
  ['-1', () => -1],
  ['0.5', () => 0.5],
  ['2 ** 40', () => 2 ** 40],
  ["'3'", () => '3'],
  ['10n', () => 10n],
  ['a symbol', () => Symbol('hostile')],
  ['{}', () => ({})],
  ['[]', () => []],
  ['[NaN]', () => [NaN]],
  ['frozen {}', () => Object.freeze({})],
  ['null prototype', () => Object.create(null)],
  ['a proxy', () => new Proxy({}, {})],
  ['a date', () => new Date(0)],
  ['length -1', () => ({ length: -1 })],
  ['length 1e9', () => ({ length: 1e9 })],
  ['a getter', () => Object.defineProperty({}, 'length', { get: () => throwOfGetter() })],
  ['a function', () => () => undefined],
  ['a promise', () => Promise.resolve(1)],
  ['__proto__ in JSON', () => JSON.parse('{ "__proto__": { "isObject3D": true, "isMesh": true } }')],
  ['a transferred array', () => transferred()],
  ['a shared array', () => new Float32Array(new SharedArrayBuffer(64))],
  ['a mesh of nothing', () => Object.assign(new Mesh(), { geometry: null, material: null })],
  ['a camera', () => new PerspectiveCamera()],
  ['a colour', () => new Color()],
  ['a geometry', () => new BoxGeometry()],
  ['a texture', () => new Texture()],
  ['a raycaster', () => new Raycaster()],
  ['a group', () => new Group()],
  ['an empty OctreeGroup', () => new OctreeGroup()],
  ['disposed instances', () => disposed()],
  ['an impostor', () => Object.assign(new Object3D(), { isMesh: true, isOctreeGroup: true, isCamera: true })],
];

/** What a getter of the user throws goes on to the user. */
const OF_GETTER = new Error('of a getter');

function throwOfGetter(): never {
  throw OF_GETTER;
}

function transferred(): Float32Array {
  const array = new Float32Array(16);
  structuredClone(array, { transfer: [array.buffer] });
  return array;
}

function disposed(): OctreeInstances {
  const instances = new OctreeInstances(new BoxGeometry(), new MeshBasicMaterial(), 2);
  instances.dispose();
  return instances;
}

/** Known errors of the engine or of three, by signature and place, with the reason. */
const KNOWN_ERRORS: Readonly<Record<string, string>> = {
  'OcclusionCulling.setOccluder target': 'a mesh without a geometry, for which three throws in the same place',
  'pick element.getBoundingClientRect': 'a function of the browser that returns nothing',
  'OctreeTiles.pick element.getBoundingClientRect': 'a function of the browser that returns nothing',
  'pickWithin element.getBoundingClientRect': 'a function of the browser that returns nothing',
  'pick options.renderer.domElement.getBoundingClientRect': 'a function of the browser that returns nothing',
  'OctreeTiles.pick options.renderer.domElement.getBoundingClientRect':
    'a function of the browser that returns nothing',
  'pickWithin options.renderer.domElement.getBoundingClientRect': 'a function of the browser that returns nothing',
  'pick options.renderer.clippingPlanes': 'a field of the renderer, with which three cannot draw either',
  'OctreeTiles.pick options.renderer.clippingPlanes': 'a field of the renderer, with which three cannot draw either',
  'pickWithin options.renderer.clippingPlanes': 'a field of the renderer, with which three cannot draw either',
  'pickWithin camera': 'an object that says of itself that it is a camera, but has no matrices',
  'explain view': 'an object that says of itself that it is a camera, but has no matrices',
  'statisticsOf view': 'an object that says of itself that it is a camera, but has no matrices',
  'ViewChanges.changedIn camera': 'an object that says of itself that it is a camera, but has no matrices',
};

const occurred = new Set<string>();

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => undefined));
afterEach(() => vi.restoreAllMocks());

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Instead of an error: an array takes no such value. */
const SKIPPED = new Error('skipped');

/** Places that a call fills, and a container of which it explains: their fields are no input. */
const FILLED =
  /^(OctreeInstances\.get(Matrix|Color|Morph|BoundingBox)At|boundsOf) \w+\.|^(OctreeTiles\.)?pick options\.raycaster\.|^explain object\./;

/**
 * Fields of vectors, matrices, colours, arrays, rays and meshes that a call may read. Of plain objects it may read all.
 */
const FIELDS = ['elements', 'min', 'origin', 'direction', 'ray', 'x', 'r', 'morphTargetInfluences', '0', '15'];

/** The ways to a value and to its fields, to a depth. */
function pathsIn(value: unknown, depth = 3): string[][] {
  if (depth === 0 || typeof value !== 'object' || value === null) return [[]];
  const keys = isPlain(value) ? Object.keys(value) : FIELDS.filter((key) => key in value);
  return [[], ...keys.flatMap((key) => pathsIn(Reflect.get(value, key), depth - 1).map((path) => [key, ...path]))];
}

/** Calls with another value at a path of the arguments, and puts the one before back. Returns what is thrown. */
async function errorWith(
  { arguments: values, call }: ThreeCall,
  [place, ...path]: readonly string[],
  by: unknown,
): Promise<Error | undefined> {
  const given = [...values];
  let owner: object = given;
  let key = place;
  for (const next of path) {
    owner = Reflect.get(owner, key) as object;
    key = next;
  }
  const before = Object.getOwnPropertyDescriptor(owner, key);
  try {
    Object.defineProperty(owner, key, { value: by, configurable: true, enumerable: true, writable: true });
  } catch {
    return SKIPPED;
  }
  try {
    await call(...(given as never[]));
    return undefined;
  } catch (error) {
    return error as Error;
  } finally {
    if (before === undefined) Reflect.deleteProperty(owner, key);
    else Object.defineProperty(owner, key, before);
  }
}

it.each(rows)(
  '$entry: $name with every wrong value returns, or says what is wrong and changes nothing',
  async ({ name, parameters, create }) => {
    const where = name.replace(/^new |=$/g, '');
    const sentence = new RegExp(
      `^(TypeError|RangeError|Error|SavedBodiesError): (${where.replace('.', '\\.')}|[\\w.]+): .+[;,.] .+`,
      's',
    );
    const faults: string[] = [];
    let row = create()!;
    const before = row.state();
    const paths = row.arguments.flatMap((value, k) => pathsIn(value).map((path) => [`${k}`, ...path]));
    for (const [place, path] of paths.entries()) {
      const shown = [parameters[Number(path[0])].name, ...path.slice(1)].join('.');
      if (FILLED.test(`${where} ${shown}`)) continue;
      // In `npm test` each field of an argument has a third of the values, fields beside each other different ones.
      const isWhole = IS_LONG || path.length === 1 || `${name} ${shown}` in KNOWN_ERRORS;
      for (const [label, createValue] of isWhole ? VALUES : VALUES.filter((_, k) => (k + place) % 3 === 0)) {
        const thrown = await errorWith(row, path, createValue());
        if (thrown === SKIPPED) continue;
        if (thrown === undefined) {
          faults.push(...row.faults().map((fault) => `${shown} = ${label}: ${fault}`));
          row = create()!;
        } else if ((!sentence.test(String(thrown)) || GAP.test(String(thrown))) && thrown !== OF_GETTER) {
          if (`${name} ${shown}` in KNOWN_ERRORS) occurred.add(`${name} ${shown}`);
          else faults.push(`${shown} = ${label}: ${inspect(thrown).split('\n')[0]}`);
        }
      }
      if (row.state() === before) continue;
      faults.push(`${shown}: the world has changed`);
      row = create()!;
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as { isMesh?: true }).isMesh).toBe(undefined);
    expect(faults).toEqual([]);
  },
);

it('each known error still occurs', () => {
  expect(Object.keys(KNOWN_ERRORS).filter((place) => !occurred.has(place))).toEqual([]);
});
