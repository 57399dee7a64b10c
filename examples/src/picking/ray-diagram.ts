// Draws the path of a ray: the line, the nodes that it enters as boxes, and the hit point. The side view also shows the
// items that the ray was tested against.

import {
  BufferAttribute,
  BufferGeometry,
  type Color,
  DirectionalLight,
  Group,
  HemisphereLight,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshLambertMaterial,
  Points,
  type Ray,
  ShaderMaterial,
  Vector3,
} from 'three';
import { Octree } from '../../../src/index.ts';
import { type DrawnNode, type HelperOutline, OctreeHelper, type VisitResult } from '../../../src/three.ts';
import { palette } from '../shared/colours.ts';
import type { PickingWorld, Item } from './picking-world.ts';
import type { RecordedPick } from './recorded-pick.ts';

/** Maximum numbers drawn; more are unreadable. */
const MAX_BOXES = 2048;
const MAX_ITEMS = 500;
/** Length of the normal, as a share of the length of the ray. */
const NORMAL_LENGTH = 0.06;
/** Boxes at this depth and deeper have the colour of the last depth. */
const MAX_COLOR_DEPTH = 10;

/** How the nodes that a ray enters are drawn. */
export type PathOutline = 'off' | HelperOutline;

export class RayDiagram {
  readonly object = new Group();
  /** Drawn in all views. */
  private readonly lines = new Group();
  /** Drawn in the side view only. */
  private readonly items = new Group();
  private readonly sideLayer: number;
  private readonly boxes = new OctreeHelper(new Octree(), { limit: MAX_BOXES, coloring: paintNode });
  /** End points of the ray and of the normal. */
  private readonly ends = new BufferAttribute(new Float32Array(12), 3);
  private readonly spot = new BufferAttribute(new Float32Array(3), 3);
  private readonly testedMaterial = new MeshLambertMaterial({ color: palette.outside, fog: false });
  private readonly hitMaterial = new MeshLambertMaterial({
    color: palette.accent,
    emissive: palette.accent,
    emissiveIntensity: 0.25,
    fog: false,
  });

  /** @param sideLayer Layer of the objects that only the side view draws. */
  constructor(sideLayer: number) {
    this.sideLayer = sideLayer;
    const lights = [new HemisphereLight('#c8d6f0', '#39414f', 2), new DirectionalLight('#ffffff', 1.6)];
    this.object.add(this.lines, this.items, ...lights);
    for (const light of lights) light.layers.set(sideLayer);
    const colors = new BufferAttribute(
      new Float32Array([
        ...palette.accent.toArray(),
        ...palette.accent.toArray(),
        ...palette.contained.toArray(),
        ...palette.contained.toArray(),
      ]),
      3,
    );
    const ray = new LineSegments(
      new BufferGeometry().setAttribute('position', this.ends).setAttribute('color', colors),
      new LineBasicMaterial({ vertexColors: true, fog: false, depthTest: false, transparent: true }),
    );
    const spot = new Points(
      new BufferGeometry().setAttribute('position', this.spot),
      new ShaderMaterial({
        ...spotShader,
        depthTest: false,
        transparent: true,
        uniforms: { color: { value: palette.accent } },
      }),
    );
    this.boxes.material.fog = false;
    this.lines.add(this.boxes, ray, spot);
    for (const [order, object] of this.lines.children.entries()) {
      object.frustumCulled = false;
      object.renderOrder = 1 + order;
      object.layers.enable(sideLayer);
    }
    this.clear();
  }

  get boxCount(): number {
    return this.lines.visible && this.boxes.visible ? this.boxes.boxCount : 0;
  }

  show(world: PickingWorld, { ray, length, hit, normal, path }: RecordedPick, outline: PathOutline): void {
    const end = hit?.point ?? ray.at(length, new Vector3());
    for (const [at, point] of [
      ray.origin,
      end,
      end,
      end.clone().addScaledVector(normal, length * NORMAL_LENGTH),
    ].entries())
      this.ends.setXYZ(at, point.x, point.y, point.z);
    this.spot.setXYZ(0, end.x, end.y, end.z);
    this.ends.needsUpdate = true;
    this.spot.needsUpdate = true;
    this.boxes.visible = outline !== 'off';
    if (outline !== 'off') this.drawBoxes(world, ray, length, outline);
    this.items.clear();
    for (const item of path.tested.slice(0, MAX_ITEMS)) this.addItem(world, item, this.testedMaterial);
    if (hit) this.addItem(world, hit, this.hitMaterial);
    this.lines.visible = true;
  }

  clear(): void {
    this.lines.visible = false;
    this.items.clear();
  }

  /** The nodes that the ray enters. */
  private drawBoxes(
    { container }: PickingWorld,
    { origin, direction }: Ray,
    far: number,
    outline: HelperOutline,
  ): void {
    this.boxes.octree = container;
    this.boxes.query = { origin, direction, far };
    this.boxes.outline = outline;
    this.boxes.update();
  }

  private addItem(world: PickingWorld, item: Item, material: MeshLambertMaterial): void {
    const { geometry, matrix } = world.shapeOf(item);
    const mesh = new Mesh(geometry, material);
    mesh.matrixAutoUpdate = false;
    mesh.matrix.copy(matrix);
    mesh.layers.set(this.sideLayer);
    this.items.add(mesh);
  }
}

/** Nodes that the ray does not enter are left out. */
function paintNode({ depth, childCount }: DrawnNode, color: Color, result: VisitResult | null): number {
  if (result === 'skipped') return 0;
  color.copy(palette.outside).lerp(palette.contained, Math.min(1, depth / MAX_COLOR_DEPTH));
  return childCount === 0 ? 0.85 : 0.3;
}

/** A round spot, 11 pixels wide. */
const spotShader = {
  vertexShader: /* glsl */ `
void main() {
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
  gl_PointSize = 11.0;
}`,
  fragmentShader: /* glsl */ `
uniform vec3 color;
void main() {
  float far = length(gl_PointCoord - 0.5) * 2.0;
  gl_FragColor = vec4(mix(vec3(1.0), color, smoothstep(0.35, 0.5, far)), 1.0 - smoothstep(0.8, 1.0, far));
  #include <colorspace_fragment>
}`,
};
