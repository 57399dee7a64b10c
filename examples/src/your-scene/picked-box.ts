// The box around the picked mesh.

import { Box3, Color, type Object3D } from 'three';
import { BoxLines } from '../../../src/three.ts';

const COLOUR = new Color('#ffb454');

export class PickedBox {
  readonly object = new BoxLines(1);
  private readonly box = new Box3();

  /** @param picked Null: none. */
  show(picked: Object3D | null): void {
    const { box, object } = this;
    object.begin();
    if (picked) {
      box.setFromObject(picked);
      object.addBox(box.min, box.max, COLOUR, 1);
    }
    object.end();
    object.visible = picked !== null;
  }
}

/** Name of an object in its file; the loader changes `name`, so that it can be part of the path of an animation. */
export function titleOf({ name, type, userData, parent }: Object3D): string {
  return (userData.name as string | undefined) || name || parent?.name || type;
}
