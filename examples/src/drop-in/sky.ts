// The evening light: a sky dome that is bright around the sun, warm sunlight with long shadows, and blue sky light.

import {
  Color,
  DirectionalLight,
  Fog,
  HemisphereLight,
  Mesh,
  type PerspectiveCamera,
  type Scene,
  Vector3,
} from 'three';
import { createSkyDome } from '../shared/sky-dome.ts';
import { VIEW } from './forest.ts';

const HORIZON = new Color('#59627f');
const ZENITH = new Color('#131d33');
const SUNLIGHT = new Color('#ffb978');
/** Unit vector to the sun. */
const TO_SUN = new Vector3(0.62, 0.46, -0.64).normalize();
const SKY = { horizon: HORIZON, zenith: ZENITH, sunlight: SUNLIGHT, toSun: TO_SUN };
const SKY_COLOUR = /* glsl */ `
  float height = smoothstep(0.0, 0.55, way.y);
  float glow = pow(max(0.0, dot(normalize(way.xz), normalize(toSun.xz)) * 0.5 + 0.5), 6.0)
    * exp(-abs(way.y - 0.02) * 7.0);
  colour = mix(horizon, zenith, height) + sunlight * glow * 0.55 * smoothstep(-0.01, 0.06, way.y);`;
/** Radius of the ground that gets shadows, around a point ahead of the camera, in metres. */
const SHADOW_RADIUS = 65;
/** Edge of the shadow map in texels. */
const SHADOW_SIZE = 1024;
/** Distance of that point from the camera in metres. */
const AHEAD = 55;
/** Extra height of the shadow camera for objects on the ground, in metres. */
const MAX_OBJECT_HEIGHT = 8;

export class Sky {
  readonly background = HORIZON;
  private readonly sun = new DirectionalLight(SUNLIGHT, 4);
  private readonly dome: Mesh;
  private readonly ahead = new Vector3();
  private readonly across = new Vector3();
  private readonly upwards = new Vector3();

  constructor(scene: Scene) {
    const { sun } = this;
    sun.castShadow = true;
    sun.shadow.mapSize.setScalar(SHADOW_SIZE);
    sun.shadow.bias = -0.0006;
    sun.shadow.normalBias = 0.25;
    const { camera } = sun.shadow;
    camera.left = -SHADOW_RADIUS;
    camera.right = SHADOW_RADIUS;
    // The ground is seen from the sun at a low angle, so it is lower than wide in the shadow map.
    camera.top = SHADOW_RADIUS * TO_SUN.y + MAX_OBJECT_HEIGHT;
    camera.bottom = -camera.top;
    camera.near = 1;
    camera.far = SHADOW_RADIUS * 4;
    // The axes of the shadow map in the world.
    this.across.crossVectors(new Vector3(0, 1, 0), TO_SUN).normalize();
    this.upwards.crossVectors(TO_SUN, this.across);
    this.dome = createSkyDome(SKY, VIEW * 0.9, SKY_COLOUR);
    scene.fog = new Fog(HORIZON, VIEW * 0.25, VIEW * 0.97);
    scene.add(this.dome, sun, sun.target, new HemisphereLight(new Color('#7f9bd6'), new Color('#4a3a2c'), 1.7));
  }

  /** Objects to compile in advance. */
  get objects(): readonly Mesh[] {
    return [this.dome];
  }

  set castsShadows(isOn: boolean) {
    this.sun.castShadow = isOn;
  }

  /**
   * Moves sky and shadows with the camera. The shadow map moves in whole texels, so that shadow edges do not flicker.
   */
  follow(camera: PerspectiveCamera): void {
    const { sun, ahead, across, upwards } = this;
    this.dome.position.copy(camera.position);
    camera.getWorldDirection(ahead).setY(0).normalize().multiplyScalar(AHEAD).add(camera.position);
    const texel = (SHADOW_RADIUS * 2) / SHADOW_SIZE;
    for (const axis of [across, upwards]) {
      const along = ahead.dot(axis);
      ahead.addScaledVector(axis, Math.round(along / texel) * texel - along);
    }
    sun.target.position.copy(ahead);
    sun.position.copy(ahead).addScaledVector(TO_SUN, SHADOW_RADIUS * 2);
  }
}
