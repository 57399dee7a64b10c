/**
 * Historical bugs of spatial libraries, each as an edit of this code. `npm run zoo` plants one at a time; the random
 * histories must catch every one of them. test/project/zoo.test.ts checks that each edit still fits.
 */
import type { PlantedFault } from './planted-fault.ts';

/** The source of a fault of our own: planted by hand, or left over by mutation testing. */
const OWN = 'own';

/** A bug in one file. */
function bug(
  name: string,
  source: string,
  story: string,
  file: string,
  ...texts: readonly (readonly [find: string, plant: string])[]
): PlantedFault {
  return { name, source, story, edits: texts.map(([find, plant]) => ({ file, find, plant })) };
}

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
    ['minX <= maxX &&\n      minY <= maxY &&', '!(minX > maxX) &&\n      minY <= maxY &&'],
    ['        minX >= fatBounds[at] &&', '        !(minX < fatBounds[at]) &&'],
  ),
  bug(
    'inverted-box-moved',
    'three.js#8620',
    'A small move accepts a box whose min is above its max.',
    'tree/update/move.ts',
    ['minY <= maxY &&\n      minZ <= maxZ\n    ) {', 'true\n    ) {'],
  ),
  bug('negative-radius-moved', 'three.js#14191', 'A small move accepts a negative radius.', 'tree/update/move.ts', [
    '(BODY_HAS_MARGIN | BODY_SPHERE) &&\n      radius >= 0',
    '(BODY_HAS_MARGIN | BODY_SPHERE)',
  ]),
  bug(
    'float32-rounded-to-nearest',
    'three-mesh-bvh#112, ClickHouse#106423',
    'Boxes in Float32 are rounded to the nearest number, which may lie inside the body.',
    'math/float32.ts',
    ['return lowered32(nearest, Number(nearest > value));', 'return nearest;'],
  ),
  bug(
    'minus-zero-octant',
    'seeded in a stand-in',
    'A centre at -0 goes to another octant than one at 0.',
    'tree/update/place.ts',
    [
      'const sideX = Number((boxes[from] + boxes[from + 3]) * 0.5 >= middleX);',
      'const sideX = Number((boxes[from] + boxes[from + 3]) * 0.5 > middleX);',
    ],
  ),
  bug(
    'epsilon-in-octant',
    'opencv#22682',
    'The choice of the octant has an epsilon, the test of the octant has none.',
    'tree/update/place.ts',
    [
      'const sideY = Number((boxes[from + 1] + boxes[from + 4]) * 0.5 >= middleY);',
      'const sideY = Number((boxes[from + 1] + boxes[from + 4]) * 0.5 >= middleY - 1e-6);',
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
    'octree/queries/box-query.ts',
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
  bug('sphere-body-as-box', OWN, 'A sphere is found by its box.', 'octree/queries/box-query.ts', [
    'return sphereTouchesBox(bounds, at, box, 0) && boxOfSphereTouchesBox',
    'return boxOfSphereTouchesBox',
  ]),
  bug(
    'region-half-open',
    'sieve-tree#11',
    'A body on the upper face of the region is outside.',
    'math/integer-cube.ts',
    ['boxes[at + 5] <= minZ + edge\n  );', 'boxes[at + 5] < minZ + edge\n  );'],
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
    'if (!(lengthSq > 1e-200 && lengthSq < 1e200)) {',
    'if (!(lengthSq < 1e200)) {',
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
    'octree/queries/hit-list.ts',
    [
      '(distances[to - 1] > distance || (distances[to - 1] === distance && indices[to - 1] > index))',
      'distances[to - 1] > distance',
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
  bug('plane-without-extent', OWN, 'A box is outside a plane if its centre is.', 'math/tolerant-planes.ts', [
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
      '    this.changes.recordMoves(batch.indices);\n',
      '    if (moved.length > length) this.changes.recordMoves(batch.indices);\n',
    ],
  ),
];

const WRITES: readonly PlantedFault[] = [
  bug(
    'small-move-not-stored',
    'godot#42895',
    'A move inside fat bounds does not store the new bounds.',
    'octree/bodies/write-queue.ts',
    [
      '      writeBounds(bodies, batch, isConsecutive);\n',
      '      if (moved.length > length) writeBounds(bodies, batch, isConsecutive);\n',
    ],
  ),
  bug('fat-bounds-reported', 'godot#55096', 'Queries report a body whose fat bounds touch.', 'tree/traverse/walk.ts', [
    'if (slotOverlap === CONTAINED || exactTest === null || exactTest.touches(bodies, index, slotOverlap))',
    'if (slotOverlap >= 0 || exactTest === null)',
  ]),
  bug(
    'shrunk-body-stays',
    'godot#55050',
    'A body that shrinks inside its fat bounds keeps its large node.',
    'tree/update/move.ts',
    [
      'boxContains(fatBounds, at, box, 0) &&\n    hasKeptSize(fatBounds, at, box, 0)',
      'boxContains(fatBounds, at, box, 0)',
    ],
  ),
  bug(
    'removed-twice',
    'bvh.js: 0 of 199 bodies survive; Rapier traps',
    'A body that is listed twice is removed twice.',
    'octree/bodies/body-store.ts',
    [
      'for (let k = 0; k < indices.length; k++) if (this.isAlive(indices[k])) this.remove(indices[k]);',
      'for (let k = 0; k < indices.length; k++) this.remove(indices[k]);',
    ],
  ),
  bug(
    'ghost-of-queued-insert',
    'rapier#342, box2d#1105',
    'Inserted and removed before the flush: another body of the queue is lost.',
    'octree/bodies/write-queue.ts',
    ['    slot[last] = FIRST_QUEUED_SLOT - position;\n', ''],
  ),
  bug(
    'move-after-remove',
    'rapier#163',
    'A move that waits brings a removed body back.',
    'octree/bodies/write-queue.ts',
    ['    if (deferred.size > 0) deferred.delete(index);\n', ''],
  ),
  bug(
    'id-without-generation',
    'Rapier 0.21, rapier.js#121',
    'The id of a removed body names its successor.',
    'features/ids/body-ids.ts',
    ['id === index + this.generationOf(index) * INDICES ? index', 'id >= INDICES ? index'],
  ),
  bug(
    'index-reused-in-tick',
    'godot#45507',
    'An index is used again before its removal was reported.',
    'octree/bodies/body-store.ts',
    ['if (this.changes.isKept) this.changes.hold(index);\n    else this.free(index);', 'this.free(index);'],
  ),
  bug(
    'query-misses-queue',
    'godot#87709, bevy_rapier#67',
    'A query does not see what was inserted since the last tick.',
    'octree/queries/query-runner.ts',
    ['if (this.pool.depth === 1) this.store.flush();', 'if (this.pool.depth === 0) this.store.flush();'],
  ),
  bug('handles-outlive-clear', OWN, 'Handles stay alive after clear.', 'octree/bodies/body-store.ts', [
    '    for (const body of this.handles) body?.markRemoved();\n',
    '',
  ]),
  bug(
    'write-in-callback-at-once',
    'rapier.js#188, planck#307',
    'A move in a filter changes what the running query sees.',
    'octree/bodies/body-store.ts',
    ['else if (this.pool.depth > 0) this.queue.deferMove(index, values, isSphere, null);\n    ', ''],
  ),
  bug(
    'nested-query-shares-scratch',
    'flatbush',
    'A query in the filter of a query spoils its results.',
    'octree/queries/workspace.ts',
    ['(this.workspaces[this.depth] ??= new Workspace(this.math))', '(this.workspaces[0] ??= new Workspace(this.math))'],
    ['this.workspaces[--this.depth].forgetOptions();', 'this.depth--;\n    this.workspaces[0].forgetOptions();'],
  ),
  bug(
    'thrown-callback-locks',
    'jesses/wck#9',
    'After a filter has thrown, writes wait for ever.',
    'octree/queries/query-runner.ts',
    [
      'try {\n      return this.run(workspace, kind, shape, list, options, second);\n    } finally {\n      this.end();\n    }',
      'const count = this.run(workspace, kind, shape, list, options, second);\n    this.end();\n    return count;',
    ],
  ),
  bug(
    'half-a-batch',
    'ByroRedux#2867',
    'A batch with an invalid entry is written up to there.',
    'octree/bodies/write-queue.ts',
    [
      '      this.checkFrom(length, batch.check);\n      listEscaped(bodies, batch, moved, length);\n      writeBounds(bodies, batch, isConsecutive);\n',
      '      writeBounds(bodies, batch, isConsecutive);\n      this.checkFrom(length, batch.check);\n      listEscaped(bodies, batch, moved, length);\n',
    ],
  ),
  bug('box-stays-sphere', OWN, 'A sphere that gets a box stays a sphere.', 'tree/update/move.ts', [
    '    flags[index] ^= BODY_SPHERE;\n',
    '',
  ]),
  bug(
    'first-move-wins',
    'box2d#1105',
    'Of two moves in a batch that waits, the first counts.',
    'octree/bodies/body-store.ts',
    [
      'for (let k = 0; k < indices.length; k++) last.set(indices[k], k * stride);',
      'for (let k = 0; k < indices.length; k++) if (!last.has(indices[k])) last.set(indices[k], k * stride);',
    ],
  ),
];

const NODES: readonly PlantedFault[] = [
  bug(
    'climbs-one-level',
    'godot#41123, seeded in a stand-in',
    'A body that leaves its node climbs to the parent only.',
    'tree/update/relocate.ts',
    [
      'while (node !== ROOT && !(tree.accepts(node, box) && isCenterIn(tree, node, box))) node = tree.nodes.parent(node);',
      'if (node !== ROOT && !(tree.accepts(node, box) && isCenterIn(tree, node, box))) node = tree.nodes.parent(node);',
    ],
  ),
  bug(
    'moved-then-removed',
    'parry#409',
    'A body that has moved and was removed is relocated.',
    'tree/update/relocate.ts',
    [
      'for (let k = 0; k < moved.length; k++) if (bodies.slot[array[k]] >= 0) array[count++] = array[k];',
      'count = moved.length;',
    ],
    ['if (at >= 0) listed.add(at);', 'listed.add(Math.abs(at));'],
  ),
  bug(
    'swap-forgets-slot',
    OWN,
    'The body that takes the place of a removed one keeps its old slot.',
    'tree/storage/node-page.ts',
    ['    slots.copy(last, slot);\n    bodies.slot[slots.body[slot]] = slot;', '    slots.copy(last, slot);'],
  ),
  bug(
    'leaf-expires-with-body',
    'UnityOctree#29, godot#41122',
    'A leaf is cut off although a body has come into it.',
    'tree/update/maintain.ts',
    [
      'if (!isUsed || !nodes.isLeaf(leaf) || nodes.bodyCount(leaf) > 0) continue;',
      'if (!isUsed || !nodes.isLeaf(leaf)) continue;',
    ],
  ),
  bug(
    'countdown-goes-on',
    'seeded in a stand-in: 184 sequences',
    'A leaf that is used again keeps its old countdown.',
    'tree/update/place.ts',
    ['  nodes.countdown[node] = NO_COUNTDOWN;\n', ''],
  ),
  bug(
    'merge-drops-grandchildren',
    'UnityOctree#11',
    'Children that have children of their own are merged away.',
    'tree/update/maintain.ts',
    [
      'if (count === 0 || bodies > maxBodies || links[child * LINK_STRIDE + FIRST_CHILD] !== 0) return false;',
      'if (bodies > maxBodies) return false;',
    ],
  ),
  bug('inner-node-never-merges', OWN, 'After an inner node has lost a body nothing merges.', 'tree/update/place.ts', [
    '  if (!nodes.isLeaf(node)) tree.listMerge(node);\n  else if (node !== ROOT) {',
    '  if (nodes.isLeaf(node) && node !== ROOT) {',
  ]),
  bug(
    'ancestors-not-enlarged',
    OWN,
    'An insertion enlarges its node, but not the nodes above.',
    'tree/update/refit.ts',
    ['    if (node === ROOT) return;\n    node = nodes.parent(node);\n  }\n}', '    return;\n  }\n}'],
  ),
  bug(
    'ancestors-without-categories',
    OWN,
    'The categories of a new body do not reach the nodes above.',
    'tree/update/refit.ts',
    ['    flags[node] |= movable;\n    node = nodes.parent(node);', '    flags[node] |= movable;\n    break;'],
  ),
  bug('mask-change-not-spread', OWN, 'New categories of a body do not reach its node.', 'tree/update/refit.ts', [
    '  addCategories(tree, node, index);\n  if ((before & ~mask) === 0) return;',
    '  if ((before & ~mask) === 0) return;',
  ]),
  bug(
    'split-skips-bodies',
    OWN,
    'A split goes forward although it takes bodies out: each second one stays.',
    'tree/update/place.ts',
    [
      'for (let slot = page + nodes.bodyCount(node) - 1; slot >= page; slot--) {',
      'for (let slot = page; slot < page + nodes.bodyCount(node); slot++) {',
    ],
  ),
  bug(
    'split-keeps-margin',
    OWN,
    'A body keeps fat bounds that are too large for its new cell.',
    'tree/update/place.ts',
    ['    bodies.dropMargin(index);\n', ''],
  ),
  bug('page-keeps-owner', OWN, 'A page that grows keeps the owner that it had before.', 'tree/storage/node-page.ts', [
    '  slots.setOwner(page, capacity, node);\n',
    '',
  ]),
  bug(
    'run-survives-growth',
    OWN,
    'A node counts as contiguous after its page has moved.',
    'tree/storage/node-page.ts',
    [
      '  const page = slots.takePage(capacity);\n  endRun(arrays, node);\n',
      '  const page = slots.takePage(capacity);\n',
    ],
  ),
];

export const BUGS: readonly PlantedFault[] = [...NUMBERS, ...BOUNDARIES, ...RAYS, ...PAIRS, ...WRITES, ...NODES];
