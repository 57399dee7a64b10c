// The person of the user as it is seen by the third person.

import { Group, Mesh, type MeshLambertMaterial, type Vector3 } from 'three';
import { createPerson, HIPS } from './people-shapes.ts';

const LOOK = 6;

export class Avatar {
  readonly object = new Group();
  private readonly legs: Mesh[] = [];
  private walked = 0;

  constructor(material: MeshLambertMaterial) {
    const { body, leg } = createPerson(LOOK);
    this.object.add(new Mesh(body, material));
    for (const x of [-0.1, 0.1]) {
      const mesh = new Mesh(leg, material);
      mesh.position.set(x, HIPS, 0);
      this.legs.push(mesh);
      this.object.add(mesh);
    }
    for (const part of this.object.children) part.castShadow = part.receiveShadow = true;
  }

  /** @param metres That it has walked since the last call. */
  show(feet: Vector3, yaw: number, metres: number, isOnGround: boolean): void {
    const { object, legs } = this;
    object.position.copy(feet);
    object.rotation.y = yaw;
    this.walked += metres;
    const swing = !isOnGround ? 0.35 : metres > 1e-4 ? 0.6 * Math.sin(4 * this.walked) : 0;
    for (const [k, leg] of legs.entries()) leg.rotation.x += ((k === 0 ? swing : -swing) - leg.rotation.x) * 0.3;
  }
}
