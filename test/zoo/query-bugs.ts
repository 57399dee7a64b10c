/** Bugs of numbers, boundaries, rays, planes and pairs. */
import { bug, OWN } from './bug.ts';
import type { PlantedFault } from './planted-fault.ts';

const NUMBERS: readonly PlantedFault[] = [
  bug(
    'nan-inserted',
    'rbush, bvh.js',
    'A body with one NaN is accepted; from then on queries miss other bodies.',
    'octree/input/input-checks.ts',
    [
      "return typeof value === 'number' && value <= COORDINATE_LIMIT && value >= -COORDINATE_LIMIT;",
      "return typeof value === 'number' && !(value > COORDINATE_LIMIT) && !(value < -COORDINATE_LIMIT);",
    ],
  ),
  bug(
    'nan-in-bulk',
    'kdbush, libspatialindex#107',
    'Flat arrays are checked by comparisons that NaN passes.',
    'octree/input/shapes.ts',
    [
      'return min >= -COORDINATE_LIMIT && max <= COORDINATE_LIMIT && min <= max;',
      'return !(min < -COORDINATE_LIMIT || max > COORDINATE_LIMIT || min > max);',
    ],
  ),
  bug(
    'nan-moved',
    'shock2quest#507',
    'Only creation is guarded: a small move to NaN is accepted.',
    'tree/update/move.ts',
    ['x <= maxX &&\n      y <= maxY &&', '!(x > maxX) &&\n      y <= maxY &&'],
    ['        x - radius >= fatBounds[at] &&', '        !(x - radius < fatBounds[at]) &&'],
  ),
  bug(
    'inverted-box-moved',
    'three.js#8620',
    'A small move accepts a box whose min is above its max.',
    'tree/update/move.ts',
    ['y <= maxY &&\n      z <= maxZ\n    ) {', 'true\n    ) {'],
  ),
  bug('negative-radius-moved', 'three.js#14191', 'A small move accepts a negative radius.', 'tree/update/move.ts', [
    'radius >= 0 &&\n      x <= maxX &&\n      y <= maxY &&\n      z <= maxZ',
    '(isSphere || (x <= maxX && y <= maxY && z <= maxZ))',
  ]),
  bug(
    'float32-rounded-to-nearest',
    'three-mesh-bvh#112, ClickHouse#106423',
    'Boxes in Float32 are rounded to the nearest number, which may lie inside the body.',
    'math/float32.ts',
    ['return lowered32(nearest, Number(nearest > value));', 'return nearest;'],
  ),
  bug(
    'epsilon-in-octant',
    'opencv#22682',
    'The choice of the octant has an epsilon, the test of the octant has none.',
    'tree/update/place.ts',
    [
      'const sideY = Number((box[1] + box[4]) * 0.5 >= middleY);',
      'const sideY = Number((box[1] + box[4]) * 0.5 >= middleY - 1e-6);',
    ],
  ),
  bug('no-smallest-cell', 'jbehley/octree#6, quadtree-js#5', 'Many equal bodies split for ever.', 'tree/tree.ts', [
    'return this.nodes.edge(node) <= this.smallestEdge;',
    'return this.nodes.edge(node) * 64 <= this.smallestEdge;',
  ]),
  bug(
    'root-grows-once',
    'o3de#20115, UnityOctree#5',
    'The root grows by one step only: bodies farther out are lost.',
    'tree/update/grow.ts',
    [
      'while (!cubeContains(tree.region, boxes, from)) growRoot',
      'if (!cubeContains(tree.region, boxes, from)) growRoot',
    ],
  ),
  bug('root-grows-away', OWN, 'The old root becomes the wrong child of the new one.', 'tree/update/grow.ts', [
    '(old.minY > minY ? 2 : 0)',
    '(old.minY > minY ? 0 : 2)',
  ]),
  bug(
    'root-growth-forgets-categories',
    OWN,
    'After the root has grown, masked queries miss what was there.',
    'tree/update/grow.ts',
    ['  nodes.categoryMask[child] = nodes.categoryMask[ROOT];\n', ''],
  ),
  bug(
    'root-growth-forgets-owner',
    OWN,
    'After the root has grown, bodies name the wrong node as their owner.',
    'tree/update/grow.ts',
    ['  slots.setOwner(nodes.page(child), nodes.links[to + CAPACITY], child);\n', ''],
  ),
];

const BOUNDARIES: readonly PlantedFault[] = [
  bug(
    'box-filter-open',
    'jspatial#7, MonoGame#7581',
    'Nodes and bodies that only touch the query box are skipped.',
    'octree/queries/range-query.ts',
    [
      'if (boxes[at] > maxX || boxes[at + 3] < minX) continue;',
      'if (boxes[at] >= maxX || boxes[at + 3] <= minX) continue;',
    ],
  ),
  bug('box-test-open', 'ifc-lite#2292', 'Boxes that only touch do not overlap.', 'math/box.ts', [
    '    as[a] <= bs[b + 3] &&\n    as[a + 3] >= bs[b] &&',
    '    as[a] < bs[b + 3] &&\n    as[a + 3] > bs[b] &&',
  ]),
  bug('sphere-box-open', 'seeded in a stand-in', 'A sphere that only touches a box is no result.', 'math/sphere.ts', [
    'sphereTouchesBox_distanceSq[0] <= radius * radius',
    'sphereTouchesBox_distanceSq[0] < radius * radius',
  ]),
  bug('spheres-open', 'seeded in a stand-in', 'Spheres that only touch do not overlap.', 'math/sphere.ts', [
    'dx * dx + dy * dy + dz * dz <= radii * radii',
    'dx * dx + dy * dy + dz * dz < radii * radii',
  ]),
  bug('sphere-body-as-box', OWN, 'A sphere is found by its box.', 'octree/queries/range-query.ts', [
    'return sphereTouchesBox(bounds, at, box, 0) && boxesOverlap',
    'return boxesOverlap',
  ]),
  bug(
    'region-half-open',
    'sieve-tree#11',
    'A body on the upper face of the region is outside.',
    'math/integer-cube.ts',
    [
      'return cellAccepts(cube.minX, cube.minY, cube.minZ, cube.edge, 0, boxes, at);',
      'return cellAccepts(cube.minX, cube.minY, cube.minZ, cube.edge, 0, boxes, at) && boxes[at + 5] < cube.minZ + cube.edge;',
    ],
  ),
];

const RAYS: readonly PlantedFault[] = [
  bug(
    'ray-in-face',
    'warp#1530, embree#589',
    'A ray in the plane of a face misses: 0 times infinity is NaN.',
    'math/unit-ray.ts',
    [
      'if (entryX > entry) entry = entryX;\n    if (exitX < exit) exit = exitX;',
      'entry = Math.max(entry, entryX);\n    exit = Math.min(exit, exitX);',
    ],
  ),
  bug('ray-minus-zero', 'tinybvh#282', 'A direction with -0 takes the faces in the wrong order.', 'math/unit-ray.ts', [
    'const x = inverseX < 0 ? 3 : 0;',
    'const x = this.directionX < 0 ? 3 : 0;',
  ]),
  bug(
    'ray-from-inside-exits',
    'three.js Ray, godot#41347',
    'A ray that starts in a sphere reports where it leaves.',
    'math/unit-ray.ts',
    [
      'if (boxDistance === 0 && toX * toX + toY * toY + toZ * toZ <= radiusSq) return true;',
      'if (boxDistance === 0 && toX * toX + toY * toY + toZ * toZ <= radiusSq) {\n      distances[0] = along + Math.sqrt(radiusSq - offSq);\n      return true;\n    }',
    ],
  ),
  bug(
    'ray-not-normalized',
    'raylib#4131, mujoco#1493',
    'Distances are in units of the direction.',
    'math/unit-ray.ts',
    ['const length = Math.sqrt(lengthSq);', 'const length = 1;'],
  ),
  bug('ray-direction-underflows', 'jolt#1574', 'The squared length of a tiny direction is 0.', 'math/unit-ray.ts', [
    'if (!(lengthSq >= 1e-200 && lengthSq <= 1e200)) {',
    'if (!(lengthSq <= 1e200)) {',
  ]),
  bug(
    'ray-sphere-cancellation',
    'pytracer#22',
    'The distance of a line from a far sphere is a difference of large squares.',
    'math/unit-ray.ts',
    [
      'const offSq = offX * offX + offY * offY + offZ * offZ;',
      'const offSq = toX * toX + toY * toY + toZ * toZ - along * along + 0 * (offX + offY + offZ);',
    ],
  ),
  bug('ray-hits-behind', OWN, 'A sphere behind the origin is hit.', 'math/unit-ray.ts', [
    '    if (along < 0) return false;\n',
    '',
  ]),
  bug('ray-far-open', 'jolt#1554', 'A hit at exactly the maximum distance is none.', 'octree/queries/hit-query.ts', [
    'distance[0] >= this.near && distance[0] <= path.maxDistance;',
    'distance[0] >= this.near && distance[0] < path.maxDistance;',
  ]),
  bug(
    'ray-ends-early',
    'three-mesh-bvh#180, rstar#13',
    'The first hit ends the walk too early: equally near boxes are left out.',
    'math/moving-box.ts',
    ['if (first > maxDistance) continue;', 'if (first >= maxDistance) continue;'],
  ),
  bug(
    'ties-in-any-order',
    'three.js#16031, threeoctree#13',
    'Equal distances come in the order of the tree.',
    'octree/queries/search.ts',
    [
      'distances[hit] < distances[other] || (distances[hit] === distances[other] && array[hit] < array[other])',
      'distances[hit] < distances[other]',
    ],
  ),
  bug(
    'nearest-stops-at-one',
    OWN,
    'The search for k bodies shrinks to the first one found.',
    'features/nearest/nearest-query.ts',
    [
      'if (hits.length >= this.count) this.shrinkTo(hits.distances, 0);',
      'if (hits.length > 0) this.shrinkTo(hits.distances, 0);',
    ],
  ),
  bug('plane-without-extent', OWN, 'A box is outside a plane if its centre is.', 'math/frustum-planes.ts', [
    'if (middle + projectedRadius < 0) continue nextBox;',
    'if (middle < 0) continue nextBox;',
  ]),
];

const PAIRS: readonly PlantedFault[] = [
  bug(
    'pairs-miss-touching',
    'seeded in a stand-in: up to 1,135 sequences',
    'Bodies whose faces touch form no pair.',
    'features/pairs/pair-query.ts',
    [
      'if (slotBounds[other] > maxX || slotBounds[other + 3] < minX) continue;',
      'if (slotBounds[other] >= maxX || slotBounds[other + 3] <= minX) continue;',
    ],
  ),
  bug(
    'pairs-miss-diagonal-cells',
    'alecjacobson/bounding-volume-hierarchy#35',
    'Bodies in cells that share only a corner form no pair.',
    'features/pairs/pair-query.ts',
    [
      'for (let other = child + 1; other < first + BLOCK; other++) this.push(child, other);',
      'for (let other = child + 1; other < first + BLOCK; other++) if ((child ^ other) !== 7) this.push(child, other);',
    ],
  ),
  bug(
    'pairs-miss-ancestors',
    'Latios-Framework#53',
    'A body of a node and one below it form no pair.',
    'features/pairs/pair-query.ts',
    ['      this.pairBodiesBelow(node, child, scratch, out);\n    }\n  }', '    }\n  }'],
  ),
  bug('pairs-with-themselves', 'bepuphysics1#5', 'A body forms a pair with itself.', 'features/pairs/pair-query.ts', [
    'if (fewCategories !== 0 && b <= a &&',
    'if (fewCategories !== 0 && b < a &&',
  ]),
  bug(
    'contact-swap-forgets-tag',
    OWN,
    'When a contact ends, the one that takes its place is lost later.',
    'features/contacts/track-contacts.ts',
    ['    pairs.setTag(numbers.array[at], at);\n', ''],
  ),
  bug(
    'contacts-end-too-soon',
    OWN,
    'With hysteresis a pair ends where its slot bounds part, not at the larger distance.',
    'features/contacts/contact-tracker.ts',
    ['    this.keepsTouching = tracked.endDistance > tracked.beginDistance;\n', ''],
  ),
  bug(
    'contacts-miss-new-categories',
    OWN,
    'A change of categories does not begin or end contacts.',
    'octree/bodies/write-queue.ts',
    ['    this.changes.recordCategories(index);\n', ''],
  ),
  bug(
    'contacts-miss-small-moves',
    'godot#42895, reactphysics3d#440',
    'Contacts do not see moves inside fat bounds.',
    'octree/bodies/write-queue.ts',
    [
      '    this.changes.recordMoves(bulk.indices);\n',
      '    if (moved.length > length) this.changes.recordMoves(bulk.indices);\n',
    ],
  ),
];

export const QUERY_BUGS: readonly PlantedFault[] = [...NUMBERS, ...BOUNDARIES, ...RAYS, ...PAIRS];
