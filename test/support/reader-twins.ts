/**
 * Contacts, sensors and bands of distance of an octree beside those of the reference. The reference is updated at the
 * moment at which the octree reads the bodies of a tick: before the first callback. The lists are compared after the
 * tick.
 */
import { Box3, Vector3, type Sphere } from 'three';
import type {
  ContactOptions,
  Contacts,
  DistanceBands,
  IndexList,
  Octree,
  Sensor,
  SensorShape,
} from '../../src/index.ts';
import type { ReferenceBody } from '../../src/debug/index.ts';
import type { BruteForce, ReferenceQueryOptions, ReferenceResult } from '../../src/debug/reference/brute-force.ts';
import type {
  ReferenceBands,
  ReferenceContacts,
  ReferencePair,
  ReferenceSensor,
} from '../../src/debug/reference/changes.ts';
import { boxOf, planesOf, point, sphereOf } from './shapes.ts';
import {
  Capsule,
  CustomVolume,
  OrientedBox,
  trackContacts,
  VolumeOverlap,
  watch,
  watchDistances,
  type ThreeMath,
  type VolumeTest,
} from '../../src/index.ts';
import { indicesOf } from './lists.ts';

/**
 * A volume as plain data: a box; a sphere; planes of four numbers; start, end and radius; centre and half sizes of a
 * box whose axes are AXES; or a box by callbacks of the user.
 */
export type PlainVolume =
  | { readonly box: readonly number[] }
  | { readonly sphere: readonly number[] }
  | { readonly planes: readonly (readonly number[])[] }
  | { readonly capsule: readonly number[] }
  | { readonly orientedBox: readonly number[] }
  | { readonly own: readonly number[] };

const AXES = [
  [0.6, 0.8, 0],
  [-0.8, 0.6, 0],
  [0, 0, 1],
];

/** An octree and the reference, with the options of contacts, a sensor or bands on each side. */
export interface TwinSides {
  readonly octree: Octree<number>;
  readonly bruteForce: BruteForce;
  readonly options: ContactOptions<number>;
  readonly referenceOptions: ReferenceQueryOptions;
  /** Call it in every callback. */
  readonly onCallback: () => void;
}

export interface ReaderTwin {
  /** Updates the reference. `serialOf` has the serial of each living body; it is kept, and must not change. */
  update(serialOf: ReadonlyMap<number, number>): void;
  /** After a tick: throws unless both sides have the same lists. */
  expectTick(): void;
  /** Whether the world may be moved by a vector. */
  canTranslate(vector: readonly number[]): boolean;
  /** The world was moved. */
  translate(vector: readonly number[]): void;
  /** The octree was cleared. */
  clear(): void;
  stop(): void;
}

export class ContactTwin implements ReaderTwin {
  readonly #contacts: Contacts<number>;
  readonly #reference: ReferenceContacts;
  #serials = new SerialsInUse();

  constructor(
    { octree, bruteForce, options, referenceOptions }: TwinSides,
    {
      within = 0,
      hysteresis = 0,
      otherMask,
    }: { readonly within?: number; readonly hysteresis?: number; readonly otherMask?: number | undefined } = {},
  ) {
    const limits = { within, hysteresis, ...(otherMask === undefined ? {} : { otherMask }) };
    this.#contacts = trackContacts(octree, { ...options, ...limits });
    this.#reference = bruteForce.trackContacts({ ...referenceOptions, ...limits });
  }

  update(serialOf: ReadonlyMap<number, number>): void {
    this.#serials.update(serialOf);
    this.#reference.update();
  }

  expectTick(): void {
    this.#expectLists();
    const { began, ended } = this.#contacts;
    if (began.length + ended.length === 0) return;
    for (const index of [...indicesOf(began), ...indicesOf(ended)])
      this.#serials.expectBody(this.#contacts.bodyAt(index), index);
  }

  #expectLists(): void {
    const { began, stayed, ended, count } = this.#contacts;
    expectList('contacts.began', began, this.#reference.began);
    expectList('contacts.stayed', stayed, this.#reference.stayed);
    expectList('contacts.ended', ended, this.#reference.ended);
    if (2 * count !== began.length + stayed.length)
      throw new Error(`contacts.count is ${count}, but the lists hold ${began.length + stayed.length} indices`);
  }

  canTranslate(): boolean {
    return true;
  }

  /** The reference compares bodies, which have moved. */
  translate(): void {}

  clear(): void {
    this.#reference.clear();
    this.#serials.clear();
  }

  stop(): void {
    this.#contacts.stop();
    this.#reference.clear();
    this.#expectLists();
  }
}

export class SensorTwin implements ReaderTwin {
  readonly #sensor: Sensor<number>;
  readonly #reference: ReferenceSensor;
  #volume: PlainVolume;
  #serials = new SerialsInUse();
  /** The callbacks of this tick: `+serial` for one that enters, `-serial` for one that leaves. */
  #calls: string[] = [];

  constructor(volume: PlainVolume, { octree, bruteForce, options, referenceOptions, onCallback }: TwinSides) {
    const note =
      (sign: string) =>
      (body: { readonly data: number }, sensor: Sensor<number>): void => {
        onCallback();
        if (sensor !== this.#sensor) throw new Error('a callback got another sensor');
        this.#calls.push(sign + body.data);
      };
    this.#volume = volume;
    this.#sensor = watch(octree, volumeOf(volume), { ...options, onEnter: note('+'), onLeave: note('-') });
    let bodies: readonly ReferenceBody[] | null = null;
    let queried: PlainVolume | null = null;
    let results: readonly ReferenceResult[] = [];
    this.#reference = bruteForce.watch(() => {
      if (bruteForce.bodies() === bodies && this.#volume === queried) return results;
      bodies = bruteForce.bodies();
      queried = this.#volume;
      return (results = queryVolume(bruteForce, queried, referenceOptions));
    });
  }

  /** Moves the volume on both sides. */
  moveTo(volume: PlainVolume): void {
    this.#sensor.moveTo(volumeOf(volume));
    this.#volume = volume;
  }

  canTranslate(vector: readonly number[]): boolean {
    const [[kind, numbers]] = Object.entries(translatedVolume(this.#volume, vector)) as [string, readonly number[]][];
    return (
      kind === 'planes' ||
      kind === 'own' ||
      numbers.slice(0, 3 * POINTS[kind]).every((value) => Math.abs(value) <= 2 ** 51)
    );
  }

  /** The volume moves along; one of the user is moved by the user. */
  translate(vector: readonly number[]): void {
    this.#volume = translatedVolume(this.#volume, vector);
    if ('own' in this.#volume) this.#sensor.moveTo(volumeOf(this.#volume));
  }

  update(serialOf: ReadonlyMap<number, number>): void {
    this.#serials.update(serialOf);
    this.#reference.update();
  }

  expectTick(): void {
    this.#expectLists();
    const { entered, left } = this.#reference;
    if (entered.length + left.length + this.#calls.length === 0) return;
    const serial = (index: number): number => this.#serials.of(index);
    const expected = [...left.map((index) => `-${serial(index)}`), ...entered.map((index) => `+${serial(index)}`)].join(
      ' ',
    );
    if (this.#calls.join(' ') !== expected)
      throw new Error(`callbacks of a sensor are [${this.#calls.join(' ')}], expected [${expected}]`);
    this.#calls = [];
    for (const index of [...entered, ...left]) this.#serials.expectBody(this.#sensor.bodyAt(index), index);
  }

  clear(): void {
    this.#reference.clear();
    this.#serials.clear();
    this.#expectLists();
  }

  stop(): void {
    this.#sensor.stop();
    this.#reference.clear();
    this.#expectLists();
  }

  #expectLists(): void {
    const { entered, left, inside } = this.#sensor;
    expectIndexList('sensor.entered', entered, this.#reference.entered);
    expectIndexList('sensor.left', left, this.#reference.left);
    expectIndexList('sensor.inside', inside, this.#reference.inside);
  }
}

export class BandTwin implements ReaderTwin {
  readonly #bands: DistanceBands<number>;
  readonly #reference: ReferenceBands;
  #center: readonly number[];
  /** The callbacks of this tick: `serial:before>now`. */
  #calls: string[] = [];
  #serials = new SerialsInUse();

  constructor(
    center: readonly number[],
    distances: readonly number[],
    hysteresis: number,
    { octree, bruteForce, options, referenceOptions, onCallback }: TwinSides,
  ) {
    this.#center = center;
    this.#bands = watchDistances(octree, point(center), distances, {
      ...options,
      hysteresis,
      onChange: ({ data }, from, to) => {
        onCallback();
        this.#calls.push(`${data}:${from}>${to}`);
      },
    });
    let bodies: readonly ReferenceBody[] | null = null;
    let queried: readonly number[] = [];
    const results = new Map<number, readonly ReferenceResult[]>();
    this.#reference = bruteForce.watchDistances(distances, hysteresis, (distance) => {
      if (bruteForce.bodies() !== bodies || queried !== this.#center) results.clear();
      bodies = bruteForce.bodies();
      queried = this.#center;
      const found = results.get(distance) ?? bruteForce.sphere(queried, distance, referenceOptions);
      results.set(distance, found);
      return found;
    });
  }

  moveTo(center: readonly number[]): void {
    this.#bands.moveTo(point(center));
    this.#center = center;
  }

  canTranslate(vector: readonly number[]): boolean {
    return this.#center.every((value, axis) => Math.abs(value + vector[axis]) <= 2 ** 51);
  }

  translate(vector: readonly number[]): void {
    this.#center = this.#center.map((value, axis) => value + vector[axis]);
  }

  update(serialOf: ReadonlyMap<number, number>): void {
    this.#serials.update(serialOf);
    this.#reference.update();
  }

  expectTick(): void {
    this.#expectLists();
    const expected = this.#reference.changed
      .map(([index, before, now]) => `${this.#serials.of(index)}:${before}>${now}`)
      .join(' ');
    if (this.#calls.join(' ') !== expected)
      throw new Error(`callbacks of bands are [${this.#calls.join(' ')}], expected [${expected}]`);
    const inside = new Set(this.#reference.inside);
    for (const [index, , now] of this.#reference.changed)
      if (inside.has(index) && this.#bands.bandOf(index) !== now)
        throw new Error(`body ${index} is in band ${this.#bands.bandOf(index)}, expected ${now}`);
    this.#calls = [];
  }

  clear(): void {
    this.#reference.clear();
    this.#serials.clear();
    this.#expectLists();
  }

  stop(): void {
    this.#bands.stop();
    this.#reference.clear();
    this.#expectLists();
  }

  #expectLists(): void {
    expectIndexList('bands.changed', this.#bands.changed, this.#reference.changed.flat());
    expectIndexList('bands.inside', this.#bands.inside, this.#reference.inside);
  }
}

/** Serials of the bodies that were alive in this update or in the one before. */
class SerialsInUse {
  #now: ReadonlyMap<number, number> = new Map<number, number>();
  #before: ReadonlyMap<number, number> = new Map<number, number>();

  update(serialOf: ReadonlyMap<number, number>): void {
    this.#before = this.#now;
    this.#now = serialOf;
  }

  of(index: number): number {
    return this.#before.get(index) ?? this.#now.get(index)!;
  }

  expectBody({ data }: { readonly data: number }, index: number): void {
    if (data !== this.of(index)) throw new Error(`body ${index} has serial ${data}, expected ${this.of(index)}`);
  }

  clear(): void {
    this.#now = new Map();
  }
}

function volumeOf(volume: PlainVolume): SensorShape {
  if ('box' in volume) return boxOf(volume.box);
  if ('sphere' in volume) return sphereOf(volume.sphere);
  if ('planes' in volume) return planesOf(volume.planes);
  if ('own' in volume)
    return new CustomVolume(
      new OwnBox(new Box3(new Vector3(...volume.own.slice(0, 3)), new Vector3(...volume.own.slice(3)))),
    );
  if ('capsule' in volume) {
    const { capsule } = volume;
    return new Capsule({ start: point(capsule), end: point(capsule.slice(3)), radius: capsule[6] });
  }
  const { orientedBox } = volume;
  return new OrientedBox({
    center: point(orientedBox),
    halfSize: point(orientedBox.slice(3)),
    rotation: { elements: AXES.flat() },
  });
}

/** A box, by callbacks as a user may write them. */
class OwnBox implements VolumeTest<ThreeMath> {
  readonly #box: Box3;

  constructor(box: Box3) {
    this.#box = box;
  }

  overlap(box: Box3): VolumeOverlap {
    if (!this.#box.intersectsBox(box)) return VolumeOverlap.Outside;
    return this.#box.containsBox(box) ? VolumeOverlap.Contained : VolumeOverlap.Intersecting;
  }

  touchesBox(box: Box3): boolean {
    return this.#box.intersectsBox(box);
  }

  touchesSphere(sphere: Sphere): boolean {
    return sphere.intersectsBox(this.#box);
  }
}

/** Number of points at the beginning of the numbers of a volume. */
const POINTS: Record<string, number> = { box: 2, own: 2, sphere: 1, capsule: 2, orientedBox: 1 };

function translatedVolume(volume: PlainVolume, [x, y, z]: readonly number[]): PlainVolume {
  if ('planes' in volume)
    return { planes: volume.planes.map(([a, b, c, constant]) => [a, b, c, constant - (a * x + b * y + c * z)]) };
  const [[kind, numbers]] = Object.entries(volume);
  const moved: unknown = {
    [kind]: numbers.map((value, k) => (k < 3 * POINTS[kind] ? value + [x, y, z][k % 3] : value)),
  };
  return moved as PlainVolume;
}

function queryVolume(bruteForce: BruteForce, volume: PlainVolume, options: ReferenceQueryOptions): ReferenceResult[] {
  if ('box' in volume) return bruteForce.box(volume.box, options);
  if ('own' in volume) return bruteForce.box(volume.own, options);
  if ('sphere' in volume) return bruteForce.sphere(volume.sphere, volume.sphere[3], options);
  if ('planes' in volume) return bruteForce.frustum(volume.planes, options);
  if ('capsule' in volume) {
    const { capsule } = volume;
    return bruteForce.capsule(capsule.slice(0, 3), capsule.slice(3, 6), capsule[6], options);
  }
  const { orientedBox } = volume;
  return bruteForce.orientedBox(
    { center: orientedBox.slice(0, 3), halfSize: orientedBox.slice(3), axes: AXES },
    options,
  );
}

function expectList(name: string, list: IndexList, expected: readonly ReferencePair[]): void {
  const { array, length } = list;
  if (
    length === 2 * expected.length &&
    expected.every(([index, other], i) => array[2 * i] === index && array[2 * i + 1] === other)
  )
    return;
  throw new Error(`${name} is [${indicesOf(list).join(' ')}], expected [${expected.flat().join(' ')}]`);
}

function expectIndexList(name: string, list: IndexList, expected: readonly number[]): void {
  const { array, length } = list;
  if (length === expected.length && expected.every((index, k) => array[k] === index)) return;
  throw new Error(`${name} is [${indicesOf(list).join(' ')}], expected [${expected.join(' ')}]`);
}
