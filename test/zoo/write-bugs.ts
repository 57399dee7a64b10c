/** Bugs of writes, handles, callbacks and nodes. */
import { bug, OWN } from './bug.ts';
import type { PlantedFault } from './planted-fault.ts';

const WRITES: readonly PlantedFault[] = [
  bug(
    'small-move-not-stored',
    'godot#42895',
    'A move inside fat bounds does not store the new bounds.',
    'octree/bodies/write-queue.ts',
    [
      '      writeBounds(bodies, bulk, isConsecutive);\n',
      '      if (moved.length > length) writeBounds(bodies, bulk, isConsecutive);\n',
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
      'if (stays && ((flags[index] & BODY_MUST_KEEP_SIZE) === 0 || keepsSize(bodies, bulk, k))) continue;',
      'if (stays) continue;',
    ],
  ),
  bug(
    'removed-twice',
    'bvh.js: 0 of 199 bodies survive; Rapier traps',
    'A body that is listed twice is removed twice.',
    'octree/bodies/body-store.ts',
    [
      'for (let k = 0; k < indices.length; k++) if (this.isAlive(indices[k])) this.drop(indices[k]);',
      'for (let k = 0; k < indices.length; k++) this.drop(indices[k]);',
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
    ['if (this.pool.depth > 0) return this.queue.deferMove(index, bounds, isSphere, halfSize);\n', ''],
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
      '      this.checkFrom(length, bulk.check);\n      listEscaped(bodies, bulk, moved, length);\n      writeBounds(bodies, bulk, isConsecutive);\n',
      '      writeBounds(bodies, bulk, isConsecutive);\n      this.checkFrom(length, bulk.check);\n      listEscaped(bodies, bulk, moved, length);\n',
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
    ['last.set(indices[k], numbers);', 'if (!last.has(indices[k])) last.set(indices[k], numbers);'],
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
  ),
  bug(
    'swap-forgets-slot',
    OWN,
    'The body that takes the place of a removed one keeps its old slot.',
    'tree/storage/node-page.ts',
    ['bodies.slot[slots.body[slot]] = slot;', ''],
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

export const WRITE_BUGS: readonly PlantedFault[] = [...WRITES, ...NODES];
