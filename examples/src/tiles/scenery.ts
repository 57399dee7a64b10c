// A clear morning over the city: sky, sun and haze, and the ground when it is built.

import {
  Color,
  DirectionalLight,
  Fog,
  HemisphereLight,
  type Mesh,
  type PerspectiveCamera,
  Scene,
  Vector3,
} from 'three';
import { createSkyDome } from '../shared/sky-dome.ts';

/** Distance of the far plane in metres, where the haze is opaque. */
export const FAR = 9000;
const HORIZON = new Color('#cbd9e6');
const ZENITH = new Color('#3d78bf');
const SUNLIGHT = new Color('#ffe2b8');
const TO_SUN = new Vector3(-0.62, 0.55, 0.56).normalize();
const SKY_COLOUR = /* glsl */ `
  float height = 1.0 - exp(-5.0 * max(0.0, way.y));
  float glow = pow(max(0.0, dot(way, toSun)), 10.0);
  colour = mix(horizon, zenith, height) + sunlight * glow * 0.3;`;

export class Scenery {
  readonly scene = new Scene();
  readonly background = HORIZON;
  readonly dome = createSkyDome(
    { horizon: HORIZON, zenith: ZENITH, sunlight: SUNLIGHT, toSun: TO_SUN },
    FAR * 0.9,
    SKY_COLOUR,
  );

  constructor() {
    const sun = new DirectionalLight(SUNLIGHT, 3.6);
    sun.position.copy(TO_SUN);
    this.scene.add(this.dome, sun, new HemisphereLight('#c4dbf5', '#6d675c', 1.15));
    this.scene.fog = new Fog(HORIZON, FAR * 0.2, FAR);
  }

  set ground(ground: Mesh) {
    this.scene.add(ground);
  }

  follow({ position }: PerspectiveCamera): void {
    this.dome.position.copy(position);
  }
}
