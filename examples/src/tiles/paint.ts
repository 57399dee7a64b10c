// Paints the houses of tiles, which are bare triangles: roofs by their slope, windows by the place on a wall. So a
// house takes ten vertices in a file.

import { BufferGeometry, Float32BufferAttribute, Mesh, MeshStandardMaterial, type Object3D } from 'three';

export function paintHouses(scene: Object3D): void {
  scene.traverse((object) => {
    const { material } = object as Mesh;
    if (material instanceof MeshStandardMaterial) paint(material);
  });
}

/** A mesh that is drawn by the shader of the houses. */
export function paintedSample(): Mesh {
  const triangle = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(9, 3));
  const mesh = new Mesh(triangle, new MeshStandardMaterial({ flatShading: true }));
  paint(mesh.material);
  mesh.frustumCulled = false;
  return mesh;
}

function paint(material: MeshStandardMaterial): void {
  material.customProgramCacheKey = () => 'houses';
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nvarying vec3 vPlace;')
      .replace(
        '#include <project_vertex>',
        '#include <project_vertex>\nvPlace = (modelMatrix * vec4(transformed, 1.0)).xyz;',
      );
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>\n${PAINT}`)
      .replace(
        '#include <normal_fragment_maps>',
        '#include <normal_fragment_maps>\npaintHouse(diffuseColor.rgb, inverseTransformDirection(normal, viewMatrix), roughnessFactor);',
      );
  };
}

const PAINT = /* glsl */ `
varying vec3 vPlace;
const vec3 GRAVEL = vec3(0.36, 0.35, 0.34);
const vec3 TILES = vec3(0.42, 0.16, 0.09);
const vec3 SLATE = vec3(0.17, 0.19, 0.22);
const vec3 GLASS = vec3(0.10, 0.14, 0.19);

void paintHouse(inout vec3 color, vec3 facing, inout float roughness) {
  // Roofs change from street to street.
  vec2 far = vPlace.xz / vec2(170.0, 90.0);
  float district = 0.5 + 0.28 * sin(far.x + 2.0 * sin(0.29 * far.y)) + 0.22 * sin(far.y + 4.1 * far.x);
  if (facing.y > 0.97) color = GRAVEL * (0.9 + 0.3 * district);
  else if (facing.y > 0.2) color = mix(TILES, SLATE, smoothstep(0.62, 0.82, district)) * (0.8 + 0.5 * district);
  else {
    vec2 along = normalize(vec2(-facing.z, facing.x) + 1e-6);
    // Storeys of 3.1 m, a window each 2.6 m.
    vec2 at = vec2(dot(vPlace.xz, along) / 2.6, vPlace.y / 3.1);
    vec2 blur = fwidth(at) + 0.02;
    vec2 frame = smoothstep(vec2(0.3, 0.27) + blur, vec2(0.3, 0.27) - blur, abs(fract(at) - 0.5));
    // Where a pixel has several windows, it has their mean.
    float window = mix(frame.x * frame.y, 0.32, smoothstep(0.25, 0.7, max(blur.x, blur.y)));
    color = mix(color, GLASS, 0.85 * window) * mix(0.62, 1.0, smoothstep(0.0, 9.0, vPlace.y));
    roughness = mix(roughness, 0.35, window);
  }
}`;
