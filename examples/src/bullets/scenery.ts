// The static scene: the edges of the region, a floor grid and the lights.

import {
  BoxGeometry,
  DirectionalLight,
  EdgesGeometry,
  GridHelper,
  Group,
  HemisphereLight,
  LineBasicMaterial,
  LineSegments,
} from 'three';
import { region } from './range.ts';

const SQUARES = 16;

export function createScenery(): Group {
  const { min, edge } = region;
  const middle = [min.x + edge / 2, min.y + edge / 2, min.z + edge / 2] as const;
  const cube = new LineSegments(
    new EdgesGeometry(new BoxGeometry(edge, edge, edge)),
    new LineBasicMaterial({ color: '#26344d' }),
  );
  cube.position.set(...middle);
  const floor = new GridHelper(edge, SQUARES, '#1a2435', '#121a28');
  floor.position.set(middle[0], min.y, middle[2]);
  const sun = new DirectionalLight('#fff2dc', 2.2);
  sun.position.set(80, 120, 160);
  return new Group().add(cube, floor, sun, new HemisphereLight('#7c9bd6', '#1a1410', 1.1));
}
