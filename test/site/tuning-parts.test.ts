import { Frustum, Matrix4, PerspectiveCamera, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { compare, noiseOf } from '../../examples/src/tuning/comparison.ts';
import { MeasuredScene } from '../../examples/src/tuning/measured-scene.ts';
import type { Measurement, Report } from '../../examples/src/tuning/messages.ts';
import { createMotion } from '../../examples/src/tuning/motion.ts';
import {
  DEFAULTS,
  describeSetting,
  OPTIONS,
  type OptionName,
  type Setting,
  toCode,
  TWINS,
  valuesOf,
} from '../../examples/src/tuning/options.ts';
import { readOwnScene } from '../../examples/src/tuning/own-scene.ts';
import { candidateOf, recommend, settingsToConfirm } from '../../examples/src/tuning/recommend.ts';
import { RANGES } from '../../examples/src/tuning/settings.ts';
import { measureSettings } from '../../examples/src/tuning/rounds.ts';
import { createBodies, SCENES } from '../../examples/src/tuning/scenes.ts';
import { TunedOctree } from '../../examples/src/tuning/tuned-octree.ts';
import { frustumOf } from '../../examples/src/tuning/views.ts';
import {
  difference,
  expectedTime,
  plotSummary,
  recommendationText,
  unitWarning,
} from '../../examples/src/tuning/wording.ts';
import { resolveOptions } from '../../src/octree/bodies/options.ts';

const LOAD = { culls: 1, rays: 0 };

describe('the options that are tuned', () => {
  it('have the defaults of the octree, and values that it accepts, the default among them', () => {
    expect(resolveOptions({})).toMatchObject(DEFAULTS);
    for (const option of OPTIONS) {
      for (const extent of [0, 0.5, 3, 40, 1000, 1e6, 1e14]) {
        const values = valuesOf(option, extent);
        expect(values).toContain(DEFAULTS[option]);
        expect([...new Set(values)].sort((a, b) => a - b)).toEqual(values);
        for (const value of values) expect(() => resolveOptions({ [option]: value })).not.toThrow();
      }
    }
    expect(valuesOf('minCellSize', 1000)).toEqual([1, 2, 4, 8, 16, 32, 64]);
    expect(valuesOf('minCellSize', 20)).toEqual([1 / 16, 1 / 4, 1, 4]);
    expect(valuesOf('minCellSize', 2 ** 23).at(-1)).toBe(2 ** 20);
  });

  it('are described in words and as code', () => {
    expect(
      [DEFAULTS, setting({ looseness: 1.5 }), setting({ looseness: 3, leafCapacity: 8, minCellSize: 4 })].map(
        describeSetting,
      ),
    ).toEqual(['the defaults', 'looseness 1.5', 'looseness 3, leafCapacity 8 and minCellSize 4']);
    expect(toCode(DEFAULTS)).toBe('const octree = new Octree();');
    expect(toCode(setting({ looseness: 1.5, minCellSize: 8 }))).toBe(
      'const octree = new Octree({ looseness: 1.5, minCellSize: 8 });',
    );
  });
});

describe('the scenes to measure', () => {
  it.each(SCENES)('%s has exactly the requested bodies, none inverted, the same each time', (name) => {
    const { bounds } = createBodies(name, 301);
    expect(bounds).toHaveLength(301 * 6);
    expect(bounds.every((number, k) => k % 6 < 3 || number > bounds[k - 3])).toBe(true);
    expect(createBodies(name, 301).bounds).toEqual(bounds);
    const { picture, values, moving } = new MeasuredScene(createBodies(name, 301), 'tenth').report();
    expect(moving).toBe(31);
    expect(picture.every((number) => Math.abs(number) <= 0.501)).toBe(true);
    expect(values.looseness).toContain(2);
  });

  it('have cameras with the planes of three', () => {
    const camera = new PerspectiveCamera(60, 16 / 9, 0.01, 100);
    camera.position.set(3, -4, 5);
    const forward = new Vector3(1, 0.5, -2).normalize();
    camera.lookAt(camera.position.clone().add(forward));
    camera.updateMatrixWorld();
    const wanted = new Frustum().setFromProjectionMatrix(
      new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
    );
    const { planes } = frustumOf([3, -4, 5], [forward.x, forward.y, forward.z], 100);
    for (const [k, { normal, constant }] of planes.entries()) {
      expect(wanted.planes[k].normal.distanceTo(new Vector3(normal.x, normal.y, normal.z))).toBeLessThan(1e-6);
      expect(wanted.planes[k].constant).toBeCloseTo(constant, 4);
    }
  });

  it('keep moving bodies inside, and a file of frames from its first to its last and back', () => {
    const scene = new MeasuredScene(createBodies('uniform', 50), 'all');
    const motion = scene.createMotion();
    const centres = new Float64Array(150);
    for (let tick = 0; tick < 2000; tick++) motion.step(centres);
    expect(centres.every((number) => number > -10 && number < 90)).toBe(true);
    const frames = [0, 16, 48].map((x) => Float32Array.of(x, 0, 0));
    const played = createMotion({ kind: 'sphere', bounds: Float64Array.of(0, 0, 0, 1), speed: [0, 0, 0], frames }, 1, {
      min: [0, 0, 0],
      max: [0, 0, 0],
    });
    const seen = Array.from({ length: 64 }, () => {
      const centre = new Float64Array(3);
      played.step(centre);
      return centre[0];
    });
    expect([seen[0], seen[15], seen[31], seen[47], seen[63]]).toEqual([1, 16, 48, 16, 0]);
  });
});

describe('own bodies', () => {
  const bytes = Float32Array.of(99, 1, 2, 3, 0.5, 0.5, 0.5, 10, 20, 30, 1, 2, 3).buffer;

  it('are boxes, spheres, both as boxes, and moving centres, every tenth body first', async () => {
    expect([...(await read(header(), bytes)).bounds]).toEqual([0.5, 1.5, 2.5, 1.5, 2.5, 3.5, 9, 18, 27, 11, 22, 33]);
    expect(await read('1 2 3 4')).toMatchObject({
      kind: 'sphere',
      bounds: Float64Array.of(1, 2, 3, 4),
      speed: [0.8, 0.8, 0.8],
    });
    expect([...(await read('{"boxes": [0, 0, 0, 1, 1, 1], "spheres": [5, 5, 5, 1]}')).bounds]).toEqual([
      0, 0, 0, 1, 1, 1, 4, 4, 4, 6, 6, 6,
    ]);
    const count = 21;
    const spheres = Float32Array.from({ length: count * 4 }, (_, k) => (k % 4 === 3 ? 1 : Math.floor(k / 4)));
    const frames = Float32Array.from(
      { length: count * 6 },
      (_, k) => 100 * Math.floor(k / (count * 3)) + Math.floor((k % (count * 3)) / 3),
    );
    const sections = [
      { name: 'bounds', type: 'f32', byteOffset: 0, byteLength: count * 16 },
      { name: 'frames', type: 'f32', byteOffset: count * 16, byteLength: count * 24 },
    ];
    const bodies = await read(
      header({ kind: 'sphere', count, sections, frames: { count: 2 } }),
      new Float32Array([...spheres, ...frames]).buffer,
    );
    const order = Array.from({ length: count }, (_, k) => bodies.bounds[k * 4]);
    expect(order.slice(0, 5)).toEqual([0, 10, 20, 1, 11]);
    expect([...bodies.frames[1]].filter((_, k) => k % 3 === 0)).toEqual(order.map((body) => body + 100));
  });

  it.each([
    ['not JSON', '{', bytes, 'mine.json is not valid JSON'],
    ['no .bin', header(), undefined, 'needs mine.bin: choose both together'],
    ['another kind', header({ kind: 'mesh' }), bytes, '"kind" must be "box" or "sphere"'],
    ['another count', header({ count: 'two' }), bytes, '"count" must be the number of bodies'],
    ['no bodies', header({ count: 0 }), bytes, 'holds no bodies'],
    ['a missing section', header({ sections: [null] }), bytes, 'without a section "bounds"'],
    ['missing frames', header({ frames: { count: 2 } }), bytes, 'without a section "frames"'],
    ['a short file', header(), bytes.slice(0, 20), 'is truncated: its bounds end at byte 52, but it has 20'],
    ['a NaN', header(), new Float32Array(13).fill(NaN).buffer, 'box 1: NaN is not a finite number'],
    ['a negative size', header(), new Float32Array(13).fill(-1).buffer, 'its minimum is greater than its maximum'],
    ['a far body', '{"spheres": [1e17, 0, 0, 1]}', undefined, 'beyond 2^50'],
  ])('with %s are refused with a sentence', async (_, text, content, sentence) => {
    await expect(read(text, content)).rejects.toThrow(sentence);
  });
});

describe('measureSettings', () => {
  it('measures all settings in the same rounds, with equal results', () => {
    const reports: Report[] = [];
    const settings = [DEFAULTS, DEFAULTS, setting({ looseness: 1 }), setting({ leafCapacity: 64, minCellSize: 8 })];
    measureSettings(
      { kind: 'measure', settings, rounds: 2 },
      new MeasuredScene(createBodies('large', 300), 'tenth'),
      (report) => reports.push(report),
    );
    const shares = reports.flatMap((report) => (report.kind === 'progress' ? [report.share] : []));
    expect(shares.at(-1)).toBeCloseTo(1);
    expect([...shares].sort((a, b) => a - b)).toEqual(shares);
    const last = reports.at(-1)!;
    expect(last).toMatchObject({ kind: 'round', rounds: 2, isLast: true });
    const { measurements } = last as Extract<Report, { kind: 'round' }>;
    for (const { cull, ray, tick, depths, checked, wrong, bytes } of measurements) {
      for (const times of [cull, ray, tick]) expect(times).toHaveLength(2);
      expect(depths.reduce((sum, count) => sum + count)).toBe(300);
      expect(checked).toBeGreaterThan(500);
      expect(wrong).toBe(0);
      expect(bytes).toBeGreaterThan(50);
    }
    expect(measurements[0].nodes).toBe(measurements[1].nodes);
    expect(measurements[3].nodes).toBeLessThan(measurements[0].nodes);
  });

  it('counts results that differ', () => {
    const octree = new TunedOctree(DEFAULTS, new MeasuredScene(createBodies('uniform', 200), 'none'));
    const expected = octree.results();
    octree.check(expected);
    octree.check(expected.map((result, k) => (k < 3 ? result + 1 : result)));
    expect(octree.measurement()).toMatchObject({ checked: expected.length * 2, wrong: 3, tick: [] });
  });
});

describe('compare', () => {
  it('calls a setting better or worse only beyond the noise, and if most rounds agree', () => {
    const measurements = [
      measured({}, 10, 10, 10, 10, 10),
      measured({}, 10, 9.2, 9.2, 9.2, 30),
      ...[
        [9, 9, 9, 9, 9],
        [9.4, 9.4, 9.4, 9.4, 9.4],
        [5, 5, 5, 11, 11],
        [12, 12, 12, 12, 9],
      ].map((times) => measured({ looseness: 3 }, ...times)),
    ];
    const noise = noiseOf([measurements], 'frame', LOAD);
    expect(noise).toBeCloseTo(0.08);
    const comparisons = compare(measurements, 'frame', LOAD, noise);
    expect(comparisons.map(({ verdict }) => verdict)).toEqual(['equal', 'equal', 'better', 'equal', 'equal', 'worse']);
    expect(comparisons[4]).toMatchObject({ ratio: 0.5, low: 0.5, high: 1.1, fasterRounds: 3, rounds: 5 });
  });

  it('takes the noise from all octrees that equal the defaults, also those with a smallest cell that no branch reaches', () => {
    const same = measured({ minCellSize: 4 }, 8);
    const flatter = { ...same, nodes: 0 };
    expect(noiseOf([[measured({}, 10), measured({}, 10)]], 'frame', LOAD)).toBe(0.05);
    expect(
      noiseOf(
        [
          [measured({}, 10), measured({}, 10)],
          [measured({}, 10), same],
        ],
        'frame',
        LOAD,
      ),
    ).toBeCloseTo(0.2);
    expect(noiseOf([[measured({}, 10), flatter, measured({ looseness: 3 }, 5)]], 'frame', LOAD)).toBe(0.05);
    expect(compare([measured({}, 10), same, flatter], 'frame', LOAD, 0.05).map(({ verdict }) => verdict)).toEqual([
      'equal',
      'equal',
      'better',
    ]);
  });

  it('adds up a frame, and has no ticks where nothing moves', () => {
    const one: Measurement = { ...measured({}, 3), ray: [0.5], tick: [7] };
    expect(compare([one, one], 'frame', { culls: 2, rays: 10 }, 0)[0].value).toBe(18);
    expect(compare([measured({}, 3), measured({}, 3)], 'tick', LOAD, 0)[0]).toMatchObject({
      verdict: 'equal',
      rounds: 0,
    });
    expect(compare([measured({}, 0), measured({}, 0)], 'frame', LOAD, 0)[0].ratio).toBe(1);
  });
});

describe('the recommendation', () => {
  it('is to keep the defaults if no value is better, without a second measurement', () => {
    const first = firstRun(9.8, 10);
    expect(candidateOf(first, LOAD)).toEqual(DEFAULTS);
    expect(settingsToConfirm(first, LOAD)).toEqual([]);
    const recommendation = recommend(DEFAULTS, [], LOAD);
    expect(recommendation.setting).toEqual(DEFAULTS);
    expect(recommendationText(recommendation, 0.05, 1)).toEqual({
      verdict: 'Keep the defaults.',
      evidence: 'No value of an option makes a frame shorter by more than the noise of 5 %.',
    });
    expect(recommendationText(recommendation, 0.3, 1).evidence).toContain('close other programs');
  });

  it('takes the value closest to the default of those as fast as the fastest, and measures all combinations again', () => {
    const first = firstRun(8, 9);
    expect(candidateOf(first, LOAD)).toEqual(setting({ looseness: 1.5, leafCapacity: 32 }));
    expect(settingsToConfirm(first, LOAD)).toEqual([
      ...TWINS,
      setting({ looseness: 1.5 }),
      setting({ leafCapacity: 32 }),
      setting({ looseness: 1.5, leafCapacity: 32 }),
    ]);
  });

  it('is the setting with the fewest changes of the fastest ones in the second measurement', () => {
    const candidate = setting({ looseness: 1.5, leafCapacity: 32 });
    expect(recommend(candidate, again(8, 9, 7.4), LOAD).setting).toEqual(setting({ looseness: 1.5 }));
    expect(recommend(candidate, again(8, 9, 7), LOAD).setting).toEqual(candidate);
    expect(recommend(candidate, again(8.3, 8, 7.9), LOAD).setting).toEqual(setting({ looseness: 1.5 }));
    const refuted = recommend(candidate, again(9.7, 9.8, 9.9), LOAD);
    expect(refuted).toMatchObject({ setting: DEFAULTS, frame: null, candidate });
    expect(recommendationText(refuted, 0.05, 1).evidence).toContain(
      'In the first measurement looseness 1.5 and leafCapacity 32 took less time',
    );
    const { verdict, evidence } = recommendationText(recommend(candidate, again(8, 9, 7), LOAD), 0.05, 0.8);
    expect(verdict).toBe('looseness 1.5 and leafCapacity 32: a frame takes 30 % less time.');
    expect(evidence).toContain('1 of 1 rounds were faster');
    expect(evidence).toContain('20 % less memory');
  });
});

describe('the words of the page', () => {
  it('say by how much a ratio differs, and what is best', () => {
    expect([0.876, 1.001, 1.3, 5.12].map((ratio) => difference(ratio))).toEqual([
      '12 % less time',
      'the same time',
      '30 % more time',
      '5.1 times the time',
    ]);
    const comparisons = compare(
      [measured({}, 10), measured({}, 10), measured({ looseness: 1 }, 5)],
      'cull',
      LOAD,
      0.05,
    );
    expect(plotSummary('cull', [1, 2], [comparisons[2], comparisons[0]], 2)).toBe(
      '10.0 ms by default; best 1: 50 % less time',
    );
    expect(plotSummary('cull', [2], [comparisons[0]], 2)).toBe('10.0 ms by default; no value is better');
    expect(plotSummary('cull', [2], [], 2)).toBe('');
  });

  it('warn of a scene that is too small for cells', () => {
    const small = new MeasuredScene(
      { ...createBodies('uniform', 200), bounds: createBodies('uniform', 200).bounds.map((number) => number / 100) },
      'none',
    ).report();
    expect(unitWarning(small)).toMatch(/only 1\.\d units wide.*a smaller minCellSize/);
    expect(unitWarning(new MeasuredScene(createBodies('uniform', 200), 'none').report())).toBe('');
  });
});

const setting = (changes: Partial<Setting>): Setting => ({ ...DEFAULTS, ...changes });

/** A measurement with the times of a cull in each round. */
const measured = (changes: Partial<Setting>, ...cull: number[]): Measurement => ({
  setting: setting(changes),
  cull,
  ray: cull.map(() => 0),
  tick: [],
  bytes: 100,
  nodes: 1,
  depths: [1],
  checked: 1,
  wrong: 0,
});

/**
 * A first measurement: looseness 1.25 and leafCapacity 32 take these times, looseness 1.5 a little more, the
 * defaults 10.
 */
const firstRun = (looseness: number, capacity: number) =>
  new Map<OptionName, Measurement[]>([
    [
      'looseness',
      [
        measured({}, 10),
        measured({}, 10),
        measured({ looseness: 1.25 }, looseness),
        measured({ looseness: 1.5 }, looseness * 1.08),
      ],
    ],
    ['leafCapacity', [measured({}, 10), measured({}, 10), measured({ leafCapacity: 32 }, capacity)]],
  ]);

/** A second measurement of looseness 1.5, leafCapacity 32, and both. */
const again = (a: number, b: number, both: number) => [
  measured({}, 10),
  measured({}, 10),
  measured({ looseness: 1.5 }, a),
  measured({ leafCapacity: 32 }, b),
  measured({ looseness: 1.5, leafCapacity: 32 }, both),
];

/** A header of two boxes that begin after four bytes. */
const header = (fields: object = {}) =>
  JSON.stringify({
    kind: 'box',
    count: 2,
    sections: [{ name: 'bounds', type: 'f32', byteOffset: 4, byteLength: 48 }],
    ...fields,
  });

const read = (text: string, binary?: ArrayBuffer) =>
  readOwnScene({
    text: new File([text], 'mine.json'),
    binary: binary === undefined ? null : new File([binary], 'mine.bin'),
  });

describe('the expected time', () => {
  it('grows with rounds and moving bodies; few rounds of the default scene take ten seconds', () => {
    const report = { bodies: 20_000, moving: 2000 } as Extract<Report, { kind: 'scene' }>;
    const rounds = RANGES.rounds.start;
    expect(rounds).toBe(15);
    expect(expectedTime(report, rounds)).toContain('about 10 s');
    expect(expectedTime(report, 75)).toContain('about 35 s');
    expect(expectedTime({ ...report, moving: 20_000 }, rounds)).toContain('about 25 s');
  });
});
