// Shadow maps that are drawn only when they change: the pictures must equal those of maps that are always drawn, and a
// map that does not change must not be drawn.

import {
  BasicShadowMap,
  BoxGeometry,
  Mesh,
  MeshLambertMaterial,
  PCFShadowMap,
  VSMShadowMap,
  type BufferAttribute,
  type OrthographicCamera,
  type SpotLight,
} from 'three';
import { CSM } from 'three/addons/csm/CSM.js';
import { afterEach, describe, expect, it } from 'vitest';
import { Detector } from '../../src/three/detector/detector.ts';
import { sampleFrom } from '../support/sampled.ts';
import { createCamera, loseContext, readPicture, useRenderer } from '../support/three-pictures.ts';
import {
  balls,
  boxes,
  camera,
  createPair,
  createTown,
  differences,
  draw,
  leafOf,
  mainCallsOf,
  still,
  type Town,
} from '../support/shadow-towns.ts';

const renderer = useRenderer();
/** Above the corner of each light. */
const PLACES = [
  [-12, -12],
  [12, -12],
  [-12, 12],
  [12, 12],
] as const;

afterEach(() => {
  renderer.shadowMap.type = PCFShadowMap;
});

/** Puts a mesh of its own geometry and material below the spot light. */
const place = (town: Town): void => {
  leafOf(town, 0).position.set(12, 3, -12);
  leafOf(town, 0).geometry = boxes[0].clone();
  leafOf(town, 0).material = new MeshLambertMaterial();
};

const report = (town: Town): void => {
  leafOf(town, 0).position.set(12, 3, -12);
  town.group.reportMove(leafOf(town, 0));
};

describe('shadow maps that are drawn when they change', () => {
  it('draws none for a town that stands still', () => {
    const { towns, shadows, step } = createPair(renderer);
    step(still);
    expect(shadows.due).toEqual([]);
    expect(draw(renderer, towns[0])).toBe(mainCallsOf(renderer, towns[0]));
    expect(draw(renderer, towns[1])).toBeGreaterThan(draw(renderer, towns[0]) + 20);
  });

  it('draws the maps of those lights that see the place of a move', () => {
    const { shadows, towns, step } = createPair(renderer);
    PLACES.forEach(([x, z], k) => {
      step((town) => leafOf(town, 3).position.set(x, 1, z));
      step((town) => (leafOf(town, 3).position.x += 0.1));
      expect(shadows.due).toEqual([towns[0].lights[k]]);
      step(still);
      expect(shadows.due).toEqual([]);
    });
  });

  /** Each kind of change alone. The first place is under the spot light. */
  const changes: Record<string, (town: Town, k: number) => void> = {
    move: (town) => void (leafOf(town, 0).position.x += 2),
    visible: (town) => void (leafOf(town, 0).visible = !leafOf(town, 0).visible),
    castShadow: (town) => void (leafOf(town, 0).castShadow = !leafOf(town, 0).castShadow),
    layers: (town) => leafOf(town, 0).layers.toggle(0),
    'material swapped': (town) =>
      void (leafOf(town, 0).material = new MeshLambertMaterial({ side: 2, wireframe: true })),
    'material field': (town) => void (leafOf(town, 0).material.visible = !leafOf(town, 0).material.visible),
    'geometry swapped': (town) => void (leafOf(town, 0).geometry = new BoxGeometry(1, 7, 1)),
    vertices: (town) => {
      const { geometry } = leafOf(town, 0);
      (geometry.attributes.position as BufferAttribute).setY(0, 9).needsUpdate = true;
      geometry.computeBoundingSphere();
    },
    'draw range': (town, k) => leafOf(town, 0).geometry.setDrawRange(0, k === 0 ? 12 : 36),
    removed: (town) => void town.group.remove(leafOf(town, 0)),
    added: (town) => {
      const mesh = new Mesh(boxes[0], town.materials[0]);
      mesh.castShadow = true;
      mesh.position.set(12, 3, -12);
      town.group.add(mesh);
    },
    'child of a child': (town) => {
      const mesh = new Mesh(balls[0], town.materials[0]).translateY(4);
      mesh.castShadow = true;
      leafOf(town, 0).add(mesh);
    },
    'parent moved': (town) => void (town.parent.position.y += 1),
    'parent hidden': (town) => void (town.parent.visible = !town.parent.visible),
    'light moved': (town) => void (town.lights[1].position.x += 1),
    'light target': (town) => void ((town.lights[1] as SpotLight).target.position.x += 2),
    'light angle': (town) => void ((town.lights[1] as SpotLight).angle = 0.4),
    'shadow camera': (town) => {
      town.lights[1].shadow.camera.near = 9;
      town.lights[1].shadow.camera.updateProjectionMatrix();
    },
    resolution: (town) => town.lights[1].shadow.mapSize.set(64, 64),
    'map disposed of': (town) => town.lights[1].shadow.dispose(),
    'shadow replaced': (town) => void (town.lights[1].shadow = town.lights[1].shadow.clone()),
    'custom depth material': (town) =>
      void (leafOf(town, 0).customDepthMaterial = new MeshLambertMaterial({ colorWrite: false, depthWrite: false })),
  };

  /** With maps that are always drawn, these change no pixel. */
  const HAS_NO_EFFECT = ['map disposed of', 'shadow replaced'];

  it.each(sampleFrom(Object.entries(changes), 2))('shows a change in the same frame: %s', (name, change) => {
    const { towns, step } = createPair(renderer);
    for (let k = 0; k < 4; k++) expect(step(place)).toBe(0);
    const before = readPicture(renderer, () => void draw(renderer, towns[0]));
    for (let k = 0; k < 2; k++) {
      expect(step((town) => change(town, k))).toBe(0);
      if (k === 0 && !HAS_NO_EFFECT.includes(name))
        expect(
          differences(
            before,
            readPicture(renderer, () => void draw(renderer, towns[0])),
          ),
        ).toBeGreaterThan(0);
      expect(step(still)).toBe(0);
    }
  });

  it('draws the maps of hidden, added and cloned lights when they appear, and leaves alone what it does not know', () => {
    const { towns, step } = createPair(renderer);
    step((town) => void (town.lights[1].visible = false));
    expect(towns[0].lights[1].shadow.autoUpdate).toBe(true);
    step((town) => leafOf(town, 0).position.set(12, 3, -12));
    expect(step((town) => void (town.lights[1].visible = true))).toBe(0);
    expect(step((town) => void town.scene.add(town.lights[3].clone().translateX(-9)))).toBe(0);
    expect(step((town) => leafOf(town, 1).position.set(3, 4, 12))).toBe(0);
  });

  it('draws all maps after a change of the type of shadow maps', () => {
    const { towns } = createPair(renderer);
    for (const type of [BasicShadowMap, VSMShadowMap, PCFShadowMap]) {
      renderer.shadowMap.type = type;
      const picture = readPicture(renderer, () => void draw(renderer, towns[0]));
      const fresh = createTown(1);
      expect(
        differences(
          picture,
          readPicture(renderer, () => void draw(renderer, fresh)),
        ),
      ).toBe(0);
    }
  });

  it('draws VSM maps if an object moves that only receives shadows', () => {
    renderer.shadowMap.type = VSMShadowMap;
    const { step, shadows } = createPair(renderer);
    expect(step((town) => void (leafOf(town, 0).castShadow = false))).toBe(0);
    expect(step((town) => leafOf(town, 0).position.set(12, 3, -12))).toBe(0);
    expect(step((town) => leafOf(town, 0).position.set(11, 3, -12))).toBe(0);
    // The floor is outside of the group, and a caster here.
    expect(shadows.due.length).toBeGreaterThan(0);
  });

  it('draws VSM maps whose blur changes', () => {
    renderer.shadowMap.type = VSMShadowMap;
    const { towns, step, shadows } = createPair(renderer);
    // The floor is outside of the group.
    shadows.setStill(towns[0].scene.children[0]);
    expect(step(place)).toBe(0);
    expect(step(still)).toBe(0);
    for (const change of [{ radius: 12 }, { blurSamples: 3 }]) {
      const before = readPicture(renderer, () => void draw(renderer, towns[0]));
      expect(step(({ lights }) => void Object.assign(lights[1].shadow, change))).toBe(0);
      const after = readPicture(renderer, () => void draw(renderer, towns[0]));
      expect(differences(before, after)).toBeGreaterThan(0);
    }
    expect(step(still)).toBe(0);
    expect(shadows.due).not.toContain(towns[0].lights[1]);
  });

  it('draws the map of a light whose shadow camera sees another part', () => {
    const { step } = createPair(renderer);
    const differing = step(({ lights }) => {
      const { camera: own } = lights[0].shadow;
      (own as OrthographicCamera).left *= 0.6;
      own.updateProjectionMatrix();
    });
    expect(differing).toBe(0);
  });

  it('draws a map for each camera that sees other layers, or other levels of detail', () => {
    const { step, shadows } = createPair(renderer);
    const other = createCamera([0, 90, 90], [0, 0, 0], 300);
    step((town) => {
      leafOf(town, 0).position.set(12, 3, -12);
      leafOf(town, 0).layers.set(2);
    });
    other.layers.enable(2);
    for (let k = 0; k < 4; k++) expect(step(still, k % 2 === 0 ? other : camera)).toBe(0);
    expect(shadows.due.length).toBeGreaterThan(0);
  });

  it('draws in each frame what sees a caster outside of the groups, until it is declared still', () => {
    const { towns, shadows, step } = createPair(renderer);
    const outside = towns.map(({ scene }) => {
      const mesh = new Mesh(balls[0], new MeshLambertMaterial());
      mesh.castShadow = true;
      mesh.position.set(-12, 6, 12);
      scene.add(mesh);
      return mesh;
    });
    const [mesh] = outside;
    for (let k = 0; k < 4; k++) expect(step(still)).toBe(0);
    expect(shadows.due).toEqual([towns[0].lights[2]]);
    expect(step(() => outside.forEach((each) => (each.position.z = -12)))).toBe(0);
    expect(shadows.due).toEqual([towns[0].lights[0], towns[0].lights[2]]);
    step(still);
    expect(shadows.due).toEqual([towns[0].lights[0]]);
    expect(step(() => outside.forEach((each) => each.removeFromParent()))).toBe(0);
    step(still);
    expect(shadows.due).toEqual([]);
    towns[0].scene.add(mesh);
    shadows.setStill(mesh);
    for (let k = 0; k < 3; k++) draw(renderer, towns[0]);
    expect(shadows.due).toEqual([]);
  });

  it('draws reported changes of static children, and finds others some frames later', () => {
    const { step, shadows } = createPair(renderer, 3, 80, { hasStaticChildren: true });
    step(still);
    expect(shadows.due).toEqual([]);
    expect(step(report)).toBe(0);
    expect(step((town) => void town.group.reportMove(Object.assign(leafOf(town, 0), { visible: false })))).toBe(0);
    expect(step((town) => void (leafOf(town, 0).visible = true))).toBe(0);
  });

  it('draws the cascades of CSM that move or change, if the materials are declared still', () => {
    const { towns, shadows, step } = createPair(renderer);
    const view = createCamera([0, 20, 40], [0, 0, 0], 120);
    const sets = towns.map(({ scene, group, lights, materials }) => {
      scene.remove(...lights);
      const csm = new CSM({ camera: view, parent: scene, maxFar: 100, shadowMapSize: 128, lightMargin: 30 });
      materials.forEach((material) => csm.setupMaterial(material));
      return { csm, group };
    });
    shadows.setStill(towns[0].group);
    const move = (change: (town: Town) => void): number =>
      step((town) => {
        change(town);
        sets.forEach(({ csm }) => csm.update());
      }, view);
    for (let k = 0; k < 4; k++) expect(move(still)).toBe(0);
    expect(shadows.due).toEqual([]);
    expect(move((town) => leafOf(town, 0).position.set(0, 6, 20))).toBe(0);
    expect(shadows.due.length).toBeGreaterThan(0);
    for (let k = 0; k < 3; k++) {
      view.position.x += 0.7;
      view.updateMatrixWorld();
      expect(move(still)).toBe(0);
    }
    move(still);
    expect(shadows.due).toEqual([]);
  });

  it('draws all maps after the loss of the context', async () => {
    const { towns, step } = createPair(renderer);
    await loseContext(renderer, () => {});
    towns[1].scene.remove(...towns[1].lights);
    towns[1].scene.add(...towns[1].lights);
    expect(step(still)).toBe(0);
  });

  it('leaves no trace after dispose', () => {
    const { towns, shadows, step } = createPair(renderer);
    shadows.dispose();
    const [town, plain] = towns;
    expect(town.scene.children.length).toBe(plain.scene.children.length);
    expect(town.lights.map(({ shadow }) => shadow.autoUpdate)).toEqual(town.lights.map(() => true));
    expect(step((each) => leafOf(each, 0).position.set(12, 3, -12))).toBe(0);
    expect(draw(renderer, town)).toBe(draw(renderer, plain));
    expect(town.group.groupChildren.bodies.detector).not.toBeInstanceOf(Detector);
  });

  it('counts as changed what moves vertices by time or poses, and children that are not culled, where a light sees it', () => {
    const { towns, shadows, step } = createPair(renderer);
    step((town) => leafOf(town, 0).position.set(12, 3, -12));
    step((town) => void (leafOf(town, 0).onBeforeShadow = () => {}));
    for (let k = 0; k < 3; k++) step(still);
    expect(shadows.due).toEqual([towns[0].lights[1]]);
    shadows.setStill(leafOf(towns[0], 0));
    for (let k = 0; k < 3; k++) step(still);
    expect(shadows.due).toEqual([]);
    step((town) => void (leafOf(town, 5).frustumCulled = false));
    for (let k = 0; k < 3; k++) step(still);
    expect(shadows.due.length).toBe(4);
    expect(step((town) => leafOf(town, 5).position.set(-12, 4, 12))).toBe(0);
  });
});
