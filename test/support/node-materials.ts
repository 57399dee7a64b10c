/**
 * The node materials of three for meshes, each with the classic material that WebGPURenderer draws as if it was one.
 */

import {
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshMatcapMaterial,
  MeshNormalMaterial,
  MeshPhongMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  MeshToonMaterial,
  type Material,
} from 'three';
import {
  MeshBasicNodeMaterial,
  MeshLambertNodeMaterial,
  MeshMatcapNodeMaterial,
  MeshNormalNodeMaterial,
  MeshPhongNodeMaterial,
  MeshPhysicalNodeMaterial,
  MeshStandardNodeMaterial,
  MeshToonNodeMaterial,
  NodeMaterial,
} from 'three/webgpu';

export const NODE_MATERIALS: readonly (readonly [new () => NodeMaterial, (new () => Material) | null])[] = [
  [MeshBasicNodeMaterial, MeshBasicMaterial],
  [MeshLambertNodeMaterial, MeshLambertMaterial],
  [MeshMatcapNodeMaterial, MeshMatcapMaterial],
  [MeshNormalNodeMaterial, MeshNormalMaterial],
  [MeshPhongNodeMaterial, MeshPhongMaterial],
  [MeshPhysicalNodeMaterial, MeshPhysicalMaterial],
  [MeshStandardNodeMaterial, MeshStandardMaterial],
  [MeshToonNodeMaterial, MeshToonMaterial],
  [NodeMaterial, null],
];
