import { Object3D, REVISION } from 'three';
import { beforeEach, describe, expect, it, vi } from 'vitest';

let library: typeof import('../../../src/three/group/octree-group.ts');

/** The module remembers that it has warned: each test imports a fresh one. */
beforeEach(async () => {
  vi.resetModules();
  library = await import('../../../src/three/group/octree-group.ts');
});

describe('a three without Object3D.intersectsFrustum', () => {
  it('is reported by the first container only, with the revision and the remedy', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { intersectsFrustum } = Object.getOwnPropertyDescriptors(Object3D.prototype);
    Reflect.deleteProperty(Object3D.prototype, 'intersectsFrustum');
    try {
      for (let k = 0; k < 3; k++) expect(new library.OctreeGroup().isGroup).toBe(true);
      const text = `three r${REVISION} does not call Object3D\\.intersectsFrustum; update it to r186 or newer`;
      expect(warn.mock.calls).toEqual([[expect.stringMatching(new RegExp(text))]]);
    } finally {
      Object.defineProperty(Object3D.prototype, 'intersectsFrustum', intersectsFrustum);
      warn.mockRestore();
    }
  });

  it('is not the installed three', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    expect(new library.OctreeGroup().isGroup).toBe(true);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });
});
