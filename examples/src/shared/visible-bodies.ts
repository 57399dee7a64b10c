// Draws bodies twice: as the instances of a pillar, chosen by their own octree, and as points, chosen by an index list.

import {
  BoxGeometry, BufferAttribute, BufferGeometry, DynamicDrawUsage, InstancedMesh, Points, ShaderMaterial, type Camera,
} from 'three';
import type { IndexList } from '../../../src/index.ts';
import { OctreeInstances, type OctreeInstancesOptions } from '../../../src/three/index.ts';
import type { BodySet } from './body-set.ts';
import { pillarShader, pointShader } from './body-shaders.ts';

/** How a data set wants its bodies drawn. */
export type BodyStyle = 'globe' | 'city';

export class VisibleBodies {
  /** For the camera's picture: a pillar each, one instanced draw call. */
  readonly pillars: OctreeInstances;
  /** For the observer: a point each. */
  readonly points: Points<BufferGeometry, ShaderMaterial>;
  /** The same for all bodies, whether visible or not. */
  readonly allPoints: Points<BufferGeometry, ShaderMaterial>;
  /** An instance to compile and upload ahead of the first frame what all of them share. */
  readonly sample: InstancedMesh<BufferGeometry, ShaderMaterial>;
  private readonly uniforms = { far: { value: Infinity }, pixelSize: { value: 0 }, pointScale: { value: 1 } };
  private readonly indices: BufferAttribute;
  private readonly changed = { start: 0, count: 0 };

  /**
   * No body stands there yet: `add` them.
   *
   * @param list Says which points to draw, in place: its array must hold all bodies of the set from the start, so that it never moves.
   */
  constructor(set: BodySet, list: IndexList, style: BodyStyle, options: OctreeInstancesOptions) {
    const defines = style === 'globe' ? { GLOBE: '' } : {};
    // Pillars are drawn within their box, but for those that would be too thin to see.
    this.pillars = new OctreeInstances(createPillar(), new ShaderMaterial({ ...pillarShader, uniforms: this.uniforms, defines }), 0, { ...options, bounds: 'box' });
    this.sample = new InstancedMesh(this.pillars.geometry, this.pillars.material as ShaderMaterial, 1);
    const shine = new ShaderMaterial({ ...pointShader, uniforms: this.uniforms, defines });
    const { positions, heights } = centresOf(set);
    this.indices = new BufferAttribute(list.array, 1).setUsage(DynamicDrawUsage);
    [this.points, this.allPoints] = [this.indices, null].map((index) => {
      const geometry = new BufferGeometry().setAttribute('position', positions).setAttribute('height', heights).setIndex(index);
      return new Points(geometry, shine);
    });
    this.points.frustumCulled = this.allPoints.frustumCulled = false;
    this.show(0);
  }

  /** Draws the first `count` points of the list from now on. */
  show(count: number): void {
    this.changed.count = count;
    this.points.geometry.setDrawRange(0, count);
    this.points.visible = count > 0;
    if (count === 0) return;
    this.indices.updateRanges.length = 0;
    this.indices.updateRanges.push(this.changed);
    this.indices.needsUpdate = true;
  }

  /** What culls the pillars, where they fade out, pixels a CSS pixel, and how many units a CSS pixel covers at a distance of one unit. */
  setView(culling: Camera, far: number, pixelRatio: number, pixelSize: number): void {
    this.pillars.cullingCamera = culling;
    this.uniforms.far.value = far;
    this.uniforms.pointScale.value = pixelRatio;
    this.uniforms.pixelSize.value = pixelSize;
  }

  dispose(): void {
    this.pillars.dispose();
    this.sample.dispose();
    for (const { geometry, material } of [this.sample, this.points, this.allPoints]) {
      geometry.dispose();
      material.dispose();
    }
  }
}

/** A box without its bottom: -0.5 to 0.5 across, 0 to 1 upwards. */
function createPillar(): BufferGeometry {
  const box = new BoxGeometry(1, 1, 1).translate(0, 0.5, 0);
  const corners = [...box.index!.array];
  // Six faces of six corners in the order +x -x +y -y +z -z.
  corners.splice(18, 6);
  return box.deleteAttribute('uv').setIndex(corners);
}

/** Where a body's middle is, and how high the body. */
function centresOf({ count, matrices }: BodySet): { positions: BufferAttribute; heights: BufferAttribute } {
  const positions = new Float32Array(count * 3);
  const heights = new Float32Array(count);
  for (let body = 0; body < count; body++) {
    let squares = 0;
    for (let axis = 0; axis < 3; axis++) {
      const up = matrices[body * 16 + 4 + axis];
      positions[body * 3 + axis] = matrices[body * 16 + 12 + axis] + up / 2;
      squares += up * up;
    }
    heights[body] = Math.sqrt(squares);
  }
  return { positions: new BufferAttribute(positions, 3), heights: new BufferAttribute(heights, 1) };
}
