// The rules between regions, without engine, network or clock: which entities a region owns, which of its neighbours'
// entities it knows as ghosts, whom it hands over, and what it has after a crash.
//
// Step: tick T needs the messages of tick T - 1 of all living neighbours. A message goes out in each tick, also if it
// is empty. Each entity has one owner in each tick: a region that moves it across the border in tick T hands it over in
// its message of T, and the new owner moves it from T + 1 on.

import type { Entity } from './world.ts';

/** Regions in a grid, row by row. */
export interface Layout {
  readonly columns: number;
  readonly rows: number;
  /** Of the world. */
  readonly edge: number;
}

export interface BorderMessage {
  readonly from: number;
  readonly tick: number;
  /** Entities that the receiver owns from the next tick on. */
  readonly handedOver: readonly Entity[];
  /** The entities of the sender near the receiver, all of them in each message. */
  readonly ghosts: readonly Entity[];
}

export function regionAt({ columns, rows, edge }: Layout, x: number, z: number): number {
  const column = Math.min(columns - 1, Math.max(0, Math.floor((x / edge) * columns)));
  const row = Math.min(rows - 1, Math.max(0, Math.floor((z / edge) * rows)));
  return row * columns + column;
}

/** How far a place is from the rectangle of a region; 0 within it. */
export function distanceToRegion({ columns, rows, edge }: Layout, region: number, x: number, z: number): number {
  const [width, depth] = [edge / columns, edge / rows];
  const [minX, minZ] = [(region % columns) * width, Math.floor(region / columns) * depth];
  return Math.hypot(Math.max(minX - x, 0, x - minX - width), Math.max(minZ - z, 0, z - minZ - depth));
}

/** Regions that touch a region, also at a corner. An entity must not walk farther than a region in a tick. */
export function neighboursOf({ columns, rows }: Layout, region: number): number[] {
  const [column, row] = [region % columns, Math.floor(region / columns)];
  const all = Array.from({ length: columns * rows }, (_, k) => k);
  return all.filter(
    (k) => k !== region && Math.abs((k % columns) - column) <= 1 && Math.abs(Math.floor(k / columns) - row) <= 1,
  );
}

/** What a region knows of a neighbour. */
interface Neighbour {
  isAlive: boolean;
  /** The first tick of which the region waits for its message. */
  aliveSince: number;
  /** Messages that came and were not applied yet, by tick. */
  readonly inbox: Map<number, BorderMessage>;
  /** The latest tick of a message that was applied. */
  applied: number;
  ghosts: readonly Entity[];
}

export class RegionState {
  tick: number;
  readonly owned = new Map<number, Entity>();
  readonly neighbours = new Map<number, Neighbour>();
  /** Entities that were handed over, until their new owner's own word has come: tick, region, last place. */
  private readonly given = new Map<number, { readonly tick: number; readonly to: number; readonly entity: Entity }>();
  private readonly layout: Layout;
  private readonly margin: number;
  readonly region: number;

  /**
   * @param margin Up to which distance from a neighbour entities are its ghosts. At least the radius of interest with
   *   its hysteresis, two steps, and how far a client may be beyond the border before its seat in the next room is
   *   taken.
   * @param tick The tick that counts as done: 0, or after a restart the latest tick of a message of a neighbour.
   */
  constructor(layout: Layout, region: number, margin: number, entities: Iterable<Entity>, tick = 0) {
    this.layout = layout;
    this.region = region;
    this.margin = margin;
    this.tick = tick;
    for (const entity of entities) this.owned.set(entity.id, { ...entity });
    for (const neighbour of neighboursOf(layout, region))
      this.neighbours.set(neighbour, {
        isAlive: true,
        aliveSince: tick,
        inbox: new Map(),
        applied: tick - 1,
        ghosts: [],
      });
  }

  /** The message of this tick for each neighbour, dead ones included. Send those of the first tick before any step. */
  messages(): Map<number, BorderMessage> {
    const messages = new Map<number, BorderMessage>();
    const leaving = [...this.given.values()].filter(({ tick }) => tick === this.tick);
    for (const neighbour of this.neighbours.keys()) {
      const isNear = ({ x, z }: Entity): boolean => distanceToRegion(this.layout, neighbour, x, z) <= this.margin;
      const handedOver = leaving.filter(({ to }) => to === neighbour).map(({ entity }) => entity);
      const others = leaving.filter(({ to }) => to !== neighbour).map(({ entity }) => entity);
      const ghosts = [...this.owned.values(), ...others].filter(isNear);
      messages.set(neighbour, { from: this.region, tick: this.tick, handedOver, ghosts });
    }
    return messages;
  }

  /** Takes a message in. It may come late, in any order, and more than once. */
  receive(message: BorderMessage): void {
    const neighbour = this.neighbours.get(message.from);
    if (neighbour === undefined || message.tick <= neighbour.applied || neighbour.inbox.has(message.tick)) return;
    neighbour.inbox.set(message.tick, message);
    // A late message of a dead region brings what it has handed over. Only one of now shows that it lives again.
    if (neighbour.isAlive || message.tick < this.tick - 1) return;
    neighbour.isAlive = true;
    neighbour.aliveSince = message.tick;
  }

  /** The living neighbours of which the message that the next tick needs has not come. */
  missing(): number[] {
    const { tick } = this;
    return [...this.neighbours]
      .filter(
        ([, { isAlive, aliveSince, applied, inbox }]) =>
          isAlive && tick >= aliveSince && applied < tick && !inbox.has(tick),
      )
      .map(([region]) => region);
  }

  /** A neighbour has been silent for too long: its ghosts go, and nothing is handed to it until it speaks again. */
  lose(region: number): void {
    const neighbour = this.neighbours.get(region)!;
    neighbour.isAlive = false;
    neighbour.ghosts = [];
  }

  /**
   * One tick: applies the messages of the last one, moves the own entities, and hands over those that have crossed.
   * Call it if nothing is `missing`, then send `messages`. Returns what was handed over.
   */
  step(move: (entity: Entity) => void): { readonly entity: Entity; readonly to: number }[] {
    this.tick++;
    for (const [region, neighbour] of this.neighbours) this.apply(region, neighbour);
    const handedOver: { entity: Entity; to: number }[] = [];
    for (const entity of this.owned.values()) {
      move(entity);
      const to = regionAt(this.layout, entity.x, entity.z);
      if (to !== this.region && this.neighbours.get(to)?.isAlive === true) handedOver.push({ entity, to });
    }
    for (const { entity, to } of handedOver) {
      this.owned.delete(entity.id);
      this.given.set(entity.id, { tick: this.tick, to, entity });
    }
    return handedOver;
  }

  private apply(region: number, neighbour: Neighbour): void {
    const { inbox } = neighbour;
    const due = [...inbox.keys()].filter((tick) => tick < this.tick).sort((a, b) => a - b);
    for (const tick of due) {
      const { handedOver, ghosts } = inbox.get(tick)!;
      inbox.delete(tick);
      neighbour.applied = tick;
      neighbour.ghosts = neighbour.isAlive ? ghosts : [];
      for (const entity of handedOver) {
        this.owned.set(entity.id, { ...entity });
        this.given.delete(entity.id);
      }
      for (const [id, given] of this.given) if (given.to === region && tick > given.tick) this.given.delete(id);
    }
  }

  /** Whether the region moved an entity in this tick. */
  owns(id: number): boolean {
    return this.owned.has(id) || this.given.get(id)?.tick === this.tick;
  }

  /** The entities that the region moved in this tick. */
  moved(): Entity[] {
    const given = [...this.given.values()].filter(({ tick }) => tick === this.tick);
    return [...this.owned.values(), ...given.map(({ entity }) => entity)];
  }

  /** All entities that the region knows, each once: its own, and ghosts of the tick before. */
  present(): Map<number, Entity> {
    const all = new Map<number, Entity>();
    for (const { ghosts } of this.neighbours.values()) for (const ghost of ghosts) all.set(ghost.id, ghost);
    for (const [id, { entity }] of this.given) if (!all.has(id)) all.set(id, entity);
    for (const [id, entity] of this.owned) all.set(id, entity);
    return all;
  }
}

/** An entity as it was at the end of a tick. */
export interface Kept {
  readonly tick: number;
  readonly entity: Entity;
}

/**
 * What a region owns after a crash: the entities that the owner record gives it, each as it was last written, in a
 * snapshot or when it was handed over. So what it has handed away is left out, and what was handed to it is there.
 */
export function restore(
  region: number,
  owners: ReadonlyMap<number, number>,
  snapshot: readonly Kept[],
  handovers: readonly Kept[],
): Entity[] {
  const latest = new Map<number, Kept>();
  for (const kept of [...snapshot, ...handovers]) {
    const { id } = kept.entity;
    if (owners.get(id) === region && kept.tick >= (latest.get(id)?.tick ?? -1)) latest.set(id, kept);
  }
  return [...latest.values()].map(({ entity }) => entity);
}
