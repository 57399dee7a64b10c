// The other usual way: a loop over all meshes. Each takes the shape into its own space by the inverse of its matrix,
// and asks its own tree of triangles.

import { Box3, type BufferGeometry, Line3, Matrix4, Mesh, type Object3D, Ray, Vector3 } from 'three';
import { type ExtendedTriangle, MeshBVH } from 'three-mesh-bvh';
import type { Capsule } from './character.ts';
import { TriangleHit, type TriangleStats } from '../../../src/triangles/index.ts';

export class MeshLoop {
  /** The cost of the last query. */
  readonly stats: TriangleStats = { meshesTested: 0, nodesVisited: 0, trianglesTested: 0, objectsSkipped: 0 };
  private readonly meshes: Mesh[] = [];
  private readonly trees = new WeakMap<BufferGeometry, MeshBVH>();
  private readonly inverse = new Matrix4();
  private readonly segment = new Line3();
  private readonly box = new Box3();
  private readonly onTriangle = new Vector3();
  private readonly onSegment = new Vector3();
  private readonly scale = new Vector3();
  private readonly ray = new Ray();

  constructor(root: Object3D) {
    root.traverse((object) => void (object instanceof Mesh && this.meshes.push(object as Mesh)));
  }

  touch({ start, end, radius }: Capsule): TriangleHit[] {
    const { inverse, segment, box, onTriangle, onSegment, scale, stats } = this;
    const hits: TriangleHit[] = [];
    this.begin();
    for (const mesh of this.meshes) {
      inverse.copy(mesh.matrixWorld).invert();
      segment.start.copy(start).applyMatrix4(inverse);
      segment.end.copy(end).applyMatrix4(inverse);
      scale.setFromMatrixScale(inverse);
      // The greatest scale, so that no triangle is missed where the scales differ.
      const local = radius * Math.max(scale.x, scale.y, scale.z);
      box.makeEmpty().expandByPoint(segment.start).expandByPoint(segment.end).expandByScalar(local);
      this.treeOf(mesh.geometry).shapecast({
        intersectsBounds: (bounds) => bounds.intersectsBox(box),
        intersectsTriangle: (triangle: ExtendedTriangle) => {
          stats.trianglesTested++;
          triangle.closestPointToSegment(segment, onTriangle, onSegment);
          onTriangle.applyMatrix4(mesh.matrixWorld);
          onSegment.applyMatrix4(mesh.matrixWorld);
          const distance = onTriangle.distanceTo(onSegment);
          if (distance === 0 || distance > radius) return false;
          const hit = new TriangleHit();
          hit.object = mesh;
          hit.position.copy(onTriangle);
          hit.normal.subVectors(onSegment, onTriangle).divideScalar(distance);
          hit.depth = radius - distance;
          hits.push(hit);
          return false;
        },
      });
    }
    return hits;
  }

  /** The nearest triangle along a ray. */
  cast(origin: Vector3, motion: Vector3): TriangleHit | null {
    const { inverse, ray, stats } = this;
    const far = motion.length();
    let nearest: TriangleHit | null = null;
    this.begin();
    for (const mesh of this.meshes) {
      inverse.copy(mesh.matrixWorld).invert();
      ray.origin.copy(origin);
      ray.direction.copy(motion).divideScalar(far);
      ray.applyMatrix4(inverse);
      const found = this.treeOf(mesh.geometry).raycastFirst(ray, 2);
      if (found === null) continue;
      stats.trianglesTested++;
      const distance = found.point.applyMatrix4(mesh.matrixWorld).distanceTo(origin);
      if (distance > (nearest?.distance ?? far)) continue;
      nearest ??= new TriangleHit();
      nearest.object = mesh;
      nearest.distance = distance;
      nearest.normal.copy(found.face!.normal).transformDirection(mesh.matrixWorld);
    }
    if (nearest !== null && nearest.normal.dot(motion) > 0) nearest.normal.negate();
    return nearest;
  }

  private begin(): void {
    this.stats.meshesTested = this.meshes.length;
    this.stats.trianglesTested = 0;
  }

  private treeOf(geometry: BufferGeometry): MeshBVH {
    let tree = this.trees.get(geometry);
    if (tree === undefined) this.trees.set(geometry, (tree = new MeshBVH(geometry, { indirect: true })));
    return tree;
  }
}
