import { beforeAll, afterAll, describe, expect, it, vi } from 'vitest';
import * as batch from '../../examples/src/batch/settings.ts';
import * as bullets from '../../examples/src/bullets/settings.ts';
import * as contacts from '../../examples/src/contacts/settings.ts';
import * as dropIn from '../../examples/src/drop-in/settings.ts';
import { citiesDataSet } from '../../examples/src/fly-through/cities.ts';
import { cityDataSet } from '../../examples/src/fly-through/city.ts';
import * as flyThrough from '../../examples/src/fly-through/settings.ts';
import * as lights from '../../examples/src/lights/settings.ts';
import * as lineOfSight from '../../examples/src/line-of-sight/settings.ts';
import { createPlacesPlan } from '../../examples/src/picking/places-world.ts';
import * as picking from '../../examples/src/picking/settings.ts';
import { townPlan } from '../../examples/src/picking/town.ts';
import * as react from '../../examples/src/react/settings.ts';
import * as sensors from '../../examples/src/sensors/settings.ts';
import { queryOf } from '../../examples/src/shared/kept-settings.ts';
import { QueryReader } from '../../examples/src/shared/query-reader.ts';
import * as streets from '../../examples/src/streets/settings.ts';
import * as tuning from '../../examples/src/tuning/settings.ts';
import * as views from '../../examples/src/views/settings.ts';
import * as yourScene from '../../examples/src/your-scene/settings.ts';

type Read = (query: QueryReader) => object;

const plans = { city: townPlan, cities: createPlacesPlan() };
const dataSets = { cities: citiesDataSet(), city: cityDataSet() };

/** Of each page: how it reads its settings, and addresses that are as short as can be, with all of them. */
const PAGES: Readonly<Record<string, readonly [read: Read, ...queries: string[]]>> = {
  batch: [batch.readSettings, '?count=3000&mode=culled&movers=off&shadows=off&ranges=on&turn=off'],
  bullets: [
    bullets.readSettings,
    '?rate=5000&speed=40&spread=0.5&ticks=10&casts=off&looseness=1.25&pace=0.05&lifespan=off&cells=changing&patrol=off&pause=on',
  ],
  contacts: [contacts.readSettings, '?balls=2000&stirrers=0&friction=0.1&replaced=600&pace=0.5&pause=on'],
  'drop-in': [dropIn.readSettings, '?count=5000&octree=off&both=off&static=on&shadows=off&birds=off&path=off'],
  'fly-through': [
    (query) => flyThrough.readSettings(query, dataSets),
    '?data=city&count=50000&far=2000&looseness=1.5&leaf=200&compare=off&cells=7&outline=fitted&freeze=on&path=off&start=0.5&speed=2&observer=off&whole=on',
    '?cells=all',
    // The default of the count is that of the data set.
    '?data=city',
  ],
  lights: [lights.readSettings, '?cars=0&people=20&updates=off&pause=on'],
  'line-of-sight': [lineOfSight.readSettings, '?watchers=50&people=100&fan=8&range=20&batch=off&pause=on'],
  picking: [
    (query) => picking.readSettings(query, plans),
    '?world=cities&count=20000&hover=off&rectangle=on&inside=on&compare=off&path=off&side=off',
    '?world=cities',
  ],
  react: [react.readSettings, '?count=2500&path=off&octree=on', '?octree=off'],
  sensors: [sensors.readSettings, '?people=1000&walking=100&streets=off&zone=16&patrol=off&pause=on'],
  streets: [streets.readSettings, '?houses=500&mode=frustum&height=sky&walk=off&observer=off'],
  tuning: [tuning.readSettings, '?scene=city&bodies=300&motion=all&culls=0&rays=7&rounds=3'],
  views: [views.readSettings, '?cascades=2&far=300&buildings=1000&pause=on'],
  'your-scene': [yourScene.readSettings, '?octree=off&outline=cell&depth=3&play=on&turn=off'],
};

// A mouse.
beforeAll(() => void vi.stubGlobal('matchMedia', () => ({ matches: false })));
afterAll(() => void vi.unstubAllGlobals());

describe.each(Object.entries(PAGES))('the settings of %s', (_, [read, ...queries]) => {
  it.each(['', ...queries])('are written to the address as they are read from it: "%s"', (query) => {
    const reader = new QueryReader(query, false);
    const settings = read(reader);
    expect(queryOf(settings, read, withNames(read, ''))).toBe(query);
    expect(read(new QueryReader(queryOf(settings, read, withNames(read, '')), false))).toEqual(settings);
  });

  it('are all in one of the addresses', () => {
    const reader = withNames(read, queries[0]);
    const given = new URLSearchParams(queries[0]);
    expect(Object.values(reader.names).filter((name) => !given.has(name))).toEqual([]);
    const start = read(new QueryReader('', false)) as Record<string, unknown>;
    const now = read(reader) as Record<string, unknown>;
    expect(Object.keys(start).filter((name) => now[name] === start[name])).toEqual([]);
  });

  it('keep the count of a slow machine that the user has changed to the usual one', () => {
    const slow = new QueryReader('', false, true);
    const settings = read(slow) as Record<string, unknown>;
    const { smallStart } = slow;
    if (smallStart === null) return;
    const { name, value, start } = smallStart;
    expect(value).toBeLessThan(start);
    const property = Object.keys(slow.names).find((each) => slow.names[each] === name)!;
    expect(queryOf({ ...settings, [property]: start }, read, slow)).toBe(`?${name}=${start}`);
    expect(queryOf(settings, read, slow)).toBe(`?${name}=${value}`);
  });

  it('keep what else the address has, and what another motion is the default of', () => {
    const reader = withNames(read, '?other=7&measure=off');
    expect(queryOf(read(reader), read, reader)).toBe('?other=7&measure=off');
    const still = new QueryReader('', true);
    expect(queryOf(read(still), read, still)).toBe('');
  });
});

/** A reader that has read the settings, as that of a page. */
function withNames(read: Read, query: string): QueryReader {
  const reader = new QueryReader(query, false);
  read(reader);
  return reader;
}
