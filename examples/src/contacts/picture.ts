// Draws the table of balls.

import { BufferGeometry, LineBasicMaterial, LineLoop, Scene, Vector3 } from 'three';
import { OrbitView } from '../shared/orbit-view.ts';
import type { Stage } from '../shared/stage.ts';
import { BallView } from './ball-view.ts';
import type { Table } from './table.ts';

/**
 * From the centre of the table to the camera, in radii of the table. A narrow window shows the table from higher up.
 */
const WIDE = new Vector3(0, 1.75, 2.15);
const NARROW = new Vector3(0, 3.6, 1.9);
const MAX_DISTANCE = 2500;
const RIM_POINTS = 180;

export class Picture {
  readonly view: OrbitView;
  private readonly scene = new Scene();
  private readonly balls = new BallView();
  private readonly rim: LineLoop;

  constructor(stage: Stage, tableRadius: number, overlay: HTMLElement) {
    const points = Array.from(
      { length: RIM_POINTS },
      (_, k) => new Vector3(Math.cos((k / RIM_POINTS) * 2 * Math.PI), 0, Math.sin((k / RIM_POINTS) * 2 * Math.PI)),
    );
    this.rim = new LineLoop(new BufferGeometry().setFromPoints(points), new LineBasicMaterial({ color: '#34425c' }));
    this.scene.add(this.rim, this.balls.object);
    this.view = new OrbitView(stage, overlay, {
      wide: WIDE.clone().multiplyScalar(tableRadius),
      narrow: NARROW.clone().multiplyScalar(tableRadius),
      maxDistance: MAX_DISTANCE,
    });
    this.setTable(tableRadius);
  }

  setTable(radius: number): void {
    this.rim.scale.setScalar(radius);
  }

  prepare(): Promise<void> {
    return this.view.prepare(this.scene);
  }

  draw(table: Table): void {
    this.balls.update(table);
    this.view.draw(this.scene);
  }
}
