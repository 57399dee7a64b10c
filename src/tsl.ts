/**
 * Entry point scene-octree/tsl: the id of an instance of OctreeInstances, for node materials. Needs three r187. The
 * only file that imports nodes of three.
 *
 * @module scene-octree/tsl
 */

import { instanceIndex } from 'three/tsl';
import { instanceIdNodeFor, type TslNode } from './instances/levels/instance-nodes.ts';

/**
 * The id of an instance, in vertex and fragment shaders. In OctreeInstances it is the id that `addInstance` has
 * returned; in an InstancedMesh, and everywhere else, it is `instanceIndex`. OctreeInstances puts it in place of each
 * `instanceIndex` that it finds in the nodes of a material. It does not find nodes that a `Fn` creates: use this node
 * there.
 *
 * @example
 * ```ts
 * import { Fn, hash, vec3 } from 'three/tsl';
 * import { MeshStandardNodeMaterial } from 'three/webgpu';
 * import { instanceId } from 'scene-octree/tsl';
 *
 * const coloured = new MeshStandardNodeMaterial();
 * coloured.colorNode = Fn(() => vec3(hash(instanceId)))();
 * ```
 */
export const instanceId: typeof instanceIndex = /* @__PURE__ */ instanceIdNodeFor(
  instanceIndex as unknown as TslNode,
) as unknown as typeof instanceIndex;
