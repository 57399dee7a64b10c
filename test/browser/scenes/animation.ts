// What is animated: skins, morph targets, matrices, parents, visibility and vertices.

import {
  AmbientLight,
  AnimationClip,
  AnimationMixer,
  BufferAttribute,
  DataTexture,
  DetachedBindMode,
  DirectionalLight,
  Group,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshNormalMaterial,
  NumberKeyframeTrack,
  PlaneGeometry,
  QuaternionKeyframeTrack,
  SkinnedMesh,
  SphereGeometry,
  TorusGeometry,
} from 'three';
import { ball, box, createMorphSphere, createWorm, mesh, scatter } from './meshes.ts';
import type { ExampleScene } from './stage.ts';

const skins: ExampleScene = {
  name: 'skins: animated, sharing a skeleton, and detached',
  build({ add }) {
    const worm = createWorm(0xffaa55);
    const model = new Group().add(worm);
    // Shares the skeleton of the first, and is drawn beside it.
    const twin = new SkinnedMesh(worm.geometry, new MeshBasicMaterial({ color: 0x55aaff }));
    twin.bind(worm.skeleton, new Matrix4().makeTranslation(1, 0, 0));
    twin.position.x = 2;
    const detached = createWorm(0x55ffaa);
    detached.bindMode = DetachedBindMode;
    const bones = new Group().add(detached.skeleton.bones[0]);
    add(model, twin, detached, bones);
    const swing = [0, 0, 0.5, Math.sqrt(0.75), 0, 0, -0.5, Math.sqrt(0.75)];
    const mixer = new AnimationMixer(model);
    worm.skeleton.bones[1].name = 'middle';
    mixer
      .clipAction(new AnimationClip('swing', 2, [new QuaternionKeyframeTrack('middle.quaternion', [0, 2], swing)]))
      .play();
    return {
      move: (time) => {
        mixer.setTime(0.25 * time);
        model.position.x = 0.3 * time - 3;
        bones.position.set(-2 + 0.4 * time, -2, 0);
        detached.skeleton.bones[2].rotation.z = 0.2 * time;
        twin.rotation.z = 0.1 * time;
      },
    };
  },
};

const morphs: ExampleScene = {
  name: 'morph targets that change',
  build({ add }) {
    const object = mesh(0xff66aa, -1, 1, 0, createMorphSphere());
    const still = mesh(0x66ffaa, -1, -2, 0, createMorphSphere());
    const outside = mesh(0xaa66ff, -6.2, 0, 0, createMorphSphere());
    add(object, new Group().add(still), outside);
    still.morphTargetInfluences = [0, 0.5];
    const mixer = new AnimationMixer(object);
    mixer
      .clipAction(new AnimationClip('grow', 2, [new NumberKeyframeTrack('.morphTargetInfluences[0]', [0, 2], [0, 1])]))
      .play();
    return {
      move: (time) => {
        mixer.setTime(0.25 * time);
        outside.morphTargetInfluences![1] = 0.2 * time;
      },
    };
  },
};

const displaced: ExampleScene = {
  name: 'a displacement map moves vertices, of a material that has it from the start and of one that gets it later',
  build({ add }) {
    const texture = new DataTexture(new Uint8Array(4 * 4 * 4).fill(255), 4, 4);
    texture.needsUpdate = true;
    const plane = new PlaneGeometry(2, 2, 2, 2);
    const first = new MeshNormalMaterial({ displacementMap: texture, displacementScale: 0 });
    const later = new MeshNormalMaterial();
    const objects = [first, later].map((material, k) => new Mesh(plane, material).translateX(2.5 * k - 1.25));
    // Outside the picture; displaced they reach into it.
    const outside = [first, later].map((material, k) =>
      new Mesh(plane, material).translateY(6 - 12 * k).rotateX(((k === 0 ? 1 : -1) * Math.PI) / 2),
    );
    add(...objects, ...outside);
    return {
      move: (time) => {
        first.displacementScale = 0.5 * time;
        if (time === 2) later.displacementMap = texture;
        later.displacementScale = 0.6 * time;
        later.needsUpdate = time === 2;
      },
    };
  },
};

const manualMatrices: ExampleScene = {
  name: 'matrixAutoUpdate = false, matrices written by hand, matrixWorldAutoUpdate = false, and Object3D.static',
  build({ add }) {
    const [byMatrix, byDecomposed, byUpdate, world, frozen, fixed] = [
      0xff5555, 0x55ff55, 0x5555ff, 0xffff55, 0x55ffff, 0xff55ff,
    ].map((color) => mesh(color));
    byMatrix.matrixAutoUpdate = byUpdate.matrixAutoUpdate = frozen.matrixAutoUpdate = false;
    const child = mesh(0xffffff, 0, 1.2, 0, box);
    byMatrix.add(child);
    world.matrixWorldAutoUpdate = false;
    fixed.static = true;
    add(byMatrix, byDecomposed, byUpdate, world, frozen, fixed);
    return {
      move: (time) => {
        byMatrix.matrix.makeTranslation(0.5 * time - 3, 0, 0);
        byMatrix.matrixWorldNeedsUpdate = true;
        byDecomposed.matrix.identity();
        byDecomposed.applyMatrix4(new Matrix4().makeTranslation(2, 0.4 * time - 2, 0));
        byUpdate.position.set(0, 2, -time);
        byUpdate.updateMatrix();
        world.matrixWorld.makeTranslation(-2, -2, 0.3 * time);
        // Never shown: nothing computes its matrix from its position.
        frozen.position.set(50, 0, 0);
        fixed.position.set(1 - 0.3 * time, -2, 0);
      },
    };
  },
};

const movingGroups: ExampleScene = {
  name: 'a container that moves, turns, is mirrored and stretched, with a Group and a container in it',
  build({ add, group, scene, random }) {
    const rig = new Group();
    rig.add(group);
    scene.add(rig);
    const inner = new Group();
    // Another container of the same class.
    const nested = new (group.constructor as new () => Group)();
    scatter(random, 12).forEach((object, k) => {
      if (k < 4) add(object);
      else (k < 8 ? inner : nested).add(object);
      if (k % 3 === 0) object.scale.set(-1, 0.5, 1.5);
    });
    add(inner, nested);
    return {
      move: (time) => {
        rig.rotation.y = 0.2 * time;
        group.position.x = 0.2 * time;
        group.rotation.z = 0.1 * time;
        group.scale.set(time % 2 === 0 ? 1 : -1, 1, 1 + 0.1 * time);
        inner.position.y = 0.3 * time - 1;
        nested.rotation.x = 0.3 * time;
        nested.scale.setScalar(1 - 0.05 * time);
      },
    };
  },
};

const fixedInMovingGroup: ExampleScene = {
  name: 'objects with matrixWorldAutoUpdate = false stay in place while the container moves',
  build({ add, group }) {
    const [single, part, moving] = [0xff5555, 0x55ff55, 0x5555ff].map((color, k) => mesh(color, 0, 2 * k - 2));
    for (const fixed of [single, part]) {
      fixed.updateMatrixWorld();
      fixed.matrixWorldAutoUpdate = false;
    }
    add(single, new Group().add(part), moving);
    return {
      move: (time) => {
        group.position.x = 3 * time;
        moving.position.x = -2.7 * time;
        if (time === 6) single.matrixWorld.makeTranslation(2, -2, 0);
      },
    };
  },
};

const parents: ExampleScene = {
  name: 'objects are added, removed, attached elsewhere and put back in the run',
  build({ add, group, scene, random }) {
    const objects = scatter(random, 12);
    const holder = new Group();
    const outside = new Group();
    outside.position.x = -1;
    outside.scale.set(0.5, -1, 1);
    scene.add(outside);
    objects.forEach((object, k) => (k < 6 ? add(object) : holder.add(object)));
    add(holder);
    return {
      move: (time) => {
        objects[0].position.x = 0.3 * time;
        if (time === 1) objects[6].removeFromParent();
        if (time === 2) holder.attach(objects[0]);
        if (time === 3) outside.attach(objects[1]);
        if (time === 4) group.attach(objects[1]);
        if (time === 4) holder.remove(objects[7], objects[8]);
        if (time === 5) add(objects[6]);
        if (time === 5) objects[2].add(objects[3]);
        if (time === 6) group.remove(holder);
        if (time === 7) add(holder, mesh(0xffffff));
        holder.rotation.y = 0.2 * time;
      },
    };
  },
};

const visibility: ExampleScene = {
  name: 'visibility, layers, frustumCulled and materials that change in the run',
  build({ add, camera, random }) {
    const objects = scatter(random, 9);
    const holder = new Group().add(...objects.slice(5));
    add(...objects.slice(0, 5), holder);
    const striped = new MeshBasicMaterial({ color: 0xffffff, wireframe: true });
    return {
      move: (time) => {
        objects.forEach((object, k) => (object.visible = (time + k) % 3 !== 0));
        holder.visible = time !== 3;
        objects[0].material.visible = time % 2 === 0;
        objects[1].layers.set(time % 2);
        objects[2].layers.mask = 3;
        camera.layers.mask = time === 5 ? 2 : 1;
        objects[3].frustumCulled = time % 2 === 0;
        objects[4].position.x = 0.2 * time;
        objects[5].material = time > 3 ? striped : objects[6].material;
      },
    };
  },
};

const limits: ExampleScene = {
  name: 'a label 1e19 away, and a matrix that holds NaN for a while',
  build({ add, camera }) {
    camera.far = 1e27;
    camera.updateProjectionMatrix();
    const objects = [0xff5555, 0x55ff55, 0x5555ff].map((color, k) => mesh(color, 2 * k - 2));
    const far = mesh(0xffffff, 0, 1e19, -2e19);
    far.scale.setScalar(3e18);
    add(objects[0], new Group().add(objects[1]), objects[2], far);
    return {
      move: (time) => {
        objects[0].position.y = 0.2 * time;
        objects[1].position.y = time === 2 || time === 3 ? NaN : 0.3 * time;
        objects[2].scale.x = time === 5 ? NaN : 1;
        far.position.x = 1e18 * time;
      },
    };
  },
};

const vertices: ExampleScene = {
  name: 'vertices, draw ranges and geometries that change in the run',
  build({ add }) {
    const soft = mesh(0xff7744, -2, 0, 0, new SphereGeometry(1, 8, 6));
    const ranged = mesh(0x44ff77, 2, 1, 0, new TorusGeometry(1, 0.4, 6, 12));
    const replaced = mesh(0x7744ff, 0, -2, 0);
    const geometries = [box, new SphereGeometry(1.2, 6, 4), new TorusGeometry(2, 0.2, 4, 12)];
    add(soft, new Group().add(ranged), replaced);
    const position = soft.geometry.attributes.position as BufferAttribute;
    const original = position.array.slice();
    return {
      move: (time) => {
        for (let k = 0; k < position.count; k++) position.setX(k, original[3 * k] + 0.5 * time);
        position.needsUpdate = true;
        soft.geometry.computeBoundingBox();
        soft.geometry.computeBoundingSphere();
        ranged.geometry.setDrawRange(0, 36 * (time + 1));
        replaced.geometry = geometries[time % 3];
      },
    };
  },
};

const lit: ExampleScene = {
  name: 'lights among the children move, and change colour and visibility',
  build({ add, random }) {
    const light = new DirectionalLight(0xffffff, 3);
    const rig = new Group().add(mesh(0xffffff, 0, 0, 0, new SphereGeometry(0.2, 4, 3)), light.translateY(1));
    add(rig, new AmbientLight(0x404040));
    for (let k = 0; k < 8; k++) {
      const object = new Mesh(ball, new MeshLambertMaterial({ color: random.below(2 ** 24) }));
      add(object.translateX(random.between(-3, 3)).translateY(random.between(-3, 3)));
    }
    return {
      move: (time) => {
        rig.position.set(3 * Math.cos(time), 3 * Math.sin(time), 3);
        light.color.setHSL(0.1 * time, 0.5, 0.5);
        light.visible = time !== 3;
      },
    };
  },
};

export const animationScenes: readonly ExampleScene[] = [
  skins,
  morphs,
  displaced,
  manualMatrices,
  movingGroups,
  fixedInMovingGroup,
  parents,
  visibility,
  limits,
  vertices,
  lit,
];
