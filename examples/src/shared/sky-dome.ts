// A sky that is drawn behind everything: a dome around the camera, with a colour for each direction.

import { BackSide, type Color, Mesh, ShaderMaterial, SphereGeometry, type Vector3 } from 'three';

export interface SkyColours {
  readonly horizon: Color;
  readonly zenith: Color;
  readonly sunlight: Color;
  /** Unit vector to the sun. */
  readonly toSun: Vector3;
}

/**
 * @param radius Within the far plane.
 * @param colour GLSL statements that set `vec3 colour`, from the unit vector `way`, and the colours and `toSun` by
 *   their names.
 */
export function createSkyDome({ horizon, zenith, sunlight, toSun }: SkyColours, radius: number, colour: string): Mesh {
  const material = new ShaderMaterial({
    side: BackSide,
    depthWrite: false,
    depthTest: false,
    uniforms: {
      horizon: { value: horizon },
      zenith: { value: zenith },
      sunlight: { value: sunlight },
      toSun: { value: toSun },
    },
    vertexShader: /* glsl */ `
varying vec3 direction;
void main() {
  direction = position;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`,
    fragmentShader: /* glsl */ `
uniform vec3 horizon, zenith, sunlight, toSun;
varying vec3 direction;
void main() {
  vec3 way = normalize(direction);
  vec3 colour;
  ${colour}
  gl_FragColor = vec4(colour, 1.0);
  #include <colorspace_fragment>
}`,
  });
  const dome = new Mesh(new SphereGeometry(radius, 24, 12), material);
  dome.renderOrder = -1;
  dome.frustumCulled = false;
  return dome;
}
