// Shaders that draw an instance as a pillar, or a body as a point.
// With GLOBE defined, pillars have one bright colour; otherwise they have walls and windows.

import { bodyRampGlsl, palette } from '../shared/colours.ts';

const rank = /* glsl */ `
float rank(float height) {
  #ifdef GLOBE
    return clamp(log(height / 1.6) / log(150.0), 0.0, 1.0);
  #else
    return clamp(log(height / 8.0) / log(50.0), 0.0, 1.0);
  #endif
}
${bodyRampGlsl}
`;

/** Pillars are at least 1.3 pixels wide, so that they do not flicker. They fade out near the distance `far`. */
export const pillarShader = {
  vertexShader: /* glsl */ `
uniform float far;
uniform float pixelSize;
out vec3 vColour;
out vec3 vNormal;
out vec2 vWall;
flat out float vSeed;
out float vFade;
out float vHaze;
${rank}
void main() {
  vec3 foot = instanceMatrix[3].xyz;
  vec3 size = vec3(length(instanceMatrix[0].xyz), length(instanceMatrix[1].xyz), length(instanceMatrix[2].xyz));
  float away = distance(foot, cameraPosition);
  vec3 drawn = size;
  drawn.xz = max(drawn.xz, vec2(1.3 * away * pixelSize));
  #ifdef GLOBE
    drawn.y = max(drawn.y, 1.3 * away * pixelSize);
  #endif
  vec3 world = foot + mat3(instanceMatrix) * (position * drawn / size);
  vColour = bodyRamp(rank(size.y));
  vNormal = normal;
  vWall = vec2(dot(position, abs(normal.zyx)) * (abs(normal.x) > 0.5 ? size.z : size.x), position.y * size.y);
  vSeed = float((floatBitsToUint(foot.x) * 2654435761u ^ floatBitsToUint(foot.z) * 2246822519u) >> 20u);
  vHaze = 1.0 - exp(-away / 9000.0);
  vFade = 1.0 - smoothstep(0.86, 1.0, away / far);
  gl_Position = projectionMatrix * viewMatrix * vec4(world, 1.0);
}`,
  fragmentShader: /* glsl */ `
in vec3 vColour;
in vec3 vNormal;
in vec2 vWall;
flat in float vSeed;
in float vFade;
in float vHaze;
float hash(vec3 p) { return fract(sin(dot(p, vec3(12.9898, 78.233, 37.719))) * 43758.5453); }
/** Lit windows, 3.4 m apart in storeys of 3.2 m. With distance, several windows merge into one. */
vec3 windows() {
  vec2 grid = vWall / vec2(3.4, 3.2);
  vec2 blur = fwidth(grid);
  float level = max(0.0, ceil(log2(max(blur.x, blur.y) * 2.2)));
  grid *= exp2(-level);
  float busy = 0.1 + 0.4 * hash(vec3(vSeed, 3.0, 7.0));
  float lit = step(1.0 - busy, hash(vec3(floor(grid), vSeed))) * (0.5 + 0.5 * hash(vec3(floor(grid), vSeed + 5.0)));
  vec2 pane = smoothstep(vec2(0.18, 0.22), vec2(0.26, 0.3), fract(grid))
    * (1.0 - smoothstep(vec2(0.74, 0.7), vec2(0.82, 0.78), fract(grid)));
  return vec3(1.0, 0.72, 0.38) * lit * pane.x * pane.y * exp2(-0.55 * level);
}
void main() {
  if (vFade < 1.0 && fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) >= vFade) discard;
  #ifdef GLOBE
    float shade = vNormal.y > 0.5 ? 1.0 : 0.55 + 0.25 * vNormal.x + 0.1 * vNormal.z;
    vec3 colour = vColour * shade;
  #else
    float light = 0.42 + 0.3 * vNormal.x + 0.16 * vNormal.z + 0.6 * max(vNormal.y, 0.0);
    vec3 stone = mix(vec3(0.026, 0.035, 0.054), vec3(0.06, 0.068, 0.084), hash(vec3(vSeed, 1.0, 2.0)));
    vec3 colour = (stone + vColour * 0.012) * light;
    // Street light on the lower walls.
    if (vNormal.y < 0.5) colour += windows() * 0.8 + vec3(0.16, 0.085, 0.035) * exp(-vWall.y / 7.0);
    colour = mix(colour, vec3(${palette.dusk.toArray().join(', ')}), vHaze);
  #endif
  gl_FragColor = vec4(colour, 1.0);
  #include <colorspace_fragment>
}`,
};

export const pointShader = {
  vertexShader: /* glsl */ `
uniform float pointScale;
in float height;
out vec3 vColour;
${rank}
void main() {
  float r = rank(height);
  vColour = bodyRamp(0.2 + 0.8 * r);
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
  gl_PointSize = clamp(1.2 + 1.8 * r, 1.0, 4.0) * max(1.0, pointScale);
}`,
  fragmentShader: /* glsl */ `
in vec3 vColour;
void main() {
  gl_FragColor = vec4(vColour, 1.0);
  #include <colorspace_fragment>
}`,
};
