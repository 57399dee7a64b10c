// Every argument of `OctreeInstances`, `pick` and `pickWithin`, and every field of it, replaced by every wrong value:
// the call returns, or throws a TypeError or RangeError that names the function, and nothing has changed.

import {
  Box3,
  BoxGeometry,
  Color,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  Raycaster,
  Vector3,
  type Intersection,
} from 'three';
import { inspect } from 'node:util';
import { expect, it, vi } from 'vitest';
import { OctreeGroup, OctreeInstances, pick, pickWithin } from '../../src/three.ts';
import { validate } from '../../src/debug/index.ts';
import { at } from '../support/instance-passes.ts';
import { errorOf } from '../support/rejects.ts';

function detached(): Float32Array {
  const array = new Float32Array(16);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}

/** Values of every kind. Some are valid in some places. */
const WRONG: readonly (() => unknown)[] = [
  ...[undefined, null, true, NaN, Infinity, -Infinity, -1, 0.5, 2 ** 32, 2 ** 60, '', '1', 10n, Symbol('wrong')].map(
    (value) => () => value,
  ),
  () => ({}),
  () => [],
  () => [NaN],
  () => Object.create(null) as object,
  () => new Proxy({}, {}),
  () => Object.freeze({ x: 1 }),
  () => () => 0,
  () => new Date(0),
  () => new Float32Array(3),
  () => new Float32Array(16).fill(NaN),
  detached,
  () => new SharedArrayBuffer(8),
  () => ({ length: -1 }),
  () => ({ length: 1e9 }),
  () => ({
    get length(): number {
      throw new RangeError('a getter');
    },
  }),
];

const material = new MeshBasicMaterial();
const geometry = new BoxGeometry();
const element = (): object => ({ getBoundingClientRect: () => ({ left: 0, top: 0, width: 100, height: 100 }) });
const ray = (): Raycaster => new Raycaster(new Vector3(-9, 0, 0), new Vector3(1, 0, 0));
const camera = (): PerspectiveCamera => {
  const seen = new PerspectiveCamera();
  seen.position.z = 30;
  seen.updateMatrixWorld();
  return seen;
};
const influences = (): Mesh => Object.assign(new Mesh(geometry, material), { morphTargetInfluences: [0.5] });

function create(): OctreeInstances {
  const instances = new OctreeInstances(geometry, material, 4, { minCellSize: 0.5 });
  for (let id = 0; id < 4; id++) instances.setMatrixAt(id, at(5 * id)).setColorAt(id, new Color(id));
  instances.setVisibleAt(1, false).deleteInstance(2).addLevel(new BoxGeometry(), 100, 0.1);
  instances.setMorphAt(0, influences());
  instances.updateMatrixWorld();
  return instances;
}

/** A call with valid arguments, made anew for each attempt. */
interface Call {
  /** What the message begins with. */
  readonly where: string;
  readonly values: () => unknown[];
  readonly call: (instances: OctreeInstances, ...values: never[]) => unknown;
}

function method(name: keyof OctreeInstances, values: () => unknown[]): [string, Call] {
  const where = `OctreeInstances.${name}`;
  const call = (instances: OctreeInstances, ...args: unknown[]): unknown =>
    Reflect.apply(instances[name] as (...args: unknown[]) => unknown, instances, args);
  return [where, { where, values, call }];
}

function setter(name: keyof OctreeInstances, value: unknown): [string, Call] {
  const call = (instances: OctreeInstances, next: unknown): unknown => {
    Object.assign(instances, { [name]: next });
    return undefined;
  };
  return [`OctreeInstances.${name} =`, { where: 'OctreeInstances', values: () => [value], call }];
}

const CALLS = new Map<string, Call>([
  [
    'new OctreeInstances',
    {
      where: 'OctreeInstances',
      values: () => [geometry, material, 3, { bounds: 'box', region: { min: { x: 0, y: 0, z: 0 }, edge: 64 } }],
      call: (_, ...values) => new (OctreeInstances as unknown as new (...args: unknown[]) => unknown)(...values),
    },
  ],
  method('addInstance', () => [at(9)]),
  method('addInstances', () => [new Float32Array([...at(1).elements, ...at(2).elements])]),
  method('deleteInstance', () => [3]),
  method('has', () => [0]),
  method('setMatrixAt', () => [0, at(2)]),
  method('getMatrixAt', () => [0, new Matrix4()]),
  method('setMatricesAt', () => [[0, 3], new Float32Array([...at(1).elements, ...at(2).elements])]),
  method('setColorAt', () => [0, new Color(1, 0, 0)]),
  method('getColorAt', () => [0, new Color()]),
  method('setMorphAt', () => [0, influences()]),
  method('getMorphAt', () => [0, influences()]),
  method('setVisibleAt', () => [0, false]),
  method('getVisibleAt', () => [0]),
  method('bodyOf', () => [0]),
  method('getBoundingBoxAt', () => [0, new Box3()]),
  method('addLevel', () => [geometry, 50, 0.2, material]),
  method('raycastFirst', () => [ray(), () => true]),
  method('raycast', () => [ray(), [] as Intersection[]]),
  setter('count', 1),
  setter('minScreenSize', 0.01),
  setter('boundingBox', null),
  setter('boundingSphere', null),
  setter('morphTexture', null),
  setter('instanceMatrix', null),
  setter('instanceColor', null),
  [
    'pick',
    {
      where: 'pick',
      values: () => [{ clientX: 50, clientY: 50 }, camera(), element(), create(), { includesHidden: true }],
      call: (_, ...values) => Reflect.apply(pick, null, values),
    },
  ],
  [
    'pickWithin',
    {
      where: 'pickWithin',
      values: () => [
        { clientX: 40, clientY: 40 },
        { clientX: 60, clientY: 60 },
        camera(),
        element(),
        create(),
        { inside: true, includesHidden: true },
      ],
      call: (_, ...values) => Reflect.apply(pickWithin, null, values),
    },
  ],
]);

it('has a row for each method and setter with an argument', () => {
  const names = new Set<string>();
  for (let owner = OctreeInstances.prototype as object; ; owner = Object.getPrototypeOf(owner) as object) {
    if (Object.hasOwn(owner, 'applyMatrix4')) break;
    for (const [name, each] of Object.entries(Object.getOwnPropertyDescriptors(owner)))
      if (each.set !== undefined || (typeof each.value === 'function' && (each.value as () => void).length > 0))
        names.add(name);
  }
  const OF_THREE = /^(constructor|children|copy|toJSON|attach|add|remove|traverse|traverseVisible|update\w*)$/;
  const INTERNAL = /^(traversed|visibleIn|raycastChildren|getObjects?ByProperty|sync|syncOrWarn)$/;
  const missing = [...names].filter(
    (name) =>
      !OF_THREE.test(name) &&
      !INTERNAL.test(name) &&
      !CALLS.has(`OctreeInstances.${name}`) &&
      !CALLS.has(`OctreeInstances.${name} =`),
  );
  expect(missing).toEqual([]);
});

/** All that a user sees of a container. */
function stateOf(instances: OctreeInstances): string {
  const { store, instanceCount, capacity, count } = instances;
  const ids = Array.from({ length: store.idEnd }, (_, id) => `${instances.has(id)} ${store.isVisible(id)}`);
  const columns = store.columns.map(({ array }) => array.join());
  return [instanceCount, capacity, count, instances.minScreenSize, instances.levels.count, ...ids, ...columns].join();
}

/** The ways to the fields of a value that a caller sets: of plain objects and arrays, to a depth. */
function pathsIn(value: unknown, depth: number): string[][] {
  if (depth === 0 || typeof value !== 'object' || value === null || 'isBufferGeometry' in value) return [[]];
  if (value instanceof OctreeInstances) return [[]];
  const keys = ['elements', 'min', 'region', 'origin', 'direction', 'ray', 'clientX', 'clientY', 'x', 'y', 'z'];
  keys.push('r', 'g', 'b', 'edge', 'morphTargetInfluences', '0', '15', '17', 'bounds', 'inside', 'includesHidden');
  const below = keys.filter((key) => key in value);
  return [[], ...below.flatMap((key) => pathsIn(Reflect.get(value, key), depth - 1).map((path) => [key, ...path]))];
}

/** Whether an argument is filled by the call. Its fields are no input. */
function isTarget(where: string, place: number): boolean {
  return /\.get(Matrix|Color|BoundingBox)At$/.test(where) && place === 1;
}

function put(values: unknown[], [first, ...path]: readonly string[], wrong: unknown): unknown[] {
  let owner: object = values;
  let key = first;
  for (const next of path) {
    owner = Reflect.get(owner, key) as object;
    key = next;
  }
  Object.defineProperty(owner, key, { value: wrong, configurable: true, enumerable: true, writable: true });
  return values;
}

it.each([...CALLS])('%s with every wrong value in every place', (_, { where, values, call }) => {
  // three says that it does not know a colour.
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const faults: string[] = [];
  let instances = create();
  let before = stateOf(instances);
  // The hits of `raycast` come from three.
  const places = where.endsWith('.raycast') ? 1 : values().length;
  for (let place = 0; place < places; place++)
    for (const path of pathsIn(values()[place], isTarget(where, place) ? 0 : 3).map((below) => [
      String(place),
      ...below,
    ]))
      for (const makeWrong of WRONG) {
        const wrong = makeWrong();
        // A typed array takes no symbol.
        let args: unknown[];
        try {
          args = put(values(), path, wrong);
        } catch {
          continue;
        }
        const error = errorOf(() => call(instances, ...(args as never[])));
        const text = `${path.join('.')} = ${inspect(wrong, { breakLength: Infinity }).slice(0, 40)}: `;
        if (error === undefined) {
          const { octree } = instances;
          if (validate(octree).length > 0) faults.push(`${text}${validate(octree)[0]}`);
          instances = create();
          before = stateOf(instances);
          continue;
        }
        const { message } = error as Error;
        const isOurs =
          (error instanceof TypeError || error instanceof RangeError) &&
          (message.startsWith(where) || (where === 'OctreeInstances' && message.startsWith('Octree: ')));
        if (message !== 'a getter' && (!isOurs || !/: .+; .+/.test(message))) faults.push(text + message);
        if (stateOf(instances) !== before) {
          faults.push(`${text}changed by ${message}`);
          instances = create();
          before = stateOf(instances);
        }
      }
  warn.mockRestore();
  expect(faults.slice(0, 12)).toEqual([]);
});

it('refuses more instances than have memory', () => {
  expect(() => new OctreeInstances(geometry, material, 2 ** 26 + 1)).toThrow(
    'OctreeInstances: count must be an integer from 0 to 67108864, but is 67108865',
  );
});

it('a container that was disposed of works as before, and so does one that is frozen around its arguments', () => {
  const instances = create();
  instances.dispose();
  instances.setMatrixAt(0, Object.freeze(at(3)));
  instances.setColorAt(0, Object.freeze(new Color(1, 0, 0)));
  instances.addInstances(Object.freeze(at(7).elements.slice()));
  expect(instances.raycastFirst(ray())?.instanceId).toBe(0);
  expect(pick({ clientX: 50, clientY: 50 }, camera(), element() as never, new OctreeGroup())).toBeNull();
});
