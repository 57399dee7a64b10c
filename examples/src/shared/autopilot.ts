// Flies a pose along a tour, and leads it back to the tour after manual steering.

import { MathUtils, Vector3 } from 'three';
import type { Pose } from './pose.ts';
import type { Surface } from './surface.ts';
import type { Tour } from './tour.ts';

/** Rate per second at which the distance to the path decays exponentially. */
const PULL = 1.6;
/** Distance to the point that the pose looks at, as a share of the path. */
const LOOK_AHEAD = 0.006;
const SEARCH_STEPS = 240;

export class Autopilot {
  private at = 0;
  private readonly point = new Vector3();
  private readonly ahead = new Vector3();

  /** Puts the pose on the tour, 0 to 1 along it. */
  begin(pose: Pose, tour: Tour, surface: Surface, at: number): void {
    this.at = at;
    this.aim(tour);
    pose.position.copy(this.point);
    pose.heading.copy(this.ahead);
    pose.pitch = tour.pitch;
    pose.level(surface);
  }

  /** Continues from the point of the tour that is nearest to the pose. */
  resume(pose: Pose, tour: Tour): void {
    let nearest = Infinity;
    for (let step = 0; step < SEARCH_STEPS; step++) {
      const distance = tour.pointAt(step / SEARCH_STEPS, this.point).distanceToSquared(pose.position);
      if (distance >= nearest) continue;
      nearest = distance;
      this.at = step / SEARCH_STEPS;
    }
  }

  steer(pose: Pose, tour: Tour, surface: Surface, altitude: { low: number; high: number }, seconds: number): void {
    this.at += seconds / tour.duration;
    this.aim(tour);
    const pull = 1 - Math.exp(-PULL * seconds);
    pose.position.lerp(this.point, pull);
    surface.clampAltitude(pose.position, altitude.low, altitude.high);
    pose.heading.lerp(this.ahead, pull);
    pose.pitch = MathUtils.lerp(pose.pitch, tour.pitch, pull);
    pose.level(surface);
  }

  private aim(tour: Tour): void {
    tour.pointAt(this.at, this.point);
    tour
      .pointAt(this.at + LOOK_AHEAD, this.ahead)
      .sub(this.point)
      .normalize();
  }
}
