// Draws the city, its people and what the watchers see of it.

import { BufferAttribute, BufferGeometry, CustomBlending, DoubleSide, DynamicDrawUsage, Group, InstancedMesh, Mesh, OneFactor, OneMinusDstColorFactor, Points, ShaderMaterial } from 'three';
import { createCity } from '../shared/city-blocks.ts';
import { palette } from '../shared/colours.ts';
import type { Sight } from './sight.ts';

/** Height of the fans above the ground. */
const FAN_HEIGHT = 0.4;
const DOT_HEIGHT = 1.7;
const STATES = { unseen: 0, seen: 1, watcher: 2 };

export class CityView {
  readonly object = new Group();
  private readonly fans: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly dots: Points<BufferGeometry, ShaderMaterial>;

  constructor(sight: Sight) {
    const { buildings, fan, people, watchers } = sight;
    this.object.add(createCity(buildings));
    this.fans = new Mesh(fanGeometry(watchers.count, fan), new ShaderMaterial({
      vertexShader: fanVertex, fragmentShader: fanFragment, transparent: true, depthWrite: false, side: DoubleSide, uniforms: { colour: { value: palette.contained } },
      // Screen: where many views overlap it gets brighter, but never white.
      blending: CustomBlending, blendSrc: OneMinusDstColorFactor, blendDst: OneFactor,
    }));
    this.dots = new Points(
      new BufferGeometry().setAttribute('position', dynamicAttribute(people.count + watchers.count, 3)).setAttribute('state', dynamicAttribute(people.count + watchers.count, 1)),
      new ShaderMaterial({ vertexShader: dotVertex, fragmentShader: dotFragment, uniforms: { pixelsPerMetre: { value: 1 }, seen: { value: palette.accent }, watcher: { value: palette.contained } } }),
    );
    for (const object of [this.fans, this.dots]) object.frustumCulled = false;
    this.object.add(this.fans, this.dots);
  }

  /** @param pixelsPerMetre Device pixels per metre, at a distance of one metre from the camera. */
  update(sight: Sight, range: number, pixelsPerMetre: number): void {
    this.updateFans(sight, range);
    this.updateDots(sight);
    this.dots.material.uniforms.pixelsPerMetre.value = pixelsPerMetre;
  }

  dispose(): void {
    this.object.traverse((object) => {
      if (object instanceof InstancedMesh) object.dispose();
      if (!(object instanceof Mesh || object instanceof Points)) return;
      object.geometry.dispose();
      (object.material as ShaderMaterial).dispose();
    });
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
        place.setXYZ(vertex, rays[ray * 7] + rays[ray * 7 + 3] * away, FAN_HEIGHT, rays[ray * 7 + 2] + rays[ray * 7 + 5] * away);
        part.setX(vertex, away / range);
      }
    }
    place.needsUpdate = true;
    part.needsUpdate = true;
  }

  private updateDots({ people, watchers, isSeen }: Sight): void {
    const place = this.dots.geometry.getAttribute('position') as BufferAttribute;
    const state = this.dots.geometry.getAttribute('state') as BufferAttribute;
    for (let person = 0; person < people.count; person++) {
      place.setXYZ(person, people.places[person * 2], DOT_HEIGHT, people.places[person * 2 + 1]);
      state.setX(person, isSeen[person] === 1 ? STATES.seen : STATES.unseen);
    }
    for (let watcher = 0; watcher < watchers.count; watcher++) {
      place.setXYZ(people.count + watcher, watchers.places[watcher * 2], DOT_HEIGHT, watchers.places[watcher * 2 + 1]);
      state.setX(people.count + watcher, STATES.watcher);
    }
    place.needsUpdate = true;
    state.needsUpdate = true;
  }
}

const dynamicAttribute = (count: number, itemSize: number): BufferAttribute => new BufferAttribute(new Float32Array(count * itemSize), itemSize).setUsage(DynamicDrawUsage);

/** For each watcher its place, then the ends of its rays. `part` is the distance from the watcher, as a part of the range. */
function fanGeometry(watchers: number, fan: number): BufferGeometry {
  const indices: number[] = [];
  for (let watcher = 0; watcher < watchers; watcher++) {
    const eye = watcher * (fan + 1);
    for (let k = 1; k < fan; k++) indices.push(eye, eye + k, eye + k + 1);
  }
  const vertices = watchers * (fan + 1);
  return new BufferGeometry().setAttribute('position', dynamicAttribute(vertices, 3)).setAttribute('part', dynamicAttribute(vertices, 1)).setIndex(indices);
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

const dotVertex = /* glsl */ `
in float state;
uniform float pixelsPerMetre;
uniform vec3 seen;
uniform vec3 watcher;
out vec3 vColour;
void main() {
  vec4 view = viewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * view;
  gl_PointSize = max(2.5, (state > 1.5 ? 3.4 : state > 0.5 ? 2.6 : 1.7) * pixelsPerMetre / -view.z);
  vColour = state > 1.5 ? mix(watcher, vec3(1.0), 0.6) : state > 0.5 ? seen : vec3(0.2, 0.27, 0.42);
}`;

const dotFragment = /* glsl */ `
in vec3 vColour;
void main() {
  if (length(gl_PointCoord * 2.0 - 1.0) > 1.0) discard;
  gl_FragColor = vec4(vColour, 1.0);
  #include <colorspace_fragment>
}`;
