/** What an octree tells without a query, compared with what a test has written: bounds of bodies, nodes, counts. */
import { Box3, Sphere } from 'three';
import { WalkSignal, type Octree } from '../../src/index.ts';
import { boundsOf, boxOf } from './shapes.ts';
import type { TrackedBody } from './twin.ts';

const box = new Box3();
const sphere = new Sphere();

/** Throws unless the bounds and the options of a body are those of its last write. */
export function expectBody(octree: Octree<number>, { body, index, options, shape }: TrackedBody): void {
  const expected = boxOf(boundsOf(shape));
  const [min, max] = [expected.min, expected.max];
  for (const found of [body.getBox(box), octree.getBoxAt(index, box)]) {
    // Of a sphere the box is rounded.
    const isSame =
      shape.length === 4
        ? found.distanceToPoint(sphere.center.set(shape[0], shape[1], shape[2])) === 0
        : found.min.equals(min) && found.max.equals(max);
    if (!isSame) throw new Error(`the box of body ${index} is ${JSON.stringify(found)}, expected ${shape.join(' ')}`);
  }
  if (shape.length === 4) {
    for (const { center, radius } of [body.getSphere(sphere), octree.getSphereAt(index, sphere)])
      if (center.x !== shape[0] || center.y !== shape[1] || center.z !== shape[2] || radius !== shape[3])
        throw new Error(
          `the sphere of body ${index} is ${center.toArray().join(' ')}, ${radius}, expected ${shape.join(' ')}`,
        );
  }
  if (body.isStatic !== (options.isStatic ?? false)) throw new Error(`isStatic of body ${index} is ${body.isStatic}`);
}

/** Throws unless a walk finds each body once, inside the bounds of its node, and as many nodes as the statistics. */
export function expectWalk(octree: Octree<number>, trackedBodies: readonly TrackedBody[]): void {
  const shapes = new Map(trackedBodies.map(({ serial, shape }) => [serial, shape]));
  const found = new Set<number>();
  let [nodes, depth, most] = [0, 0, 0];
  octree.walk((node) => {
    nodes++;
    depth = Math.max(depth, node.depth);
    const fitted = new Box3().copy(node.fitted);
    for (const { data } of node.bodies()) {
      most++;
      found.add(data);
      if (!fitted.containsBox(boxOf(boundsOf(shapes.get(data)!)) as Box3))
        throw new Error(`body ${data} is outside of the bounds of its node`);
    }
    return WalkSignal.Continue;
  });
  const { statistics } = octree;
  if (most !== shapes.size || found.size !== most)
    throw new Error(`a walk finds ${most} bodies, expected ${shapes.size}`);
  if (statistics.bodies !== most || (most > 0 && (statistics.nodes !== nodes || statistics.depth !== depth)))
    throw new Error(
      `statistics have ${statistics.bodies} bodies, ${statistics.nodes} nodes and depth ${statistics.depth}, expected ${most}, ${nodes} and ${depth}`,
    );
}
