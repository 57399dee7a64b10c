// Draws bodies twice: as instances of a pillar, culled by their own octree, and as points, selected by an index list.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  InstancedMesh,
  Points,
  ShaderMaterial,
  type Camera,
} from 'three';
import type { IndexList } from '../../../src/index.ts';
import { OctreeInstances, type OctreeInstancesOptions } from '../../../src/three.ts';
import type { BodySet } from '../shared/body-set.ts';
import { pillarShader, pointShader } from './body-shaders.ts';

/** How the bodies of a data set are drawn. */
export type BodyStyle = 'globe' | 'city';

export class VisibleBodies {
  /** For the camera's view: one pillar per body, one instanced draw call. */
  readonly pillars: OctreeInstances;
  /** For the observer's view: one point per visible body. */
  readonly points: Points<BufferGeometry, ShaderMaterial>;
  /** One point per body, visible or not. */
  readonly allPoints: Points<BufferGeometry, ShaderMaterial>;
  /** One instance, to compile the shared material and upload the shared geometry before the first frame. */
  readonly sample: InstancedMesh<BufferGeometry, ShaderMaterial>;
  private readonly uniforms = { far: { value: Infinity }, pixelSize: { value: 0 }, pointScale: { value: 1 } };
  private readonly indices: BufferAttribute;
  private readonly changed = { start: 0, count: 0 };

  /**
   * Creates no pillars; add them with `pillars.addInstances`.
   *
   * @param list Indices of the points to draw. The index buffer uses its array, so the list must have room for the
   *   whole set from the start: the array must not be reallocated.
   */
  constructor(set: BodySet, list: IndexList, style: BodyStyle, options: OctreeInstancesOptions) {
    const defines = style === 'globe' ? { GLOBE: '' } : {};
    // The shader keeps a pillar inside its box, unless the pillar is widened to stay visible.
    this.pillars = new OctreeInstances(
      createPillar(),
      new ShaderMaterial({ ...pillarShader, uniforms: this.uniforms, defines }),
      0,
      { ...options, bounds: 'box' },
    );
    this.sample = new InstancedMesh(this.pillars.geometry, this.pillars.material as ShaderMaterial, 1);
    const shine = new ShaderMaterial({ ...pointShader, uniforms: this.uniforms, defines });
    const { positions, heights } = centresOf(set);
    this.indices = new BufferAttribute(list.array, 1).setUsage(DynamicDrawUsage);
    [this.points, this.allPoints] = [this.indices, null].map((index) => {
      const geometry = new BufferGeometry()
        .setAttribute('position', positions)
        .setAttribute('height', heights)
        .setIndex(index);
      return new Points(geometry, shine);
    });
    this.points.frustumCulled = this.allPoints.frustumCulled = false;
    this.show(0);
  }

  /** Draws the first `count` points of the list, and uploads their indices. */
  show(count: number): void {
    this.changed.count = count;
    this.points.geometry.setDrawRange(0, count);
    this.points.visible = count > 0;
    if (count === 0) return;
    this.indices.updateRanges.length = 0;
    this.indices.updateRanges.push(this.changed);
    this.indices.needsUpdate = true;
  }

  /**
   * @param culling The camera that culls the pillars.
   * @param far Distance at which pillars have faded out, in world units.
   * @param pixelRatio Device pixels per CSS pixel.
   * @param pixelSize World units that a CSS pixel covers at a distance of one unit.
   */
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

/** A box without its bottom face: -0.5 to 0.5 in x and z, 0 to 1 in y. */
function createPillar(): BufferGeometry {
  const box = new BoxGeometry(1, 1, 1).translate(0, 0.5, 0);
  const corners = [...box.index!.array];
  // Each face has six indices; the faces have the order +x -x +y -y +z -z.
  corners.splice(18, 6);
  return box.deleteAttribute('uv').setIndex(corners);
}

/** Centres and heights of the bodies. */
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
