// The parts that the fair is built of: a few shapes of size 1 that stand on the height 0, in the colours of one
// palette. Each part is a mesh of its own, scaled as it is needed.

import {
  BoxGeometry,
  BufferGeometry,
  type ColorRepresentation,
  ConeGeometry,
  CylinderGeometry,
  DoubleSide,
  Color,
  Float32BufferAttribute,
  Group,
  IcosahedronGeometry,
  LatheGeometry,
  type Material,
  Mesh,
  MeshLambertMaterial,
  type Object3D,
  Vector2,
} from 'three';

export const COLOURS = {
  cream: '#f6ead2',
  white: '#fffaf0',
  coral: '#e5735c',
  red: '#c8473d',
  mustard: '#edb64a',
  teal: '#2f8f8a',
  mint: '#a9d6c4',
  navy: '#30507a',
  sky: '#8dbbe0',
  plum: '#8a4f7d',
  rose: '#f0a6a0',
  wood: '#b07f52',
  bark: '#7a5436',
  leaf: '#6fa050',
  moss: '#8db658',
  pine: '#4f8a5a',
  path: '#e6d5b0',
  stone: '#cdc3b2',
  steel: '#8795a3',
  ink: '#3b4652',
  loaf: '#cf9450',
  skin: '#e8b58f',
} as const;
export type Colour = keyof typeof COLOURS;

const createShapes = () => ({
  box: withoutGroups(new BoxGeometry().translate(0, 0.5, 0)),
  post: withoutGroups(new CylinderGeometry(0.5, 0.5, 1, 12).translate(0, 0.5, 0)),
  drum: withoutGroups(new CylinderGeometry(0.5, 0.5, 1, 40).translate(0, 0.5, 0)),
  cone: withoutGroups(new ConeGeometry(0.5, 1, 16).translate(0, 0.5, 0)),
  tent: withoutGroups(new ConeGeometry(0.5, 1, 32).translate(0, 0.5, 0)),
  ball: new IcosahedronGeometry(0.5, 2).translate(0, 0.5, 0),
  fruit: new IcosahedronGeometry(0.5, 1).translate(0, 0.5, 0),
  crown: new IcosahedronGeometry(0.5, 1).translate(0, 0.5, 0),
  vase: lathe([0.3, 0, 0.48, 0.2, 0.5, 0.4, 0.36, 0.66, 0.22, 0.8, 0.3, 1]),
  barrel: lathe([0, 0, 0.4, 0, 0.5, 0.3, 0.5, 0.7, 0.4, 1, 0, 1]),
  flag: flag(),
});
export type Shape = keyof ReturnType<typeof createShapes>;

type Triple = readonly [number, number, number];

export class Parts {
  private readonly shapes = createShapes();
  private readonly materials = new Map<Colour, MeshLambertMaterial>();
  private readonly awnings = new Map<string, BufferGeometry>();
  /** For geometries that have colours of their own. */
  readonly painted = new MeshLambertMaterial({ vertexColors: true, side: DoubleSide });

  materialOf(colour: Colour): MeshLambertMaterial {
    let material = this.materials.get(colour);
    if (material === undefined)
      this.materials.set(colour, (material = new MeshLambertMaterial({ color: COLOURS[colour] })));
    return material;
  }

  /** A named object that holds the parts of one thing. */
  group(parent: Object3D, name: string, [x, y, z]: Triple = [0, 0, 0], turn = 0): Group {
    const group = new Group();
    group.name = name;
    group.position.set(x, y, z);
    group.rotation.y = turn;
    parent.add(group);
    return group;
  }

  /** @param place Of the middle of its lower side. @param size Width, height and depth. */
  add(parent: Object3D, shape: Shape, colour: Colour, name: string, place: Triple, size: Triple): Mesh {
    const mesh = this.mesh(parent, this.shapes[shape], this.materialOf(colour), name);
    mesh.position.fromArray(place);
    mesh.scale.fromArray(size);
    return mesh;
  }

  /** A mesh with a geometry of its own. */
  mesh(parent: Object3D, geometry: BufferGeometry, material: Material, name: string): Mesh {
    const mesh = new Mesh(geometry, material);
    mesh.name = name;
    mesh.castShadow = mesh.receiveShadow = true;
    parent.add(mesh);
    return mesh;
  }

  /** A striped cloth of size 1: it rises from the front (z = 0.5, y = 0) to the back (y = 1), and has scallops. */
  awning(parent: Object3D, one: Colour, other: Colour, name: string, place: Triple, size: Triple): Mesh {
    const key = `${one} ${other}`;
    let geometry = this.awnings.get(key);
    if (geometry === undefined) this.awnings.set(key, (geometry = stripes(COLOURS[one], COLOURS[other])));
    const mesh = this.mesh(parent, geometry, this.painted, name);
    mesh.position.fromArray(place);
    mesh.scale.fromArray(size);
    return mesh;
  }

  /** A round roof of size 1 in two colours. */
  roof(parent: Object3D, one: Colour, other: Colour, name: string, place: Triple, size: Triple): Mesh {
    const key = `roof ${one} ${other}`;
    let geometry = this.awnings.get(key);
    if (geometry === undefined) this.awnings.set(key, (geometry = sectors(COLOURS[one], COLOURS[other])));
    const mesh = this.mesh(parent, geometry, this.painted, name);
    mesh.position.fromArray(place);
    mesh.scale.fromArray(size);
    return mesh;
  }

  dispose(): void {
    for (const geometry of [...Object.values(this.shapes), ...this.awnings.values()]) geometry.dispose();
    for (const material of [this.painted, ...this.materials.values()]) material.dispose();
  }
}

/** A mesh with one material draws all groups as one. */
function withoutGroups<Kind extends BufferGeometry>(geometry: Kind): Kind {
  geometry.clearGroups();
  return geometry;
}

/** @param outline Radius and height of each point, from below. */
function lathe(outline: readonly number[]): BufferGeometry {
  const points = Array.from({ length: outline.length / 2 }, (_, k) => new Vector2(outline[2 * k], outline[2 * k + 1]));
  return new LatheGeometry(points, 16);
}

/** A triangle that hangs from the height 0. */
function flag(): BufferGeometry {
  const positions = [-0.5, 0, 0.02, 0, -1, 0.02, 0.5, 0, 0.02, 0.5, 0, -0.02, 0, -1, -0.02, -0.5, 0, -0.02];
  const geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(positions, 3));
  geometry.computeVertexNormals();
  return geometry;
}

const STRIPES = 8;
const SCALLOP_STEPS = 4;
/** Height of the hem of a scallop, which is half a circle. @param share Of its width. */
const scallopAt = (share: number): number => -0.22 - 0.22 * Math.sqrt(Math.max(0, 1 - (2 * share - 1) ** 2));

function stripes(...names: readonly ColorRepresentation[]): BufferGeometry {
  const colours = names.map((name) => new Color(name));
  const positions: number[] = [];
  const colors: number[] = [];
  const addQuad = ({ r, g, b }: Color, ...corners: readonly Triple[]): void => {
    for (const k of [0, 1, 2, 0, 2, 3]) {
      positions.push(...corners[k]);
      colors.push(r, g, b);
    }
  };
  for (let k = 0; k < STRIPES; k++) {
    const [left, right] = [k / STRIPES - 0.5, (k + 1) / STRIPES - 0.5];
    const colour = colours[k % 2];
    addQuad(colour, [left, 0, 0.5], [right, 0, 0.5], [right, 1, -0.5], [left, 1, -0.5]);
    for (let step = 0; step < SCALLOP_STEPS; step++) {
      const [from, to] = [step / SCALLOP_STEPS, (step + 1) / SCALLOP_STEPS];
      const [x0, x1] = [left + from * (right - left), left + to * (right - left)];
      addQuad(colour, [x0, scallopAt(from), 0.5], [x1, scallopAt(to), 0.5], [x1, 0, 0.5], [x0, 0, 0.5]);
    }
  }
  const geometry = new BufferGeometry()
    .setAttribute('position', new Float32BufferAttribute(positions, 3))
    .setAttribute('color', new Float32BufferAttribute(colors, 3));
  geometry.computeVertexNormals();
  return geometry;
}

const SECTORS = 16;
/** Radius and height of the roof and of its hem, from above. */
const ROOF = [0, 1, 0.12, 0.74, 0.28, 0.42, 0.5, 0.16, 0.5, 0] as const;

function sectors(...names: readonly ColorRepresentation[]): BufferGeometry {
  const colours = names.map((name) => new Color(name));
  const positions: number[] = [];
  const colors: number[] = [];
  for (let k = 0; k < 2 * SECTORS; k++) {
    const { r, g, b } = colours[(k >> 1) % 2];
    const [from, to] = [(k * Math.PI) / SECTORS, ((k + 1) * Math.PI) / SECTORS];
    for (let at = 0; at + 3 < ROOF.length; at += 2) {
      const [r0, y0, r1, y1] = ROOF.slice(at, at + 4);
      const corners = [
        [r0 * Math.cos(from), y0, r0 * Math.sin(from)],
        [r0 * Math.cos(to), y0, r0 * Math.sin(to)],
        [r1 * Math.cos(to), y1, r1 * Math.sin(to)],
        [r1 * Math.cos(from), y1, r1 * Math.sin(from)],
      ];
      for (const corner of r0 === 0 ? [0, 2, 3] : [0, 1, 2, 0, 2, 3]) {
        positions.push(...corners[corner]);
        colors.push(r, g, b);
      }
    }
  }
  const geometry = new BufferGeometry()
    .setAttribute('position', new Float32BufferAttribute(positions, 3))
    .setAttribute('color', new Float32BufferAttribute(colors, 3));
  geometry.computeVertexNormals();
  return geometry;
}
