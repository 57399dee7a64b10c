// The world of the example: entities that walk, some of them players. Metres; the speed is in metres a tick.

export interface Entity {
  /** 0 to 65,534, given at random: it tells neither how many entities there are, nor which came first. */
  readonly id: number;
  readonly isPlayer: boolean;
  /** Whether its client is in the room that owns it. */
  isServed: boolean;
  x: number;
  y: number;
  z: number;
  vx: number;
  vz: number;
  /** Of its own pseudo-random numbers, so that each process that moves it moves it the same way. */
  seed: number;
}

export interface WorldSize {
  /** Of the square in which entities walk, from 0. */
  readonly edge: number;
  /** Greatest height, 0 or more. */
  readonly height: number;
  /** How far an entity walks in a tick. */
  readonly step: number;
  /** Players are told of entities that come within it ... */
  readonly radius: number;
  /** ... until they are farther than `radius * (1 + hysteresis)`. */
  readonly hysteresis: number;
}

export const WORLD: WorldSize = { edge: 4000, height: 200, step: 0.6, radius: 100, hysteresis: 0.1 };

/** A number from 0 to 1 from the entity's own seed. */
function random(entity: Entity): number {
  entity.seed = (Math.imul(entity.seed, 1_664_525) + 1_013_904_223) >>> 0;
  return entity.seed / 4_294_967_296;
}

/** Turns an entity. Numbers of entities are float32, so that a message between regions loses nothing. */
export function turn(entity: Entity, angle: number, { step }: WorldSize): void {
  entity.vx = Math.fround(step * Math.cos(angle));
  entity.vz = Math.fround(step * Math.sin(angle));
}

/** One tick of an entity. Players walk as they were told, the others turn now and then. */
export function walk(entity: Entity, size: WorldSize): void {
  if (!entity.isPlayer && random(entity) < 0.02) turn(entity, random(entity) * 2 * Math.PI, size);
  for (const axis of ['x', 'z'] as const) {
    entity[axis] = Math.fround(entity[axis] + entity[`v${axis}`]);
    if (entity[axis] >= 0 && entity[axis] < size.edge) continue;
    entity[`v${axis}`] = -entity[`v${axis}`];
    entity[axis] = Math.fround(entity[axis] + entity[`v${axis}`]);
  }
}

/** Entities at random places; the first `players` of them are players. The same for the same seed. */
export function createEntities(count: number, players: number, size: WorldSize, seed = 1): Entity[] {
  const dice = { seed } as Entity;
  const ids = Array.from({ length: 65_535 }, (_, k) => k);
  return Array.from({ length: count }, (_, k) => {
    const other = k + Math.floor(random(dice) * (ids.length - k));
    const id = ids[other];
    ids[other] = ids[k];
    const [x, y, z] = [size.edge, size.height, size.edge].map((edge) => Math.fround(random(dice) * edge * 0.9999));
    const entity = {
      id,
      isPlayer: k < players,
      isServed: false,
      x,
      y,
      z,
      vx: 0,
      vz: 0,
      seed: Math.floor(random(dice) * 2 ** 32),
    };
    turn(entity, random(dice) * 2 * Math.PI, size);
    return entity;
  });
}
