// Shadows of lights in groups.

import {
  AmbientLight,
  BoxGeometry,
  DirectionalLight,
  Group,
  Mesh,
  MeshLambertMaterial,
  PlaneGeometry,
  PointLight,
  SphereGeometry,
  SpotLight,
} from 'three';
import type { ExampleScene, Stage } from './stage.ts';

/** A floor and casters, some of them out of sight. */
function buildRoom({ add, scene, random, camera }: Stage): {
  readonly holder: Group;
  readonly casters: readonly Mesh[];
} {
  camera.position.set(0, 3, 9);
  camera.lookAt(0, 0, 0);
  scene.add(new AmbientLight(0xffffff, 0.4));
  const floor = new Mesh(new PlaneGeometry(14, 14).rotateX(-Math.PI / 2), new MeshLambertMaterial({ color: 0xcccccc }));
  floor.position.y = -1;
  floor.receiveShadow = true;
  const geometries = [new BoxGeometry(), new SphereGeometry(0.6, 8, 6)];
  const casters = Array.from({ length: 10 }, (_, k) => {
    const caster = new Mesh(geometries[k % 2], new MeshLambertMaterial({ color: random.below(2 ** 24) }));
    caster.position.set(random.between(-5, 5), random.between(0, 2), random.between(-4, 4));
    caster.castShadow = caster.receiveShadow = k !== 3;
    return caster;
  });
  // Out of sight; its shadow is seen.
  casters[0].position.set(0, 6, 4);
  const holder = new Group().add(...casters.slice(5));
  add(floor, ...casters.slice(0, 5), holder);
  return { holder, casters };
}

const shadows: ExampleScene = {
  name: 'shadows of a directional, a spot and a point light in a group that moves',
  build(stage) {
    const { holder, casters } = buildRoom(stage);
    const rig = new Group();
    const lights = [
      new DirectionalLight(0xff8888, 1),
      new SpotLight(0x88ff88, 100, 0, 0.5),
      new PointLight(0x8888ff, 50),
    ];
    lights.forEach((light, k) => {
      light.position.set(k - 1, 7, 3);
      light.castShadow = true;
      light.shadow.mapSize.set(64, 64);
      rig.add(light);
    });
    stage.add(rig);
    return {
      move: (time) => {
        rig.rotation.y = 0.3 * time;
        casters[1].position.x = 0.4 * time - 2;
        casters[4].castShadow = time % 2 === 0;
        casters[6].visible = time !== 2;
        holder.position.y = 0.2 * time;
        lights[0].intensity = time;
      },
    };
  },
};

export const lightScenes: readonly ExampleScene[] = [shadows];
