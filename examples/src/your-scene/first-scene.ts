// The scene that is there to start with: a town of towers and trees on hexagonal hills, generated, the same on every
// visit.

import {
  BoxGeometry,
  type BufferGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  Group,
  IcosahedronGeometry,
  type Material,
  Mesh,
  MeshLambertMaterial,
} from 'three';
import { hash, mix, smoothNoise } from '../shared/noise.ts';
import type { SlicedWork } from '../shared/slices.ts';

/** Half the edge of the town in plots. */
const PLOTS = 16;
/** Edge of a plot in metres. */
const PLOT = 4;
const SALT = 11;

const paint = (color: string, extra: object = {}): MeshLambertMaterial =>
  new MeshLambertMaterial({ color: new Color(color), flatShading: true, ...extra });

/** @param size Share of the town from its centre, 0 to 1. 1 is about 5,000 meshes, which share six geometries. */
export function* buildFirstScene(size: number): SlicedWork<Group> {
  const root = new Group();
  const shapes = {
    block: new BoxGeometry(),
    trunk: new CylinderGeometry(0.09, 0.13, 1, 5),
    crown: new IcosahedronGeometry(0.62, 0),
    fir: new ConeGeometry(0.6, 1.9, 6),
    hill: new CylinderGeometry(PLOT * 0.57, PLOT * 0.6, 1, 6),
    lamp: new BoxGeometry(0.24, 0.18, 0.24),
  };
  const walls = ['#e7d3b1', '#c98f5f', '#9fb2bd', '#d9b48c', '#7f93a8'].map((color) => paint(color));
  const [roof, wood, leaf, needle] = ['#7a3f38', '#5b4232', '#d9a13f', '#2f8a72'].map((color) => paint(color));
  const light = paint('#ffdf9a', { emissive: new Color('#ffb454'), emissiveIntensity: 1.4 });
  const grounds = ['#2f5a60', '#376a68', '#43796a', '#56886a'].map((color) => paint(color));
  const plots = Math.max(1, Math.round(PLOTS * size));

  for (let row = -plots; row < plots; row++) {
    for (let at = -plots; at < plots; at++) buildPlot(at, row);
    yield (row + plots) / (2 * plots);
  }
  return root;

  function buildPlot(at: number, row: number): void {
    const [x, z] = [(at + (row & 1) / 2) * PLOT, row * PLOT * 0.87];
    const away = Math.sqrt(x * x + z * z) / (plots * PLOT);
    if (away > 0.98) return;
    const chance = (what: number): number => hash(at, row, SALT + what);
    const relief = smoothNoise(at / 7, row / 7, SALT) * 6 * mix(0.4, 1.6, away);
    // Hills overlap. With bottoms in one plane, colours that are merged would show the order of drawing from below.
    const depth = 4 + chance(9) / 2;
    add(
      'hill',
      shapes.hill,
      grounds[Math.floor(smoothNoise(at / 3, row / 3, 5) * grounds.length)],
      x,
      (relief - depth) / 2,
      z,
      1,
      relief + depth,
      1,
    );
    if (chance(1) < mix(0.75, 0.1, away)) addTower(x, relief, z, mix(1.5, 0.7, away), chance);
    else
      for (let tree = 0; tree < 2 + Math.floor(chance(2) * 3); tree++)
        addTree(x + (chance(20 + tree) - 0.5) * 3, relief, z + (chance(40 + tree) - 0.5) * 3, chance(60 + tree));
  }

  function add(
    name: string,
    shape: BufferGeometry,
    material: Material,
    x: number,
    y: number,
    z: number,
    width = 1,
    height = 1,
    depth = width,
    turn = 0,
  ): void {
    const mesh = new Mesh(shape, material);
    mesh.name = name;
    mesh.position.set(x, y, z);
    mesh.scale.set(width, height, depth);
    mesh.rotation.y = turn;
    root.add(mesh);
  }

  function addTower(x: number, y: number, z: number, stretch: number, chance: (what: number) => number): void {
    const wall = walls[Math.floor(chance(3) * walls.length)];
    let [width, base] = [1.5 + chance(4) * 1.2, y];
    const turn = Math.round(chance(5) * 3) * 0.35;
    for (let floor = 0; floor < 1 + Math.floor(chance(6) * 3); floor++) {
      const height = (1.4 + chance(7 + floor) ** 2 * 5) * stretch;
      add('tower', shapes.block, wall, x, base + height / 2, z, width, height, width, turn);
      add('roof', shapes.block, roof, x, base + height + 0.08, z, width * 1.12, 0.16, width * 1.12, turn);
      base += height + 0.16;
      width *= 0.72;
    }
    if (chance(12) < 0.6) add('lamp', shapes.lamp, light, x + 1.5, y + 0.9, z + 1.2);
  }

  function addTree(x: number, y: number, z: number, size: number): void {
    const scale = 0.8 + size * 0.9;
    add('trunk', shapes.trunk, wood, x, y + 0.4 * scale, z, scale, 0.9 * scale);
    if (size < 0.6) add('fir', shapes.fir, needle, x, y + 1.6 * scale, z, scale, scale);
    else add('crown', shapes.crown, leaf, x, y + 1.25 * scale, z, scale, scale);
  }
}
