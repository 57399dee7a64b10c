// Draws the bodies of an index list and no others. What a body looks like lies in one texture that never changes;
// a frame only uploads the indices, four bytes a body, straight from the list the octree filled.

import {
  BoxGeometry, BufferAttribute, BufferGeometry, DataTexture, DynamicDrawUsage, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, NearestFilter, Points,
  RGBAIntegerFormat, ShaderMaterial, UnsignedIntType,
} from 'three';
import type { IndexList } from '../../../src/index.ts';
import { type BodySet, LOOKS_WIDTH } from './body-set.ts';
import { pillarShader, pointShader } from './body-shaders.ts';

/** How a data set wants its bodies drawn. */
export type BodyStyle = 'globe' | 'city';

export interface BodyUniforms {
  readonly [name: string]: { value: unknown };
  readonly far: { value: number };
  readonly pixelSize: { value: number };
  readonly pointScale: { value: number };
}

export class VisibleBodies {
  /** For the camera's picture: a pillar each, one instanced draw call. */
  readonly pillars: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  /** For the observer: a point each. */
  readonly points: Points<BufferGeometry, ShaderMaterial>;
  private readonly indices: readonly BufferAttribute[];
  private readonly changed = { start: 0, count: 0 };
  private readonly texture: DataTexture;
  private readonly uniforms: BodyUniforms;

  /** The list is drawn in place: its array must hold all bodies of the set from the start, so that it never moves. */
  constructor(set: BodySet, list: IndexList, style: BodyStyle) {
    this.texture = createLooksTexture(set);
    this.uniforms = {
      looks: { value: this.texture },
      steps: { value: [set.steps.height, set.steps.width] },
      far: { value: Infinity },
      pixelSize: { value: 0 },
      pointScale: { value: 1 },
    };
    const instances = new InstancedBufferAttribute(list.array, 1);
    const vertices = new BufferAttribute(list.array, 1);
    this.indices = [instances, vertices];
    for (const attribute of this.indices) attribute.setUsage(DynamicDrawUsage);
    this.pillars = new Mesh(createPillar(instances), this.createMaterial(pillarShader, style));
    this.points = new Points(new BufferGeometry().setAttribute('body', vertices), this.createMaterial(pointShader, style));
    this.pillars.frustumCulled = false;
    this.points.frustumCulled = false;
    this.show(0);
  }

  /** Draws the first `count` bodies of the list from now on. */
  show(count: number): void {
    this.changed.count = count;
    this.pillars.geometry.instanceCount = count;
    this.pillars.visible = count > 0;
    this.points.geometry.setDrawRange(0, count);
    this.points.visible = count > 0;
    if (count === 0) return;
    for (const attribute of this.indices) {
      attribute.updateRanges.length = 0;
      attribute.updateRanges.push(this.changed);
      attribute.needsUpdate = true;
    }
  }

  /** Where bodies fade out, pixels a CSS pixel, and how many units a CSS pixel covers at a distance of one unit. */
  setView(far: number, pixelRatio: number, pixelSize: number): void {
    this.uniforms.far.value = far;
    this.uniforms.pointScale.value = pixelRatio;
    this.uniforms.pixelSize.value = pixelSize;
  }

  dispose(): void {
    this.texture.dispose();
    for (const { geometry, material } of [this.pillars, this.points]) {
      geometry.dispose();
      material.dispose();
    }
  }

  private createMaterial(shader: { readonly vertexShader: string; readonly fragmentShader: string }, style: BodyStyle): ShaderMaterial {
    return new ShaderMaterial({ ...shader, uniforms: this.uniforms, defines: style === 'globe' ? { GLOBE: '' } : {} });
  }
}

function createLooksTexture(set: BodySet): DataTexture {
  const texture = new DataTexture(set.looks, LOOKS_WIDTH, set.looks.length / 4 / LOOKS_WIDTH, RGBAIntegerFormat, UnsignedIntType);
  texture.internalFormat = 'RGBA32UI';
  texture.minFilter = NearestFilter;
  texture.magFilter = NearestFilter;
  texture.needsUpdate = true;
  return texture;
}

/** A box without its bottom: -0.5 to 0.5 across, 0 to 1 upwards. */
function createPillar(indices: InstancedBufferAttribute): InstancedBufferGeometry {
  const box = new BoxGeometry(1, 1, 1).translate(0, 0.5, 0);
  const pillar = new InstancedBufferGeometry();
  pillar.setAttribute('position', box.getAttribute('position'));
  pillar.setAttribute('normal', box.getAttribute('normal'));
  const corners = [...box.index!.array];
  // Six faces of six corners in the order +x -x +y -y +z -z.
  corners.splice(18, 6);
  pillar.setIndex(corners);
  pillar.setAttribute('body', indices);
  box.dispose();
  return pillar;
}
