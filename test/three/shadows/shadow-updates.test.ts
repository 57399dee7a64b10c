// Shadow updates without a renderer: a pass is the update of the matrices, and the visit of all LODs.

import { Scene } from 'three';
import { describe, expect, it, vi } from 'vitest';
import { createTown, type Town } from '../../support/shadow-towns.ts';
import { createPass } from '../../support/shadow-passes.ts';

describe('ShadowUpdates', () => {
  it('looks for changes by scene.onBeforeRender only if the user has set it, in nested scenes too', () => {
    const town: Town = createTown(1);
    const outer = new Scene().add(town.scene);
    const { pass } = createPass(town);
    const find = vi.spyOn(town.group.groupChildren, 'findChangedByOthers');
    outer.updateMatrixWorld();
    for (let k = 0; k < 3; k++) pass();
    expect(find).not.toHaveBeenCalled();

    outer.onBeforeRender = () => {};
    pass();
    expect(find).toHaveBeenCalled();
  });
});
