/** Keeps the nearest bodies, sorted by distance, for rivals whose callbacks must do this. Distances may be squared. */
export class NearestSoFar {
  readonly bodies: number[] = [];
  private readonly distances: number[] = [];
  private count = 0;

  reset(count: number): void {
    this.count = count;
    this.bodies.length = 0;
    this.distances.length = 0;
  }

  /** A body is added only if its distance is smaller than this. */
  get limit(): number {
    return this.distances.length < this.count ? Infinity : this.distances[this.count - 1];
  }

  add(body: number, distance: number): void {
    const { bodies, distances } = this;
    if (distance >= this.limit) return;
    if (distances.length < this.count) {
      distances.push(distance);
      bodies.push(body);
    }
    let to = distances.length - 1;
    for (; to > 0 && distances[to - 1] > distance; to--) {
      distances[to] = distances[to - 1];
      bodies[to] = bodies[to - 1];
    }
    distances[to] = distance;
    bodies[to] = body;
  }
}
