/** Containers with OcclusionCulling, for the standing check: names what is solid, and counts what was hidden. */

import { Box3, Vector3, type BufferGeometry, type Camera, type Mesh } from 'three';
import { OcclusionCulling, type OctreeGroup, type OctreeInstances, type SolidParts } from '../../../src/three.ts';

/** Edge of a box inside a sphere of 8 by 6 segments, as a share of its radius. */
const IN_SPHERE = 0.7;

export class OccludedContainers {
  /** Bodies and nodes that passes have hidden, over all frames. */
  hidden = 0;
  private readonly all: OcclusionCulling[] = [];
  private readonly camera: Camera;

  constructor(camera: Camera) {
    this.camera = camera;
  }

  add(container: OctreeGroup | OctreeInstances): void {
    this.all.push(
      new OcclusionCulling<OctreeGroup | OctreeInstances>(container, this.camera, {
        auto: solidPartsOf,
        minRemoved: 0,
        minOccluderArea: 0,
      }),
    );
  }

  /** Call it after each frame. */
  endFrame(): void {
    for (const { reason, stats } of this.all)
      if (reason === '') this.hidden += stats.bodiesHidden! + stats.nodesHidden!;
  }

  dispose(): void {
    for (const occlusion of this.all) occlusion.dispose();
  }
}

/** What is solid of boxes and spheres whose vertices are where three has put them. */
export function solidPartsOf({ geometry }: Mesh): SolidParts | null {
  if (geometry.type === 'BoxGeometry') {
    const [x, y, z] = ['width', 'height', 'depth'].map((name) => Math.fround(parameterOf(geometry, name) / 2));
    const isBox = verticesOf(geometry).every((vertex) => new Vector3(x, y, z).equals(absolute(vertex)));
    return isBox && geometry.index?.count === 36 ? true : null;
  }
  if (geometry.type !== 'SphereGeometry' || parameterOf(geometry, 'phiLength') !== 2 * Math.PI) return null;
  const radius = parameterOf(geometry, 'radius');
  const isSphere =
    parameterOf(geometry, 'thetaLength') === Math.PI &&
    parameterOf(geometry, 'widthSegments') >= 8 &&
    parameterOf(geometry, 'heightSegments') >= 6 &&
    verticesOf(geometry).every((vertex) => Math.abs(vertex.length() - radius) < 1e-5 * radius);
  return isSphere ? new Box3().setFromCenterAndSize(new Vector3(), new Vector3().setScalar(IN_SPHERE * radius)) : null;
}

function parameterOf(geometry: BufferGeometry, name: string): number {
  return (geometry as unknown as { parameters: Record<string, number> }).parameters[name];
}

function verticesOf({ attributes: { position } }: BufferGeometry): Vector3[] {
  return Array.from({ length: position.count }, (_, k) => new Vector3().fromBufferAttribute(position, k));
}

const absolute = ({ x, y, z }: Vector3): Vector3 => new Vector3(Math.abs(x), Math.abs(y), Math.abs(z));
