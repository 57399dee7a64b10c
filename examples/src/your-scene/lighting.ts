// The light of the page: sky and sun, and surroundings that metals reflect.

import {
  Color,
  DataTexture,
  DirectionalLight,
  EquirectangularReflectionMapping,
  FloatType,
  HemisphereLight,
  LinearFilter,
  PMREMGenerator,
  RGBAFormat,
  type Scene,
  type Texture,
  type WebGLRenderer,
} from 'three';
import { palette } from '../shared/colours.ts';
import { mix } from '../shared/noise.ts';

const SKY = new Color('#b9cdf2');
const GROUND = new Color('#4a3d33');
const SUN = new Color('#ffd9a6');
/** Size of the surroundings in texels. */
const WIDTH = 32;
const HEIGHT = 16;
/** Time for the driver to compile in the background. */
const COMPILE_MS = 200;
/** Intensity of the own lights in a scene that has lights. */
const DIMMED = 0.35;

/** Adds the lights and the background. */
export function light(scene: Scene, hasLights: boolean): void {
  const share = hasLights ? DIMMED : 1;
  const sun = new DirectionalLight(SUN, 3 * share);
  sun.position.set(0.6, 0.75, 0.45);
  scene.add(new HemisphereLight(SKY, GROUND, 1.9 * share), sun);
  scene.background = palette.dusk;
}

/** Surroundings as bright above as a cloudy sky. The caller sets them as the environment of a scene. */
export async function createSurroundings(renderer: WebGLRenderer): Promise<Texture> {
  const generator = new PMREMGenerator(renderer);
  generator.compileEquirectangularShader();
  await new Promise((resolve) => setTimeout(resolve, COMPILE_MS));
  const texels = new Float32Array(WIDTH * HEIGHT * 4);
  const color = new Color();
  for (let row = 0; row < HEIGHT; row++) {
    const height = row / (HEIGHT - 1);
    color.lerpColors(GROUND, SKY, Math.min(1, Math.max(0, height * 3 - 1))).multiplyScalar(mix(0.35, 1, height));
    for (let column = 0; column < WIDTH; column++) color.toArray(texels, (row * WIDTH + column) * 4);
  }
  const texture = new DataTexture(texels, WIDTH, HEIGHT, RGBAFormat, FloatType, EquirectangularReflectionMapping);
  texture.minFilter = texture.magFilter = LinearFilter;
  texture.needsUpdate = true;
  const { texture: surroundings } = generator.fromEquirectangular(texture);
  generator.dispose();
  texture.dispose();
  return surroundings;
}
