import {
  BatchedMesh,
  Box3,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Group,
  InstancedBufferGeometry,
  InstancedMesh,
  Line,
  type Material,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  PerspectiveCamera,
  PlaneGeometry,
  PointLight,
  Points,
  ShaderMaterial,
  Skeleton,
  SkinnedMesh,
  Sphere,
  SphereGeometry,
  Sprite,
  SpriteMaterial,
  Texture,
  Vector3,
  type Object3D,
} from 'three';
import { describe, expect, it } from 'vitest';
import { boundsOf, ObjectBounds } from '../../../src/three.ts';
import { createRandom } from '../../support/random.ts';

const material: Material = new MeshBasicMaterial();
const box = (): Mesh => new Mesh(new BoxGeometry(2, 4, 6), material);

/** The box around all vertices, each transformed. */
function boxOfVertices(mesh: Mesh): Box3 {
  const { position } = mesh.geometry.attributes;
  const around = new Box3();
  for (let k = 0; k < position.count; k++)
    around.expandByPoint(new Vector3().fromBufferAttribute(position, k).applyMatrix4(mesh.matrixWorld));
  return around;
}

/** Whether bounds contain every vertex, except for rounding. */
function expectToHold(bounds: Box3 | Sphere | null, mesh: Mesh): void {
  const { position } = mesh.geometry.attributes;
  const point = new Vector3();
  for (let k = 0; k < position.count; k++) {
    point.fromBufferAttribute(position, k).applyMatrix4(mesh.matrixWorld);
    expect(bounds!.distanceToPoint(point)).toBeLessThan(1e-9);
  }
}

/** A sheared matrix, which position, rotation and scale cannot express. */
function place(object: Object3D, matrix: Matrix4): void {
  object.matrixAutoUpdate = false;
  object.matrix.copy(matrix);
  object.matrixWorldNeedsUpdate = true;
}

describe('boundsOf', () => {
  it('returns the box of a box, and the sphere of a sphere turned by 45 degrees', () => {
    const crate = box();
    crate.position.set(10, 0, 0);
    expect(boundsOf(crate)).toEqual(new Box3(new Vector3(9, -2, -3), new Vector3(11, 2, 3)));
    const sphere = new Mesh(new SphereGeometry(1, 32, 16), material);
    sphere.rotation.set(0.8, 0.6, 0.3);
    expect(boundsOf(sphere)).toBeInstanceOf(Sphere);
    expectToHold(boundsOf(sphere), sphere);
  });

  it('returns the box or sphere of the target and sets no boundingBox of the geometry', () => {
    const target = new ObjectBounds();
    const crate = box();
    expect(boundsOf(crate, target)).toBe(target.box);
    expect(crate.geometry.boundingBox).toBeNull();
  });

  it('includes the transforms of the parents, before any rendering', () => {
    const group = new Group();
    group.position.set(0, 100, 0);
    group.scale.set(2, 2, 2);
    const crate = box();
    group.add(crate);
    expect(boundsOf(crate)).toEqual(new Box3(new Vector3(-2, 96, -6), new Vector3(2, 104, 6)));
  });

  it('is the box around the transformed corners under a mirror, a zero scale and shear', () => {
    const mirrored = box();
    mirrored.scale.set(-2, 1, 1);
    expect(boundsOf(mirrored)).toEqual(new Box3(new Vector3(-2, -2, -3), new Vector3(2, 2, 3)));
    const flat = box();
    flat.scale.set(1, 0, 1);
    expect(boundsOf(flat)).toEqual(new Box3(new Vector3(-1, 0, -3), new Vector3(1, 0, 3)));
    const sheared = box();
    place(sheared, new Matrix4().makeShear(1, 0, 0, 0, 0, 0));
    expect(boundsOf(sheared)).toEqual(boxOfVertices(sheared));
  });

  it.each(Array.from({ length: 20 }, (_, seed) => seed))('contains every vertex under any matrix (seed %i)', (seed) => {
    const random = createRandom(seed);
    const isBox = seed % 2 === 0;
    const mesh = new Mesh(
      (isBox ? new BoxGeometry(1, 2, 3) : new SphereGeometry(2, 8, 6)).translate(5, 4, 3),
      material,
    );
    place(
      mesh,
      new Matrix4().fromArray(
        Array.from({ length: 16 }, (_, k) => (k % 4 === 3 ? Number(k === 15) : random.between(-4, 4))),
      ),
    );
    const bounds = boundsOf(mesh)!;
    expectToHold(bounds, mesh);
    const tight = boxOfVertices(mesh);
    if (isBox && bounds instanceof Box3)
      for (const end of ['min', 'max'] as const) expect(bounds[end].distanceTo(tight[end])).toBeLessThan(1e-9);
    // With a shader that moves vertices the bound is the sphere, which must contain all under shear too.
    mesh.material = new ShaderMaterial();
    expect(boundsOf(mesh)).toBeInstanceOf(Sphere);
    expectToHold(boundsOf(mesh), mesh);
  });

  it('is never larger than the culling sphere of three, without shear', () => {
    const random = createRandom(7);
    for (let k = 0; k < 50; k++) {
      const mesh = box();
      mesh.position.set(random.between(-9, 9), random.between(-9, 9), random.between(-9, 9));
      mesh.rotation.set(random.between(-3, 3), random.between(-3, 3), random.between(-3, 3));
      mesh.scale.set(random.between(-3, 3), random.between(-3, 3), random.between(-3, 3));
      const bounds = boundsOf(mesh)!;
      mesh.geometry.computeBoundingSphere();
      const sphere = mesh.geometry.boundingSphere!.clone().applyMatrix4(mesh.matrixWorld);
      const size = bounds instanceof Box3 ? bounds.getSize(new Vector3()) : new Vector3().setScalar(2 * bounds.radius);
      const volume = bounds instanceof Box3 ? size.x * size.y * size.z : (Math.PI / 6) * size.x ** 3;
      expect(volume).toBeLessThanOrEqual(((4 * Math.PI) / 3) * sphere.radius ** 3 * (1 + 1e-9));
    }
  });

  it('is the sphere of three for objects drawn beyond their vertices: points, lines, sprites', () => {
    const geometry = new PlaneGeometry(2, 2);
    expect(boundsOf(new Points(geometry))).toEqual(new Sphere(new Vector3(), Math.SQRT2));
    expect(boundsOf(new Line(geometry))).toEqual(new Sphere(new Vector3(), Math.SQRT2));
    const sprite = new Sprite(new SpriteMaterial());
    sprite.scale.set(3, 1, 1);
    expect((boundsOf(sprite) as Sphere).radius).toBeCloseTo(3 * Math.SQRT1_2, 12);
    sprite.center.set(0, 0);
    expect((boundsOf(sprite) as Sphere).radius).toBeCloseTo(3 * Math.SQRT2, 12);
  });

  it('is the sphere if a shader may move vertices', () => {
    const patched = new MeshBasicMaterial();
    patched.onBeforeCompile = () => undefined;
    const displaced = new MeshStandardMaterial({ displacementMap: new Texture() });
    for (const own of [new ShaderMaterial(), patched, displaced, [material, patched]])
      expect(boundsOf(new Mesh(new PlaneGeometry(), own))).toBeInstanceOf(Sphere);
    expect(boundsOf(new Mesh(new PlaneGeometry(), [material, material]))).toBeInstanceOf(Box3);
    expect(
      boundsOf(Object.assign(new Mesh(new PlaneGeometry(), material), { customDepthMaterial: patched })),
    ).toBeInstanceOf(Sphere);
  });

  it('is the sphere if one was set by hand, and null if it is infinite', () => {
    const mesh = new Mesh(new PlaneGeometry(), material);
    mesh.geometry.boundingSphere = new Sphere(new Vector3(), 5);
    expect(boundsOf(mesh)).toEqual(new Sphere(new Vector3(), 5));
    for (const radius of [Infinity, -1]) {
      mesh.geometry.boundingSphere.radius = radius;
      expect(boundsOf(mesh)).toBeNull();
    }
  });

  it.each([1e-6, 1, 1e6])('is the sphere if one was moved by hand along any axis, at scale %d', (scale) => {
    const mesh = new Mesh(new BoxGeometry(scale, scale, scale).translate(3 * scale, 5 * scale, 7 * scale), material);
    expect(boundsOf(mesh)).toBeInstanceOf(Box3);
    mesh.geometry.computeBoundingSphere();
    expect(boundsOf(mesh)).toBeInstanceOf(Box3);
    const { center } = mesh.geometry.boundingSphere!;
    for (const axis of ['x', 'y', 'z'] as const) {
      center[axis] += scale / 9;
      expect(boundsOf(mesh)).toEqual(mesh.geometry.boundingSphere);
      center[axis] -= scale / 9;
    }
  });

  it('is a point for one vertex', () => {
    const dot = new BufferGeometry().setFromPoints([new Vector3(1, 2, 3)]);
    expect(boundsOf(new Points(dot))).toEqual(new Sphere(new Vector3(1, 2, 3), 0));
  });

  it('follows changed vertices once their attribute needs an update', () => {
    const mesh = new Mesh(new BoxGeometry(2, 2, 2), material);
    expect(boundsOf(mesh)).toEqual(new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1)));
    const { position } = mesh.geometry.attributes;
    for (let k = 0; k < position.count; k++) position.setX(k, position.getX(k) * 3);
    position.needsUpdate = true;
    mesh.geometry.computeBoundingSphere();
    expect(boundsOf(mesh)).toEqual(new Box3(new Vector3(-3, -1, -1), new Vector3(3, 1, 1)));
  });

  it('is the sphere of three for skinned, instanced, batched and morphing meshes', () => {
    const instanced = new InstancedMesh(new BoxGeometry(2, 2, 2), material, 2);
    instanced.setMatrixAt(1, new Matrix4().makeTranslation(10, 0, 0));
    expect(boundsOf(instanced)).toEqual(new Sphere(new Vector3(5, 0, 0), 5 + Math.sqrt(3)));
    const batched = new BatchedMesh(1, 24, 36, material);
    batched.addInstance(batched.addGeometry(new BoxGeometry(2, 2, 2)));
    expect((boundsOf(batched) as Sphere).radius).toBeCloseTo(Math.sqrt(3), 6);
    const geometry = new BoxGeometry(2, 2, 2);
    geometry
      .setAttribute('skinIndex', new BufferAttribute(new Uint16Array(4 * 24), 4))
      .setAttribute('skinWeight', new BufferAttribute(new Float32Array(4 * 24), 4));
    const skinned = new SkinnedMesh(geometry, material);
    skinned.bind(new Skeleton([]));
    expect(boundsOf(skinned)).toBeInstanceOf(Sphere);
    const morphing = new BoxGeometry(2, 2, 2);
    morphing.morphAttributes.position = [new BufferAttribute(new Float32Array(3 * 24).fill(5), 3)];
    expect((boundsOf(new Mesh(morphing, material)) as Sphere).radius).toBeGreaterThan(5);
    // Other targets before the first frame: there is no `boundingSphere` yet.
    morphing.morphAttributes.position = [new BufferAttribute(new Float32Array(3 * 24).fill(50), 3)];
    expect((boundsOf(new Mesh(morphing, material)) as Sphere).radius).toBeGreaterThan(40);
    const wide = new InstancedBufferGeometry().copy(
      new BoxGeometry(2, 2, 2) as BufferGeometry as InstancedBufferGeometry,
    );
    expect(boundsOf(new Mesh(wide, material))).toBeInstanceOf(Sphere);
  });

  it('is null for objects without bounds: groups, lights, cameras, empty geometries, sprites of fixed size', () => {
    const fixed = new Sprite(new SpriteMaterial({ sizeAttenuation: false }));
    const empty = new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(0), 3));
    for (const object of [
      new Group(),
      new PointLight(),
      new PerspectiveCamera(),
      fixed,
      new Mesh(new BufferGeometry(), material),
      new Mesh(empty, material),
    ]) {
      expect(boundsOf(object)).toBeNull();
    }
  });

  it('refuses a matrix or a geometry with NaN, and bounds beyond 2^50, and names the object', () => {
    const lost = box();
    lost.name = 'crate';
    lost.position.x = NaN;
    expect(() => boundsOf(lost)).toThrow(/^boundsOf: the matrixWorld of the Mesh "crate" .* check its position/);
    lost.position.x = 2 ** 50;
    expect(() => boundsOf(lost)).toThrow(RangeError);
    lost.position.set(2, -(2 ** 60), 1);
    expect(() => boundsOf(lost)).toThrow(/they reach 1152921504606847\d{3}; check/);
    const broken = new Mesh(
      new BufferGeometry().setAttribute(
        'position',
        new BufferAttribute(new Float32Array([0, 0, 0, NaN, 0, 0, 1, 1, 1]), 3),
      ),
      material,
    );
    broken.geometry.boundingSphere = new Sphere(new Vector3(), NaN);
    expect(() => boundsOf(broken)).toThrow(/^boundsOf: the geometry of the Mesh with id \d+ .* check its vertices/);
    const empty = Object.assign(box(), { geometry: null, name: 'empty' });
    expect(() => boundsOf(empty)).toThrow(
      new TypeError('boundsOf: geometry of the Mesh "empty" must be a BufferGeometry, but is null; set one.'),
    );
  });

  it('refuses values that are no Object3D, and wrong targets', () => {
    for (const [value, description] of [
      [null, 'null'],
      [undefined, 'undefined'],
      [new BufferGeometry(), 'a BufferGeometry'],
      ['crate', 'the string "crate"'],
    ] as const) {
      expect(() => boundsOf(value as never)).toThrow(
        new TypeError(`boundsOf: object must be an Object3D, but is ${description}; pass a Mesh or another object.`),
      );
    }
    for (const value of [null, new Box3()]) {
      expect(() => boundsOf(box(), value as never)).toThrow(
        /^boundsOf: target must be an ObjectBounds, but is (null|a Box3); leave it out if unsure\.$/,
      );
    }
  });
});
