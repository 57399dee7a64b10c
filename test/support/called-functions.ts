/**
 * Which public functions of scene-octree a run calls, by the counts of V8. For built JavaScript only: the text of a
 * function is looked for in the script that ran.
 */
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import * as library from '../../src/index.ts';
import { Octree, trackContacts, watch, watchDistances } from '../../src/index.ts';

/** Functions that no history of an octree calls, each with the reason. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  collectVisible: 'test/histories/occlusion-history.test.ts',
  intersectVisible: 'test/histories/occlusion-history.test.ts',
  setOccluder: 'test/histories/occlusion-history.test.ts',
  solidBoxes: 'test/occlusion/solid-boxes/random-meshes.test.ts',
  SolidBoxQueue: 'test/occlusion/solid-boxes/random-meshes.test.ts',
};

/** By name: every function of the entry point, and every method and accessor of its classes and of what it returns. */
function publicFunctions(): Map<string, string> {
  const functions = new Map<string, string>();
  const addMethods = (name: string, prototype: object): void => {
    for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
      for (const method of Object.values(property) as unknown[])
        if (key !== 'constructor' && typeof method === 'function') functions.set(`${name}.${key}`, String(method));
  };
  const octree = new Octree<number>();
  const origin = { x: 0, y: 0, z: 0 };
  addMethods('Contacts', Object.getPrototypeOf(trackContacts(octree)) as object);
  addMethods('Sensor', Object.getPrototypeOf(watch(octree, { center: origin, radius: 1 })) as object);
  addMethods('DistanceBands', Object.getPrototypeOf(watchDistances(octree, origin, [1])) as object);
  for (const [name, value] of Object.entries(library) as [string, unknown][]) {
    if (typeof value !== 'function') continue;
    const text = value.toString();
    if (!text.startsWith('class')) functions.set(name, text);
    else
      for (
        let { prototype } = value;
        prototype !== Object.prototype;
        prototype = Object.getPrototypeOf(prototype) as object
      )
        addMethods(name, prototype as object);
  }
  return functions;
}

/**
 * Counts from now on. Returns what throws the names of the public functions that were not called. Whether a function
 * was called, and not how often, is known at no cost.
 */
export function countCalls(): () => void {
  const functions = publicFunctions();
  const session = new Session();
  session.connect();
  // These calls end before they return.
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: false });
  return () => {
    const script = readFileSync(new URL(import.meta.url), 'utf8');
    const called = new Set<string>();
    session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error !== null) throw error;
      for (const { ranges } of result.find(({ url }) => url === import.meta.url)!.functions)
        if (ranges[0].count > 0) called.add(script.slice(ranges[0].startOffset, ranges[0].endOffset));
    });
    session.disconnect();
    const missing = [...functions]
      .filter(([name, text]) => !called.has(text) && !(name.split('.')[0] in ELSEWHERE))
      .map(([name]) => name);
    if (missing.length > 0) throw new Error(`the histories never call ${missing.join(', ')}`);
  };
}
