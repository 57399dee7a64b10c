// Daylight: the sun with shadows around the person, the sky with clouds, and haze.

import {
  Color,
  DirectionalLight,
  Fog,
  Group,
  HemisphereLight,
  IcosahedronGeometry,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  type Scene,
  Vector3,
} from 'three';
import { hash } from '../shared/noise.ts';
import { createSkyDome } from '../shared/sky-dome.ts';

export const FAR = 520;
const HORIZON = new Color('#e9f1f2');
const ZENITH = new Color('#6fb1e4');
const SUNLIGHT = new Color('#fff3d6');
const TO_SUN = new Vector3(0.52, 0.72, 0.46).normalize();
/** Half of the width of what has shadows, in metres, and the pixels of the shadow map across it. */
const SHADED = 46;
const SHADOW_PIXELS = 2048;
const CLOUDS = 14;

export class Scenery {
  static readonly background = HORIZON;
  readonly object = new Group();
  private readonly dome = createSkyDome(
    { horizon: HORIZON, zenith: ZENITH, sunlight: SUNLIGHT, toSun: TO_SUN },
    FAR * 0.9,
    `colour = mix(horizon, zenith, pow(clamp(way.y, 0.0, 1.0), 0.62));
  colour += sunlight * 0.35 * pow(max(0.0, dot(way, toSun)), 60.0);`,
  );
  private readonly sun = new DirectionalLight(SUNLIGHT, 2.6);

  constructor(scene: Scene) {
    const { sun } = this;
    scene.fog = new Fog(HORIZON, 70, FAR * 0.85);
    sun.castShadow = true;
    sun.shadow.mapSize.setScalar(SHADOW_PIXELS);
    sun.shadow.bias = -0.0006;
    sun.shadow.normalBias = 0.035;
    Object.assign(sun.shadow.camera, { left: -SHADED, right: SHADED, top: SHADED, bottom: -SHADED, near: 1, far: 190 });
    this.object.add(this.dome, createClouds(), sun, sun.target, new HemisphereLight('#d4e8fb', '#b7a684', 1.55));
    scene.add(this.object);
  }

  get samples(): readonly Object3D[] {
    return [this.dome];
  }

  /** @param eye Of the camera. @param middle Of what has shadows. */
  follow(eye: Vector3, middle: Vector3): void {
    const { dome, sun } = this;
    dome.position.copy(eye);
    // In whole pixels of the shadow map, so that the edges of shadows stand still.
    const pixel = (2 * SHADED) / SHADOW_PIXELS;
    const snap = (value: number): number => Math.round(value / (8 * pixel)) * 8 * pixel;
    sun.target.position.set(snap(middle.x), snap(middle.y), snap(middle.z));
    sun.position.copy(sun.target.position).addScaledVector(TO_SUN, 95);
  }
}

function createClouds(): Group {
  const clouds = new Group();
  const geometry = new IcosahedronGeometry(1, 2);
  const material = new MeshBasicMaterial({ color: '#fdfdfb', fog: false, transparent: true, opacity: 0.92 });
  for (let k = 0; k < CLOUDS; k++) {
    const angle = (k / CLOUDS) * 2 * Math.PI + hash(k, 1, 7);
    const away = 330 + 80 * hash(k, 2, 7);
    for (let puff = 0; puff < 4; puff++) {
      const mesh = new Mesh(geometry, material);
      const size = 9 + 13 * hash(k, 10 + puff, 7);
      mesh.position.set(
        Math.sin(angle) * away + (puff - 1.5) * 15 * Math.cos(angle),
        82 + 46 * hash(k, 3, 7),
        Math.cos(angle) * away - (puff - 1.5) * 15 * Math.sin(angle),
      );
      mesh.scale.set(size * 1.5, size * 0.42, size * 1.5);
      clouds.add(mesh);
    }
  }
  return clouds;
}
