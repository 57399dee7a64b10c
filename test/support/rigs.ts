/**
 * Rigs: objects that three places by reading or moving other objects, such as helpers. Each rig exists as a reader (or
 * mover) and the objects that it reads, and moves along x in steps that include stand-stills.
 */

import {
  Bone,
  Box3,
  Box3Helper,
  BoxGeometry,
  BoxHelper,
  BufferAttribute,
  CameraHelper,
  DirectionalLight,
  DirectionalLightHelper,
  Group,
  HemisphereLight,
  HemisphereLightHelper,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  PerspectiveCamera,
  Plane,
  PlaneHelper,
  PointLight,
  PointLightHelper,
  Skeleton,
  SkeletonHelper,
  SkinnedMesh,
  SpotLight,
  SpotLightHelper,
  Vector3,
} from 'three';
import { Gyroscope } from 'three/addons/misc/Gyroscope.js';

/** Positions on the x axis, frame by frame. A value that stays is a stand-still. */
export const STATIONS = [5, 5, 5, 7, 7, 8, 9, 9, 9, 4, 4, 6];

export interface Rig {
  /** The objects that are read or moved. */
  readonly targets: readonly Object3D[];
  /** Reads or moves the targets. */
  readonly reader: Object3D;
  /** Moves the rig to a position on the x axis, as an application does before it renders. */
  readonly step: (x: number) => void;
}

const geometry = new BoxGeometry();
const material = new MeshBasicMaterial();

export function box(name: string): Mesh {
  return Object.assign(new Mesh(geometry, material), { name });
}

/** A mesh that holds another object one unit above it. */
function mast(top: Object3D): Mesh {
  const foot = box('mast');
  foot.add(top.translateY(1));
  return foot;
}

/** A mesh with an `updateMatrixWorld` of its own, which runs `code` first. */
function withCode(name: string, code: (object: Mesh) => void): Mesh {
  const object = box(name);
  object.updateMatrixWorld = (force): void => {
    code(object);
    Object3D.prototype.updateMatrixWorld.call(object, force);
  };
  return object;
}

function cameraRig(isUpdated: boolean, hold: (camera: PerspectiveCamera) => Object3D): () => Rig {
  return () => {
    const camera = new PerspectiveCamera(50, 1, 1, 3);
    const reader = new CameraHelper(camera);
    const target = hold(camera);
    return {
      targets: [target],
      reader,
      step: (x) => {
        target.position.x = x;
        if (!isUpdated) return;
        camera.far = 3 + x / 10;
        camera.updateProjectionMatrix();
        reader.update();
      },
    };
  };
}

function bones(): { skin: SkinnedMesh; root: Bone; tip: Bone } {
  const [root, tip] = [new Bone(), new Bone()];
  root.add(tip.translateY(1));
  const own = geometry.clone();
  const { count } = own.attributes.position;
  own.setAttribute('skinIndex', new BufferAttribute(new Uint16Array(4 * count), 4));
  own.setAttribute('skinWeight', new BufferAttribute(new Float32Array(4 * count).fill(0.25), 4));
  const skin = new SkinnedMesh(own, material);
  skin.add(root);
  skin.bind(new Skeleton([root, tip]));
  return { skin, root, tip };
}

export const RIGS: Record<string, () => Rig> = {
  'CameraHelper of a camera': cameraRig(false, (camera) => camera),
  'CameraHelper of a camera on a mesh': cameraRig(false, mast),
  'CameraHelper of a camera in a group': cameraRig(false, (camera) => new Group().add(camera)),
  'CameraHelper that is updated in each frame': cameraRig(true, mast),

  DirectionalLightHelper: () => {
    const light = new DirectionalLight();
    const reader = new DirectionalLightHelper(light, 1);
    return {
      targets: [light, light.target],
      reader,
      step: (x) => {
        light.position.x = x;
        light.target.position.x = x / 2;
        if (x < 8) reader.update();
      },
    };
  },
  SpotLightHelper: () => {
    const light = new SpotLight(0xffffff, 1, 2);
    const reader = new SpotLightHelper(light);
    const target = mast(light);
    return {
      targets: [target, light.target],
      reader,
      step: (x) => {
        target.position.x = x;
        light.target.position.x = x / 2;
        if (x !== 9) reader.update();
      },
    };
  },
  PointLightHelper: () => {
    const light = new PointLight();
    const target = mast(light);
    return { targets: [target], reader: new PointLightHelper(light, 1), step: (x) => (target.position.x = x) };
  },
  HemisphereLightHelper: () => {
    const light = new HemisphereLight();
    return { targets: [light], reader: new HemisphereLightHelper(light, 1), step: (x) => (light.position.x = x) };
  },
  SkeletonHelper: () => {
    const { skin, root, tip } = bones();
    return {
      targets: [skin],
      reader: new SkeletonHelper(root),
      step: (x) => {
        skin.position.x = x;
        tip.position.x = x / 3;
      },
    };
  },
  BoxHelper: () => {
    const target = mast(box('top'));
    const reader = new BoxHelper(target);
    return {
      targets: [target],
      reader,
      step: (x) => {
        target.position.x = x;
        if (x !== 7) reader.update();
      },
    };
  },
  Box3Helper: () => {
    const target = box('measured');
    const bounds = new Box3();
    return {
      targets: [target],
      reader: new Box3Helper(bounds),
      step: (x) => {
        target.position.x = x;
        if (x !== 7) bounds.setFromObject(target);
      },
    };
  },
  PlaneHelper: () => {
    const plane = new Plane(new Vector3(1, 0, 0), 0);
    const target = box('beside the plane');
    return {
      targets: [target],
      reader: new PlaneHelper(plane, 2),
      step: (x) => {
        plane.constant = -x;
        target.position.x = x;
      },
    };
  },
  'a gyroscope on a mesh': () => {
    const gyroscope = new Gyroscope();
    gyroscope.add(box('top'));
    const target = mast(gyroscope);
    return {
      targets: [target],
      reader: box('still'),
      step: (x) => {
        target.position.x = x;
        target.rotation.z = x;
      },
    };
  },
  'a matrix that is the world matrix of another object': () => {
    const [target, reader] = [mast(box('top')), box('reader')];
    reader.matrix = target.children[0].matrixWorld;
    reader.matrixAutoUpdate = false;
    return { targets: [target], reader, step: (x) => (target.position.x = x) };
  },
  'a world matrix that is that of another object': () => {
    const [target, reader] = [mast(box('top')), box('reader')];
    reader.matrixWorld = target.children[0].matrixWorld;
    reader.matrixAutoUpdate = reader.matrixWorldAutoUpdate = false;
    return { targets: [target], reader, step: (x) => (target.position.x = x) };
  },
  'a mesh that copies the position of another': () => {
    const target = mast(box('top'));
    const reader = withCode('follower', ({ position }) =>
      position.setFromMatrixPosition(target.children[0].matrixWorld),
    );
    return { targets: [target], reader, step: (x) => (target.position.x = x) };
  },
  'a part of a mesh that copies the position of another': () => {
    const target = box('target');
    const reader = mast(withCode('follower', ({ position }) => position.setFromMatrixPosition(target.matrixWorld)));
    return { targets: [target], reader, step: (x) => (target.position.x = x) };
  },
  'a light that copies the position of another object': () => {
    const target = box('target');
    const reader = new PointLight();
    reader.updateMatrixWorld = (force): void => {
      reader.position.setFromMatrixPosition(target.matrixWorld);
      Object3D.prototype.updateMatrixWorld.call(reader, force);
    };
    return { targets: [target], reader, step: (x) => (target.position.x = x) };
  },
  'a mesh that moves others': () => {
    const targets = [
      box('moved 1'),
      mast(box('moved 2')),
      new PointLight(),
      Object.assign(box('by matrix'), { matrixAutoUpdate: false }),
    ];
    let station = 0;
    const reader = withCode('mover', () => {
      for (const { position } of targets) position.x = station;
      targets[3].matrix.makeTranslation(station, 0, 0);
    });
    return { targets, reader, step: (x) => (station = x) };
  },
  'a mesh that moves others and computes their matrices': () => {
    const targets = [box('moved 1'), mast(box('moved 2'))];
    let station = 0;
    const reader = withCode('mover', () => {
      for (const target of targets) {
        target.position.x = station;
        target.updateMatrixWorld();
      }
    });
    return { targets, reader, step: (x) => (station = x) };
  },
};
