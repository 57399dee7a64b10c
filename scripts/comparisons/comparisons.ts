// The pictures of the guides: a scene without a feature of the library and with it. Counts in the captions are those of
// the scene that is drawn. The page shows the picture that its address names, as in `?culling`.

import * as THREE from 'three';
import { castSphere, Octree } from 'scene-octree';
import {
  OcclusionCulling,
  OctreeGroup,
  OctreeHelper,
  OctreeInstances,
  ShadowUpdates,
  StaticBatches,
} from 'scene-octree/three';

const WIDTH = 598;
const HEIGHT = 380;
const DRAWN = 0xffb454;
const TESTED = 0x4d74c9;
const IDLE = 0x39455c;
const HIDDEN = 0xa5475c;

/** What is used in one half of a picture, and what that does. */
type Caption = readonly [use: string, effect: string];

/** A scene in light, and a camera. */
class View {
  readonly renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(45, WIDTH / HEIGHT, 0.5, 2000);

  constructor() {
    this.renderer.setSize(WIDTH, HEIGHT);
    this.scene.background = new THREE.Color(0x131a26);
    const sun = new THREE.DirectionalLight(0xffe6c4, 2.6);
    sun.position.set(3, 4, 2);
    this.scene.add(sun, new THREE.HemisphereLight(0xbcd2ff, 0x3b3a45, 1.5));
  }

  look(from: readonly [number, number, number], at: readonly [number, number, number]): this {
    this.camera.position.set(...from);
    this.camera.lookAt(...at);
    this.camera.updateMatrixWorld();
    return this;
  }

  draw(): void {
    this.renderer.render(this.scene, this.camera);
  }
}

const paint = (color: number): THREE.MeshLambertMaterial => new THREE.MeshLambertMaterial({ color });
/** A number from 0 to 1 that looks random, by a whole number. */
function noise(k: number): number {
  const value = Math.sin(k * 127.1 + 11.7) * 43758.5453;
  return value - Math.floor(value);
}
const box = new THREE.BoxGeometry(1, 1, 1).translate(0, 0.5, 0);

/** Houses in rows around the origin. */
function createCity(rows: number, pitch: number, colorOf: (k: number) => THREE.Material): THREE.Mesh[] {
  return Array.from({ length: rows * rows }, (_, k) => {
    const house = new THREE.Mesh(box, colorOf(k));
    house.position.set(((k % rows) - rows / 2) * pitch, 0, (Math.floor(k / rows) - rows / 2) * pitch);
    house.scale.set(0.62 * pitch, pitch * (0.4 + 0.9 * noise(k)), 0.62 * pitch);
    house.updateMatrixWorld();
    return house;
  });
}

/** A camera in the city whose frustum is looked at from above, as lines. */
function createWatched(view: View): THREE.PerspectiveCamera {
  const watched = new THREE.PerspectiveCamera(30, 1.5, 2, 130);
  watched.position.set(-10, 5, 70);
  watched.lookAt(10, 5, -60);
  watched.updateMatrixWorld();
  const lines = new THREE.CameraHelper(watched);
  const white = new THREE.Color(0xffffff);
  lines.setColors(white, white, white, white, white);
  view.scene.add(lines);
  return watched;
}

function frustumOf(camera: THREE.Camera): THREE.Frustum {
  const matrix = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  return new THREE.Frustum().setFromProjectionMatrix(matrix);
}

const fromAbove = (view: View): View => view.look([40, 150, 130], [0, 0, 12]);

/** The city from above: what a camera in it draws, and what was tested for that. */
function culledCity(view: View, usesOctree: boolean): Caption {
  const [drawn, rest] = [paint(DRAWN), paint(usesOctree ? IDLE : TESTED)];
  const group = new OctreeGroup({ hasStaticChildren: true, minCellSize: 8 });
  group.add(...createCity(60, 4, () => rest));
  view.scene.add(group);
  group.updateMatrixWorld();
  const frustum = frustumOf(createWatched(view));
  const stats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
  const seen = group.octree.intersectFrustum(frustum, { stats });
  for (const { body } of seen) (body.data as THREE.Mesh).material = drawn;
  fromAbove(view);
  if (usesOctree) {
    const helper = new OctreeHelper(group, { query: frustum });
    view.scene.add(helper);
    helper.update();
  }
  view.draw();
  const tests = stats.nodesVisited + stats.bodiesTested;
  return usesOctree
    ? [`OctreeGroup: ${tests.toLocaleString('en')} tests`, `of cells and meshes, ${seen.length} meshes drawn`]
    : [`Group: ${group.octree.size.toLocaleString('en')} tests`, `of every mesh, ${seen.length} meshes drawn`];
}

function hiddenCity(view: View, usesOcclusion: boolean): Caption {
  const group = new OctreeGroup({ hasStaticChildren: true });
  const [drawn, hidden, rest] = [paint(DRAWN), paint(HIDDEN), paint(IDLE)];
  const city = createCity(40, 5, () => rest);
  group.add(...city);
  view.scene.add(group);
  const watched = createWatched(view);
  // In a street, at the height of a walker.
  watched.position.set(2.5, 1.7, 82);
  watched.lookAt(6, 1.7, -60);
  watched.fov = 50;
  watched.far = 160;
  watched.updateProjectionMatrix();
  watched.updateMatrixWorld();
  (view.scene.children.at(-1) as THREE.CameraHelper).update();
  group.updateMatrixWorld();
  const seen = group.octree.intersectFrustum(frustumOf(watched)).map(({ body }) => body.data as THREE.Mesh);
  const occlusion = new OcclusionCulling(group, watched).setOccluder(box, true).finish();
  view.renderer.render(view.scene, watched);
  const visible = new Set<THREE.Object3D>(occlusion.visible as Iterable<THREE.Object3D>);
  occlusion.dispose();
  for (const mesh of seen) mesh.material = !usesOcclusion || visible.has(mesh) ? drawn : hidden;
  fromAbove(view).draw();
  return usesOcclusion
    ? [`OcclusionCulling: ${visible.size} draw calls`, `${seen.length - visible.size} houses are behind others`]
    : [`Frustum culling: ${seen.length} draw calls`, 'for all houses in the frustum'];
}

const fir = (sides: number, rows: number): THREE.BufferGeometry =>
  new THREE.ConeGeometry(1.6, 6, sides, rows, true).translate(0, 3, 0);
const wire = (color: number) => new THREE.MeshBasicMaterial({ color, wireframe: true });
function forest(view: View, hasLevels: boolean): Caption {
  const trees = new OctreeInstances(fir(14, 8), wire(DRAWN), 900);
  if (hasLevels) trees.addLevel(fir(4, 1), 30, 0.1, wire(0x3fd6b8));
  const matrix = new THREE.Matrix4();
  for (let id = 0; id < 900; id++)
    trees.setMatrixAt(id, matrix.setPosition(noise(id) * 120 - 60, 0, noise(3 * id + 1) * 150 - 120));
  view.scene.add(trees);
  view.look([0, 9, 36], [0, 2, 0]).draw();
  const { calls, lines } = view.renderer.info.render;
  const count = lines.toLocaleString('en');
  return hasLevels
    ? [`Two levels: ${count} lines`, `coarse from 30 m on, ${calls} draw calls`]
    : [`One level: ${count} lines`, `${calls} draw call`];
}

/** Units by which the shader moves the flags. */
const SHIFT = 12;
function wind(view: View, hasMargin: boolean): Caption {
  const flag = new THREE.BoxGeometry(3, 1.6, 0.1).translate(1.5, 4, 0);
  if (hasMargin) {
    flag.computeBoundingSphere();
    flag.boundingSphere!.radius += SHIFT;
  }
  const material = paint(DRAWN);
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader.replace(
      '#include <begin_vertex>',
      `#include <begin_vertex>\n transformed.x += ${SHIFT.toFixed(1)};`,
    );
  };
  const flags = new OctreeGroup({ hasStaticChildren: true });
  const poles = new THREE.Group();
  for (let k = 0; k < 240; k++) {
    const mesh = new THREE.Mesh(flag, material);
    mesh.position.set((k % 24) * 7 - 96, 0, Math.floor(k / 24) * -7);
    flags.add(mesh);
    const pole = new THREE.Mesh(box, paint(0x8f9db3));
    pole.position.copy(mesh.position).setX(mesh.position.x + SHIFT);
    pole.scale.set(0.15, 5, 0.15);
    poles.add(pole);
  }
  view.scene.add(flags, poles);
  view.look([0, 7, 22], [0, 3.5, 0]).draw();
  return hasMargin
    ? ['With a margin: all flags', `boundingSphere.radius += ${SHIFT}`]
    : ['Without: flags are missing on the left', 'the shader moves them into the picture'];
}

const hue = (share: number): THREE.Color => new THREE.Color().setHSL(share % 1, 0.7, 0.62);
function drawCalls(view: View, usesBatches: boolean): Caption {
  const group = new OctreeGroup({ hasStaticChildren: true });
  const brick = paint(0xffffff);
  const city = createCity(44, 5, () => brick);
  for (const [k, house] of city.entries())
    house.geometry = new THREE.CylinderGeometry(0.5, 0.55, 1, 4 + (k % 5)).rotateY(k).translate(0, 0.5, 0);
  group.add(...city);
  view.scene.add(group);
  const batches = usesBatches ? new StaticBatches(group).finish() : null;
  view.look([10, 26, 66], [0, 0, 0]).draw();
  const { calls } = view.renderer.info.render;
  if (batches === null) {
    for (const [k, house] of city.entries())
      house.material = new THREE.MeshLambertMaterial({ color: hue(k * 0.381966) });
  } else {
    // Each range once more, in a colour of its own.
    const ranges = batches.ranges.map(({ geometry, start, count }, k) => {
      const part = new THREE.BufferGeometry();
      for (const [name, attribute] of Object.entries(geometry.attributes)) part.setAttribute(name, attribute);
      part.setIndex(geometry.index).setDrawRange(start, count);
      return new THREE.Mesh(part, new THREE.MeshLambertMaterial({ color: hue(k * 0.381966) }));
    });
    for (const range of ranges) range.frustumCulled = false;
    group.visible = false;
    view.scene.add(...ranges);
  }
  view.draw();
  return batches === null
    ? [`Meshes: ${calls.toLocaleString('en')} draw calls`, 'a colour for each draw call']
    : [`StaticBatches: ${calls} draw calls`, 'a colour for each draw call'];
}

function lamps(view: View, usesUpdates: boolean): Caption {
  view.scene.clear();
  view.scene.background = new THREE.Color(0x0b0f18);
  view.scene.add(new THREE.HemisphereLight(0x8fa8e0, 0x20242c, 0.7));
  view.renderer.shadowMap.enabled = true;
  const group = new OctreeGroup();
  const add = (color: number, place: [number, number, number], size: [number, number, number]): THREE.Mesh => {
    const mesh = new THREE.Mesh(box, paint(color));
    mesh.position.set(...place);
    mesh.scale.set(...size);
    mesh.castShadow = mesh.receiveShadow = true;
    group.add(mesh);
    return mesh;
  };
  add(0x8b93a3, [0, -1, 0], [170, 1, 120]);
  for (let k = 0; k < 96; k++)
    add(
      [0xc98f5a, 0x5f8fa3, 0x9a6f8f][k % 3],
      [(k % 16) * 6 - 45, 0, Math.floor(k / 16) * 9 - 22.5],
      [2.4, 1 + ((k * 13) % 5) / 2, 2.4],
    );
  const car = add(0xff4d4d, [-26, 0, 24], [5, 2.2, 2.6]);
  view.scene.add(group);
  const lights = [-30, 0, 30].flatMap((x) =>
    [-16, 16].map((z) => {
      const lamp = new THREE.SpotLight(0xcfd8ea, 1500, 45, 0.85, 0.6);
      lamp.position.set(x, 15, z);
      lamp.target.position.set(x, 0, z);
      lamp.castShadow = true;
      view.scene.add(lamp, lamp.target);
      return lamp;
    }),
  );
  const shadows = new ShadowUpdates(view.scene, view.renderer, [group]);
  view.look([0, 46, 66], [0, 0, 4]).draw();
  view.draw();
  car.position.x += 1;
  view.draw();
  const due = usesUpdates ? [...shadows.due] : lights;
  shadows.dispose();
  for (const lamp of due) (lamp as THREE.SpotLight).color.set(DRAWN);
  view.draw();
  return usesUpdates
    ? [`ShadowUpdates: ${due.length} of ${lights.length} maps drawn`, 'only that in whose light the red car moves']
    : [`three: ${due.length} of ${lights.length} maps drawn`, 'in each frame, whatever moves'];
}

function picked(view: View, usesPick: boolean): Caption {
  const [hit, tested, rest] = [paint(DRAWN), paint(TESTED), paint(usesPick ? IDLE : TESTED)];
  const group = new OctreeGroup({ hasStaticChildren: true });
  for (let k = 0; k < 1500; k++) {
    const ball = new THREE.Mesh(new THREE.IcosahedronGeometry(0.5 + 0.5 * noise(k), 1), rest);
    ball.position.set(noise(3 * k) * 100 - 50, noise(5 * k + 2) * 40 - 20, noise(7 * k + 5) * 40 - 20);
    group.add(ball);
  }
  view.scene.add(group);
  group.updateMatrixWorld();
  const origin = new THREE.Vector3(-62, 4, 12);
  // Of some rays that with the longest way to its hit.
  const hits = Array.from({ length: 60 }, (_, k) => {
    const direction = new THREE.Vector3(1, noise(k) * 0.2 - 0.15, noise(k + 99) * 0.3 - 0.3).normalize();
    const ray = new THREE.Raycaster(origin, direction);
    return { ray, nearest: group.raycastFirst(ray) };
  }).filter(({ nearest }) => nearest !== null);
  hits.sort((a, b) => b.nearest!.distance - a.nearest!.distance);
  const { ray, nearest } = hits[0] as { ray: THREE.Raycaster; nearest: THREE.Intersection };
  const stats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
  const near = group.octree.intersectRay(ray.ray, { far: nearest.distance, stats });
  if (usesPick) for (const { body } of near) (body.data as THREE.Mesh).material = tested;
  // Not covered by others, nor is the ray.
  hit.depthTest = false;
  (nearest.object as THREE.Mesh).material = hit;
  nearest.object.renderOrder = 1;
  const line = new THREE.BufferGeometry().setFromPoints([origin, nearest.point]);
  view.scene.add(new THREE.Line(line, new THREE.LineBasicMaterial({ color: 0xffffff, depthTest: false })));
  view.look([-12, 30, 78], [-4, 0, 0]).draw();
  return usesPick
    ? [`pick: ${stats.bodiesTested} of 1,500 objects tested`, 'from near to far, until the nearest hit is certain']
    : ['Raycaster: 1,500 of 1,500 objects tested', 'each in turn, then the hits are sorted'];
}

function copies(view: View, usesOctree: boolean): Caption {
  const material = paint(DRAWN);
  const count = 6400;
  const watched = createWatched(view);
  const trees = usesOctree ? new OctreeInstances(box, material, count) : new THREE.InstancedMesh(box, material, count);
  const matrix = new THREE.Matrix4();
  for (let id = 0; id < count; id++) {
    matrix
      .makeScale(1.2, 1 + 2 * noise(id), 1.2)
      .setPosition((id % 80) * 2.5 - 100, 0, Math.floor(id / 80) * 2.5 - 100);
    trees.setMatrixAt(id, matrix);
  }
  if (trees instanceof OctreeInstances) trees.cullingCamera = watched;
  view.scene.add(trees);
  fromAbove(view).draw();
  const drawn = view.renderer.info.render.triangles / 12;
  return usesOctree
    ? [`OctreeInstances: ${drawn.toLocaleString('en')} drawn`, 'what the camera sees, in one draw call']
    : [`InstancedMesh: ${drawn.toLocaleString('en')} drawn`, 'all, in one draw call'];
}

function bullets(view: View, usesCasts: boolean): Caption {
  const octree = new Octree<string>();
  const bounds = new THREE.Box3(new THREE.Vector3(-0.25, 0, -20), new THREE.Vector3(0.25, 16, 20));
  octree.insert(bounds, 'wall');
  const wall = new THREE.Mesh(box, paint(0x55627d));
  wall.scale.set(0.5, 16, 40);
  const ground = new THREE.Mesh(new THREE.PlaneGeometry(160, 60).rotateX(-Math.PI / 2), paint(0x232d3d));
  view.scene.add(wall, ground);
  const dot = new THREE.SphereGeometry(0.8, 16, 12);
  const [flying, stopped] = [paint(0xb9c4d8), paint(DRAWN)];
  let hits = 0;
  for (let k = 0; k < 12; k++) {
    const start = new THREE.Vector3(-34 + ((k * 37) % 10), 2 + (k % 4) * 3.6, -15 + k * 2.7);
    const motion = new THREE.Vector3(10, 0, 0);
    for (let step = 0; step < 7; step++) {
      const bullet = new THREE.Sphere(start.clone(), 0.45);
      const impact = usesCasts ? castSphere(octree, bullet, motion) : null;
      const isHit = usesCasts ? impact !== null : octree.intersectSphere(bullet).length > 0;
      const mesh = new THREE.Mesh(dot, isHit && !usesCasts ? stopped : flying);
      mesh.position.copy(start);
      view.scene.add(mesh);
      if (isHit) {
        hits++;
        if (impact === null) break;
        const end = mesh.clone();
        end.material = stopped;
        end.position.x += impact.distance;
        view.scene.add(end);
        break;
      }
      start.add(motion);
    }
  }
  view.look([-26, 20, 40], [0, 5, 0]).draw();
  return usesCasts
    ? [`castSphere: ${hits} of 12 bullets hit`, 'each step of 10 m is a shape cast']
    : [`Tests of places: ${hits} of 12 bullets hit`, 'a dot for each step of 10 m: the wall is between two'];
}

/** By guide. */
const COMPARISONS: Readonly<Record<string, (view: View, has: boolean) => Caption>> = {
  culling: culledCity,
  occlusion: hiddenCity,
  'levels-of-detail': forest,
  'moving-vertices': wind,
  batches: drawCalls,
  'shadows-and-cameras': lamps,
  picking: picked,
  instances: copies,
  'casts-and-shapes': bullets,
};

const compare = COMPARISONS[location.search.slice(1)];
for (const has of [false, true]) {
  const view = new View();
  const [use, effect] = compare(view, has);
  const figure = document.createElement('figure');
  const caption = document.createElement('figcaption');
  caption.innerHTML = `<b>${use}</b>${effect}`;
  figure.append(view.renderer.domElement, caption);
  document.body.append(figure);
}
document.body.dataset.ready = Object.keys(COMPARISONS).join(' ');
