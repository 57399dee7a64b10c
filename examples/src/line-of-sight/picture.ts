// Draws the city, its people and what the watchers see of it.

import {
  type BufferAttribute,
  BufferGeometry,
  Color,
  CustomBlending,
  DoubleSide,
  Group,
  Mesh,
  OneFactor,
  OneMinusDstColorFactor,
  ShaderMaterial,
} from 'three';
import { createCityBlocks } from '../shared/city-blocks.ts';
import { palette } from '../shared/colours.ts';
import { disposeTree } from '../shared/dispose-tree.ts';
import { Dots, dynamicAttribute } from '../shared/dots.ts';
import type { Sight } from './sight.ts';

/** Height of the fans above the ground. */
const FAN_HEIGHT = 0.4;
const DOT_HEIGHT = 1.7;
/** Size in metres. */
const DOTS = {
  unseen: { colour: new Color().setRGB(0.2, 0.27, 0.42), size: 1.7 },
  seen: { colour: palette.accent, size: 2.6 },
  watcher: { colour: palette.contained.clone().lerp(new Color('white'), 0.6), size: 3.4 },
};

export class Picture {
  readonly object = new Group();
  private readonly fans: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly dots: Dots;

  constructor(sight: Sight) {
    const { buildings, fan, people, watchers } = sight;
    this.object.add(createCityBlocks(buildings));
    this.fans = new Mesh(
      fanGeometry(watchers.count, fan),
      new ShaderMaterial({
        vertexShader: fanVertex,
        fragmentShader: fanFragment,
        transparent: true,
        depthWrite: false,
        side: DoubleSide,
        uniforms: { colour: { value: palette.contained } },
        // The blending "screen": where many views overlap the picture gets brighter, but never white.
        blending: CustomBlending,
        blendSrc: OneMinusDstColorFactor,
        blendDst: OneFactor,
      }),
    );
    this.dots = new Dots(people.count + watchers.count, 2.5);
    this.fans.frustumCulled = false;
    this.object.add(this.fans, this.dots.object);
  }

  /** @param pixelsPerMetre Device pixels per metre, at a distance of one metre from the camera. */
  update(sight: Sight, range: number, pixelsPerMetre: number): void {
    this.updateFans(sight, range);
    this.updateDots(sight, pixelsPerMetre);
  }

  dispose(): void {
    disposeTree(this.object);
  }

  /** Each vertex of a fan lies where its ray ends: at a building, or at the end of the range. */
  private updateFans({ watchers, fan, rays, hits: { distances }, rayCount }: Sight, range: number): void {
    if (rayCount === 0) return;
    const place = this.fans.geometry.getAttribute('position') as BufferAttribute;
    const part = this.fans.geometry.getAttribute('part') as BufferAttribute;
    for (let watcher = 0, vertex = 0; watcher < watchers.count; watcher++) {
      place.setXYZ(vertex++, watchers.places[watcher * 2], FAN_HEIGHT, watchers.places[watcher * 2 + 1]);
      for (let k = 0; k < fan; k++, vertex++) {
        const ray = watcher * fan + k;
        const away = Math.min(range, distances[ray]);
        place.setXYZ(
          vertex,
          rays[ray * 7] + rays[ray * 7 + 3] * away,
          FAN_HEIGHT,
          rays[ray * 7 + 2] + rays[ray * 7 + 5] * away,
        );
        part.setX(vertex, away / range);
      }
    }
    place.needsUpdate = true;
    part.needsUpdate = true;
  }

  private updateDots({ people, watchers, isSeen }: Sight, pixelsPerMetre: number): void {
    for (let person = 0; person < people.count; person++)
      this.setDot(person, people.places, person, isSeen[person] === 1 ? DOTS.seen : DOTS.unseen);
    for (let watcher = 0; watcher < watchers.count; watcher++)
      this.setDot(people.count + watcher, watchers.places, watcher, DOTS.watcher);
    this.dots.update(pixelsPerMetre);
  }

  private setDot(
    dot: number,
    places: Float64Array,
    k: number,
    { colour, size }: (typeof DOTS)[keyof typeof DOTS],
  ): void {
    this.dots.set(dot, places[k * 2], DOT_HEIGHT, places[k * 2 + 1], colour, size);
  }
}

/**
 * For each watcher its place, then the ends of its rays. `part` is the distance from the watcher, as a part of the
 * range.
 */
function fanGeometry(watchers: number, fan: number): BufferGeometry {
  const indices: number[] = [];
  for (let watcher = 0; watcher < watchers; watcher++) {
    const eye = watcher * (fan + 1);
    for (let k = 1; k < fan; k++) indices.push(eye, eye + k, eye + k + 1);
  }
  const vertices = watchers * (fan + 1);
  return new BufferGeometry()
    .setAttribute('position', dynamicAttribute(vertices, 3))
    .setAttribute('part', dynamicAttribute(vertices, 1))
    .setIndex(indices);
}

const fanVertex = /* glsl */ `
in float part;
out float vPart;
void main() {
  vPart = part;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`;

const fanFragment = /* glsl */ `
in float vPart;
uniform vec3 colour;
void main() {
  float light = 1.0 - vPart;
  gl_FragColor = vec4(colour * (0.03 + 0.13 * light * light), 1.0);
  #include <colorspace_fragment>
}`;
