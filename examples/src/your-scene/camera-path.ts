// The cameras of the measurement: places inside the scene, places from where all of it is in view, and places that turn
// away from it.

import { type Box3, MathUtils, PerspectiveCamera, type Sphere, Vector3 } from 'three';

const FIELD_OF_VIEW = 50;
const ASPECT = 16 / 9;
/** Share of half the extents at which the inner path runs around the centre. */
const INNER_RADIUS = 0.55;
/** Height of the inner path as a share of the height of the scene. */
const INNER_HEIGHT = 0.4;
/** Radians below the horizon. */
const INNER_PITCH = 0.12;
/** Waves of the inner path towards the centre. */
const WAVES = 3;
/** Radians above the horizon from where all is in view. */
const OUTER_ELEVATION = 0.6;

export type Situation = 'inside' | 'outside' | 'away';

export class CameraPath {
  readonly camera: PerspectiveCamera;
  private readonly bounds: Box3;
  private readonly sphere: Sphere;
  private readonly half = new Vector3();
  private readonly ahead = new Vector3();

  constructor(bounds: Box3, sphere: Sphere) {
    this.bounds = bounds;
    this.sphere = sphere;
    bounds.getSize(this.half).multiplyScalar(0.5);
    this.camera = new PerspectiveCamera(FIELD_OF_VIEW, ASPECT, sphere.radius / 2000, sphere.radius * 8);
  }

  /** Moves the camera to a share of the path, 0 to 1. */
  place(situation: Situation, at: number): PerspectiveCamera {
    const {
      camera,
      ahead,
      sphere: { center, radius },
    } = this;
    if (situation === 'inside') {
      this.inner(at, camera.position);
      this.inner(at + 0.01, ahead).sub(camera.position);
      ahead.y = -Math.tan(INNER_PITCH) * Math.hypot(ahead.x, ahead.z);
      camera.lookAt(ahead.add(camera.position));
    } else {
      const distance = (radius / Math.sin(MathUtils.degToRad(FIELD_OF_VIEW / 2))) * 1.02;
      const across = Math.cos(OUTER_ELEVATION) * distance;
      const angle = at * 2 * Math.PI;
      camera.position.set(
        center.x + Math.sin(angle) * across,
        center.y + Math.sin(OUTER_ELEVATION) * distance,
        center.z + Math.cos(angle) * across,
      );
      // Away: looks in the direction opposite to the centre, so nothing of the scene is in view.
      camera.lookAt(situation === 'outside' ? center : ahead.copy(camera.position).multiplyScalar(2).sub(center));
    }
    camera.updateMatrixWorld();
    return camera;
  }

  private inner(at: number, target: Vector3): Vector3 {
    const {
      half,
      bounds: { min },
      sphere: { center },
    } = this;
    const angle = at * 2 * Math.PI;
    const share = INNER_RADIUS * (0.75 + 0.25 * Math.cos(angle * WAVES));
    // A scene that is flat in one direction still gets a path, not a point.
    const width = Math.max(half.x, this.sphere.radius * 0.05);
    const depth = Math.max(half.z, this.sphere.radius * 0.05);
    return target.set(
      center.x + Math.sin(angle) * share * width,
      min.y + 2 * half.y * INNER_HEIGHT,
      center.z + Math.cos(angle) * share * depth,
    );
  }
}
