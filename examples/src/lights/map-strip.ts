// The shadow maps of all lamps, small, side by side. A map lights up when it is drawn.

import {
  type Light,
  Mesh,
  OrthographicCamera,
  PlaneGeometry,
  Scene,
  ShaderMaterial,
  type SpotLight,
  type Texture,
} from 'three';
import { palette } from '../shared/colours.ts';

/** Share of a tile that its frame takes at each side. */
const FRAME = 0.05;
/** Seconds until the light of a drawn map has halved. */
const HALF_LIFE = 0.15;

export class MapStrip {
  readonly scene = new Scene();
  readonly camera = new OrthographicCamera(0, 1, 1, 0, -1, 1);
  /** How bright each map is lit: 1 when it is drawn. */
  readonly glow: Float64Array;
  private readonly lamps: readonly SpotLight[];
  private readonly tiles: readonly Mesh<PlaneGeometry, ShaderMaterial>[];

  constructor(lamps: readonly SpotLight[]) {
    this.lamps = lamps;
    this.glow = new Float64Array(lamps.length);
    const plane = new PlaneGeometry(1 - 2 * FRAME, 1 - 2 * FRAME);
    this.tiles = lamps.map(
      ({ shadow: { camera } }) =>
        new Mesh(
          plane,
          new ShaderMaterial({
            vertexShader,
            fragmentShader,
            uniforms: {
              map: { value: null },
              near: { value: camera.near },
              far: { value: 26 },
              glow: { value: 0 },
              colour: { value: palette.accent.clone().convertLinearToSRGB() },
            },
          }),
        ),
    );
    this.scene.add(...this.tiles);
  }

  /** @param due The lamps whose maps were drawn in this frame. @param aspect Of the view: decides on the columns. */
  update(due: readonly Light[], seconds: number, aspect: number): void {
    this.layOut(aspect);
    this.tiles.forEach(({ material: { uniforms } }, k) => {
      const { shadow } = this.lamps[k];
      this.glow[k] = due.includes(this.lamps[k]) ? 1 : this.glow[k] * 0.5 ** (seconds / HALF_LIFE);
      uniforms.glow.value = this.glow[k];
      uniforms.map.value = (shadow.map as { depthTexture?: Texture | null } | null)?.depthTexture ?? null;
      uniforms.far.value = shadow.camera.far;
    });
  }

  /** Whether a map is still lit. */
  get isLit(): boolean {
    return this.glow.some((each) => each > 0.01);
  }

  /** As many columns as make square tiles in a grid that fits the view best. */
  private layOut(aspect: number): void {
    const count = this.tiles.length;
    const columns = [12, 6, 4, 3].reduce((best, each) =>
      Math.abs(Math.log((each * each) / count / aspect)) < Math.abs(Math.log((best * best) / count / aspect))
        ? each
        : best,
    );
    const rows = Math.ceil(count / columns);
    // The grid as a whole, in the middle of the view.
    const [width, height] = [Math.max(columns, rows * aspect), Math.max(rows, columns / aspect)];
    const [left, bottom] = [(columns - width) / 2, (rows - height) / 2];
    Object.assign(this.camera, { left, right: left + width, top: bottom + height, bottom });
    this.camera.updateProjectionMatrix();
    this.tiles.forEach((tile, k) => tile.position.set((k % columns) + 0.5, rows - Math.floor(k / columns) - 0.5, 0));
  }
}

const vertexShader = /* glsl */ `
varying vec2 at;
void main() {
  at = uv;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const fragmentShader = /* glsl */ `
uniform sampler2D map;
uniform float near, far, glow;
uniform vec3 colour;
varying vec2 at;
void main() {
  float depth = texture2D(map, at).r;
  float distance = near * far / (far - depth * (far - near));
  float height = clamp(1.0 - (distance - near) / 22.0, 0.0, 1.0);
  vec3 picture = vec3(0.1, 0.13, 0.19) + vec3(0.5, 0.56, 0.66) * height;
  vec2 edge = min(at, 1.0 - at);
  float rim = step(min(edge.x, edge.y), 0.045);
  vec3 lit = mix(picture, colour, 0.18 * glow);
  gl_FragColor = vec4(mix(lit, mix(vec3(0.16, 0.2, 0.28), colour, glow), rim), 1.0);
}`;
