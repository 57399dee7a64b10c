// Passes of the addons of three, compiling, and a lost context: pictures of an OctreeGroup must equal those of a plain
// Group.

import { PlaneGeometry, WebGLRenderer, type Object3D } from 'three';
import { Reflector } from 'three/addons/objects/Reflector.js';
import { describe, expect, it } from 'vitest';
import { compose, composeOutline } from '../support/compose.ts';
import { createRandom } from '../support/random.ts';
import { compare, createCamera, loseContext, type Comparison, useRenderer } from '../support/three-pictures.ts';
import { createTwins, KINDS, scatter, type Twin, type Twins } from '../support/three-scenes.ts';

const EDGE = 128;
const REACH = 40;
const renderer = useRenderer();
const camera = createCamera();

function meshes(seed: number, count = 200, kinds = KINDS): Twins {
  return createTwins(seed, (group, random) => scatter(group, random, count, REACH, kinds));
}

/** Expects equal pictures. The number of colours excludes pictures that one sprite right before the camera covers. */
function expectEqual({ differingPixels, drawnPixels, colors }: Comparison): void {
  expect({ differingPixels, isDrawn: drawnPixels > 200 && colors > 4 }).toEqual({ differingPixels: 0, isDrawn: true });
}

const draw = (twin: Twin): void => compose(renderer, twin, camera);
/** Draws the scene with an outline around every tenth child. */
const outline = (twin: Twin): void =>
  composeOutline(
    renderer,
    twin,
    camera,
    twin.group.children.filter((_, k) => k % 10 === 0),
  );

describe('the picture of an OctreeGroup equals that of a plain Group', () => {
  it('through an EffectComposer', () => {
    expectEqual(compare(renderer, meshes(1), draw));
  });

  it('through an OutlinePass around some children, which hides all others for a while', () => {
    const twins = meshes(2, 300);
    expectEqual(compare(renderer, twins, outline));
    twins.each(({ group }) => expect(group.children.filter(({ visible }) => !visible)).toEqual([]));
    // The outline is visible: without it the picture differs.
    expect(
      compare(renderer, twins, (twin) => (twin === twins.plain ? draw(twin) : outline(twin))).differingPixels,
    ).toBeGreaterThan(50);
  });

  it('in a Reflector beside the group and in one among its children', () => {
    const twins = meshes(3, 400, 4);
    twins.each(({ scene, group }) => {
      addMirror(scene, -6, -Math.PI / 2);
      addMirror(group, 6, Math.PI / 2);
    });
    const result = compare(renderer, twins, ({ scene }) => renderer.render(scene, camera));
    expectEqual(result);
    expect(result.queries).toBeGreaterThan(2);
  });

  it('after compileAsync(), which compiles all materials', async () => {
    const twins = meshes(4);
    await Promise.all([twins.plain, twins.octree].map(({ scene }) => renderer.compileAsync(scene, camera)));
    const { length } = renderer.info.programs!;
    expectEqual(compare(renderer, twins, ({ scene }) => renderer.render(scene, camera)));
    expect(renderer.info.programs!.length).toBe(length);
  });

  it('after the context was lost and restored, with frames and changes in between', async () => {
    const own = new WebGLRenderer({ antialias: false });
    own.info.autoReset = false;
    const twins = meshes(5);
    const draw = ({ scene }: Twin): void => own.render(scene, camera);
    expectEqual(compare(own, twins, draw));
    await loseContext(own, () =>
      twins.each((twin) => {
        draw(twin);
        twin.group.remove(twin.group.children[3]);
        scatter(twin.group, createRandom(6), 40, REACH, 4);
        twin.group.children[7].position.set(10, 0, 0);
        draw(twin);
      }),
    );
    expectEqual(compare(own, twins, draw));
    own.dispose();
  });
});

function addMirror(parent: Object3D, y: number, angle: number): void {
  const mirror = new Reflector(new PlaneGeometry(60, 60), { textureWidth: EDGE, textureHeight: EDGE });
  mirror.rotation.x = angle;
  mirror.position.y = y;
  parent.add(mirror);
}
