// Compares what each player was told, tick by tick, with a loop over all entities.

import { quantum, type Place, type Told } from './messages.ts';
import type { Entity, WorldSize } from './world.ts';

export interface Counts {
  /** Ticks that were checked. */
  ticks: number;
  /** A player in a tick. */
  playerTicks: number;
  /** Entities in range of a player, over all ticks. */
  inRange: number;
  /** Entities within the radius, less the tolerance, of which a player was not told. */
  missing: number;
  /** Entities beyond the radius with its hysteresis and the tolerance, of which a player was told. */
  tooFar: number;
  /** Told places that are off by more than the tolerance. */
  wrongPlace: number;
  /** Entities that no region has moved, and those that two have, over all ticks. */
  noOwner: number;
  twoOwners: number;
  /** Ticks in which a player was told nothing. */
  gaps: number;
  /** Ticks in which a player was told only by a room that does not own it. */
  toldByOther: number;
}

interface Tick {
  readonly regions: Set<number>;
  readonly places: Map<number, Entity>;
  /** By entity, the region that moved it. */
  readonly owners: Map<number, number>;
  readonly told: Map<number, { readonly told: Told; readonly isOwner: boolean }>;
  twoOwners: number;
}

/** What a tick is checked with, beside what was told. */
export interface Rules {
  /** Players that are not expected to be told anything in a tick, such as those of a region that is down. */
  readonly isAway?: (id: number, tick: number) => boolean;
  /** Whether entities may be without an owner in a tick. */
  readonly isDown?: (tick: number) => boolean;
  /** Two regions that know nothing of each other in a tick, because one of them is down or comes back. */
  readonly areCut?: (region: number, other: number, tick: number) => boolean;
  /** Pairs that need not be told, and must not: of two that are `hidden`. */
  readonly isHidden?: (a: Entity, b: Entity) => boolean;
  /** Pairs that must be told. Default: all that are not hidden. */
  readonly isSeen?: (a: Entity, b: Entity) => boolean;
}

export class Recorder {
  private readonly size: WorldSize;
  private readonly regions: number;
  private readonly rules: Rules;
  private readonly ticks = new Map<number, Tick>();
  /** How many entities there are: as many as in the first tick. */
  private expected = -1;
  readonly counts: Counts = {
    ticks: 0,
    playerTicks: 0,
    inRange: 0,
    missing: 0,
    tooFar: 0,
    wrongPlace: 0,
    noOwner: 0,
    twoOwners: 0,
    gaps: 0,
    toldByOther: 0,
  };
  /** Gaps by player. */
  readonly gapsOf = new Map<number, number>();

  constructor(size: WorldSize, regions: number, rules: Rules = {}) {
    this.size = size;
    this.regions = regions;
    this.rules = rules;
  }

  /** A region has moved these entities in a tick. */
  moved(region: number, tick: number, entities: Iterable<Entity>): void {
    const record = this.tick(tick);
    record.regions.add(region);
    for (const entity of entities) {
      if (record.places.has(entity.id)) record.twoOwners++;
      record.places.set(entity.id, { ...entity });
      record.owners.set(entity.id, region);
    }
  }

  /** A player was told. The word of the room that owns it counts more than that of another. */
  told(player: number, told: Told, isOwner: boolean): void {
    const record = this.tick(told.tick);
    if (isOwner || !record.told.has(player)) record.told.set(player, { told, isOwner });
  }

  private tick(tick: number): Tick {
    let record = this.ticks.get(tick);
    if (record === undefined) {
      record = { regions: new Set(), places: new Map(), owners: new Map(), told: new Map(), twoOwners: 0 };
      this.ticks.set(tick, record);
    }
    return record;
  }

  /**
   * Checks the ticks that all regions have done, and forgets them.
   *
   * @param until Later ticks are left for a later call.
   */
  check(until = Infinity): void {
    const { counts, rules } = this;
    for (const [tick, record] of [...this.ticks].sort(([a], [b]) => a - b)) {
      const isDown = rules.isDown?.(tick) === true;
      if (tick > until) return;
      if (record.places.size === 0 || (record.regions.size < this.regions && !isDown)) continue;
      this.ticks.delete(tick);
      if (this.expected < 0) this.expected = record.places.size;
      counts.ticks++;
      counts.twoOwners += record.twoOwners;
      if (!isDown) counts.noOwner += this.expected - record.places.size;
      const list = [...record.places.values()];
      const flat = Float64Array.from(list.flatMap(({ x, y, z }) => [x, y, z]));
      for (const player of list) if (player.isPlayer) this.checkPlayer(tick, player, record, list, flat);
    }
  }

  /** Checks all ticks. */
  finish(): Counts {
    this.check();
    return this.counts;
  }

  /** @param list All places. @param flat Their x, y and z, because a loop over numbers takes a tenth of the time. */
  private checkPlayer(
    tick: number,
    player: Entity,
    { places, owners, told }: Tick,
    list: readonly Entity[],
    flat: Float64Array,
  ): void {
    const { counts, rules } = this;
    const word = told.get(player.id);
    if (rules.isAway?.(player.id, tick) === true) return;
    counts.playerTicks++;
    if (word === undefined) {
      counts.gaps++;
      this.gapsOf.set(player.id, (this.gapsOf.get(player.id) ?? 0) + 1);
      return;
    }
    if (!word.isOwner) counts.toldByOther++;
    // Ghosts are one tick late; for a room that does not own the player, it is a ghost, too.
    const { radius, hysteresis, step } = this.size;
    const tolerance = (word.isOwner ? 1 : 2) * step + 1e-3;
    const byId = new Map<number, Place>(word.told.others.map((place) => [place.id, place]));
    if (distance(player, word.told.self) > tolerance + quantum(this.size)) counts.wrongPlace++;
    const { x, y, z } = player;
    const near: number[] = [];
    for (let at = 0; at < flat.length; at += 3) {
      const dx = flat[at] - x;
      const dy = flat[at + 1] - y;
      const dz = flat[at + 2] - z;
      if (dx * dx + dy * dy + dz * dz <= radius * radius) near.push(at / 3);
    }
    for (const k of near) {
      const entity = list[k];
      if (entity === player) continue;
      counts.inRange++;
      if (byId.has(entity.id)) continue;
      if (rules.areCut?.(owners.get(player.id)!, owners.get(entity.id)!, tick) === true) continue;
      if (distance(player, entity) <= radius - tolerance && (rules.isSeen?.(player, entity) ?? true)) counts.missing++;
    }
    for (const [id, place] of byId) {
      const entity = places.get(id);
      if (entity === undefined) {
        // Of regions that are down no places are known.
        if (rules.isDown?.(tick) !== true) counts.tooFar++;
        continue;
      }
      const far = distance(player, entity);
      if (far > radius * (1 + hysteresis) + tolerance || rules.isHidden?.(player, entity) === true) counts.tooFar++;
      if (distance(entity, place) > tolerance + 2 * quantum(this.size)) counts.wrongPlace++;
    }
  }
}

const distance = (a: Place, b: Place): number => Math.sqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2 + (a.z - b.z) ** 2);

/** The counts that must be 0. */
export function faultsOf(counts: Counts): number {
  const { missing, tooFar, wrongPlace, noOwner, twoOwners, gaps } = counts;
  return missing + tooFar + wrongPlace + noOwner + twoOwners + gaps;
}
