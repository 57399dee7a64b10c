// Draws the gun, and a ring at its aim.

import {
  CylinderGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  RingGeometry,
  SphereGeometry,
  Vector3,
} from 'three';
import { palette } from '../shared/colours.ts';
import type { Gun } from './gun.ts';
import { BARREL_LENGTH, gunPlace, region } from './range.ts';

const UP = new Vector3(0, 1, 0);

export class GunView {
  readonly object = new Group();
  private readonly barrel = new Group();
  private readonly ring: Mesh;

  constructor() {
    const steel = new MeshLambertMaterial({ color: '#5b6a84' });
    const height = gunPlace.y - region.min.y;
    const tower = new Mesh(new CylinderGeometry(1.6, 4.5, height, 24), new MeshLambertMaterial({ color: '#222b3a' }));
    tower.position.copy(gunPlace).y -= height / 2;
    const turret = new Mesh(new SphereGeometry(6, 32, 16), steel);
    const tube = new Mesh(new CylinderGeometry(1.3, 1.9, BARREL_LENGTH, 24), steel);
    tube.position.y = BARREL_LENGTH / 2;
    const mouth = new Mesh(new CylinderGeometry(1.9, 1.9, 1.6, 24), new MeshBasicMaterial({ color: palette.accent }));
    mouth.position.y = BARREL_LENGTH - 0.8;
    this.barrel.position.copy(gunPlace);
    this.barrel.add(turret, tube, mouth);
    this.ring = new Mesh(
      new RingGeometry(4.4, 5, 48),
      new MeshBasicMaterial({ color: palette.accent, transparent: true, opacity: 0.7, depthTest: false }),
    );
    this.ring.renderOrder = 3;
    this.object.add(tower, this.barrel, this.ring);
  }

  update({ direction }: Gun, aim: Vector3): void {
    this.barrel.quaternion.setFromUnitVectors(UP, direction);
    this.ring.position.copy(aim);
    this.ring.lookAt(gunPlace);
  }
}
