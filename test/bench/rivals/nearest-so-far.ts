/** The nearest bodies so far, for rivals that leave this to the caller. */
export class NearestSoFar {
  readonly bodies: number[] = [];
  private readonly distances: number[] = [];
  private count = 0;

  reset(count: number): void {
    this.count = count;
    this.bodies.length = 0;
    this.distances.length = 0;
  }

  /** What a body has to be closer than. */
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
