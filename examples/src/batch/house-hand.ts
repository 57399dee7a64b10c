// The house in hand: it glows under the pointer, a click selects it, a drag moves it, and it can be repainted and
// hidden, while it is batched.

import {
  BoxGeometry,
  Color,
  EdgesGeometry,
  LineBasicMaterial,
  LineSegments,
  Plane,
  Raycaster,
  type Scene,
  Vector2,
  Vector3,
} from 'three';
import { pick } from '../../../src/three.ts';
import { element } from '../shared/elements.ts';
import { onClick } from '../shared/on-click.ts';
import { onKeyPress } from '../shared/held-keys.ts';
import type { View } from '../shared/stage.ts';
import type { City, House } from './city.ts';
import type { Roof } from '../shared/house.ts';
import type { Orbit } from './orbit.ts';

const PAINTS = ['#e4572e', '#17bebb', '#ffc914', '#7a5cff', '#f06ba8', '#76b041'].map((name) => new Color(name));
const OUTLINE = new Color('#ff3d00');
const ROOF_NAMES: Readonly<Record<Roof, string>> = {
  saddle: 'saddle roof',
  gable: 'gable roof',
  hip: 'hip roof',
  mansard: 'mansard roof',
  flat: 'flat roof',
  tower: 'pyramid roof',
  church: 'church',
};

export class HouseHand {
  house: House | null = null;
  private city: City | null = null;
  /** The house under the pointer. */
  private pointed: House | null = null;
  private readonly hidden: House[] = [];
  private readonly outline = new LineSegments(
    new EdgesGeometry(new BoxGeometry()),
    new LineBasicMaterial({ color: OUTLINE, depthTest: false }),
  );
  private readonly view: View;
  private readonly orbit: Orbit;
  private readonly plane = new Plane(new Vector3(0, 1, 0));
  private readonly grip = new Vector3();
  private pointer = -1;
  private paints = 0;

  constructor(view: View, orbit: Orbit, scene: Scene) {
    this.view = view;
    this.orbit = orbit;
    this.outline.matrixAutoUpdate = false;
    this.outline.frustumCulled = false;
    this.outline.renderOrder = 1;
    this.outline.visible = false;
    scene.add(this.outline);
    const { element: surface } = view;
    // Before the camera controls, which listen on the same element.
    surface.addEventListener('pointerdown', (event) => this.grasp(event), { capture: true });
    surface.addEventListener('pointermove', (event) => (event.buttons === 0 ? this.point(event) : this.drag(event)));
    surface.addEventListener('pointerleave', () => this.glow(null));
    for (const end of ['pointerup', 'pointercancel'] as const)
      surface.addEventListener(end, (event) => this.release(event));
    onClick(surface, (event) => this.select(this.houseAt(event)?.house ?? null));
    element('repaint').addEventListener('click', () => this.repaint());
    element('hide').addEventListener('click', () => this.hide());
    element('show-all').addEventListener('click', () => this.showAll());
    onKeyPress('KeyC', () => this.repaint());
    onKeyPress('KeyH', () => this.hide());
    onKeyPress('KeyU', () => this.showAll());
    onKeyPress('Escape', () => this.select(null));
  }

  begin(city: City): void {
    this.city = city;
    this.hidden.length = 0;
    this.pointed = null;
    this.select(null);
  }

  select(house: House | null): void {
    this.house = house;
    this.outline.visible = house !== null;
    this.describe();
  }

  repaint(): void {
    const { house, city } = this;
    if (house === null || city === null) return;
    house.paint(PAINTS[this.paints++ % PAINTS.length]);
    city.group.reportMove(house.mesh);
  }

  /** Hides the house. That needs no report: `visible` is compared. */
  hide(): void {
    const { house } = this;
    if (house === null) return;
    house.setVisible(false);
    this.hidden.push(house);
    this.select(null);
  }

  showAll(): void {
    for (const house of this.hidden.splice(0)) house.setVisible(true);
    this.describe();
  }

  get hiddenCount(): number {
    return this.hidden.length;
  }

  /** Fits the outline to the house, which may move. */
  update(): void {
    if (this.house === null) return;
    const { mesh } = this.house;
    if (mesh.geometry.boundingBox === null) mesh.geometry.computeBoundingBox();
    mesh.updateWorldMatrix(true, false);
    const box = mesh.geometry.boundingBox!;
    this.outline.matrix
      .makeTranslation(box.getCenter(new Vector3()))
      .scale(box.getSize(new Vector3()))
      .premultiply(mesh.matrixWorld);
  }

  private houseAt(event: PointerEvent): { house: House; point: Vector3 } | null {
    if (this.city === null) return null;
    const hit = pick(event, this.orbit.camera, this.view.element, this.city.group);
    return hit === null ? null : { house: this.city.houseOf(hit.object), point: hit.point };
  }

  private point(event: PointerEvent): void {
    if (event.pointerType !== 'touch') this.glow(this.houseAt(event)?.house ?? null);
  }

  private glow(house: House | null): void {
    const { city, pointed } = this;
    if (house === pointed || city === null) return;
    if (pointed !== null) city.setGlow(pointed, false);
    if (house !== null) city.setGlow(house, true);
    this.pointed = house;
  }

  /** A drag that begins on the selected house moves it; all others move the camera. */
  private grasp(event: PointerEvent): void {
    if (this.house === null || event.button > 0 || !event.isPrimary) return;
    const hit = this.houseAt(event);
    if (hit?.house !== this.house) return;
    this.pointer = event.pointerId;
    this.plane.constant = -hit.point.y;
    this.grip.copy(hit.point).sub(this.house.mesh.position);
    this.orbit.isEnabled = false;
    this.view.element.setPointerCapture(event.pointerId);
  }

  private drag(event: PointerEvent): void {
    const { house, city } = this;
    if (event.pointerId !== this.pointer || house === null || city === null) return;
    const { x, y, width, height } = this.view;
    const raycaster = new Raycaster();
    raycaster.setFromCamera(
      new Vector2(((event.clientX - x) / width) * 2 - 1, 1 - ((event.clientY - y) / height) * 2),
      this.orbit.camera,
    );
    const place = raycaster.ray.intersectPlane(this.plane, new Vector3());
    if (place === null || place.distanceTo(this.orbit.camera.position) > this.orbit.camera.far) return;
    house.moveTo(place.x - this.grip.x, place.z - this.grip.z);
    city.group.reportMove(house.mesh);
  }

  private release({ pointerId }: PointerEvent): void {
    if (pointerId !== this.pointer) return;
    this.pointer = -1;
    this.orbit.isEnabled = true;
  }

  private describe(): void {
    const { house } = this;
    document.body.classList.toggle('has-house', house !== null);
    element('house-name').textContent =
      house === null
        ? 'Click a house'
        : `House ${(house.plot.number + 1).toLocaleString('en')}: ${house.plot.storeys} storeys, ${ROOF_NAMES[house.plot.roof]}`;
    for (const id of ['repaint', 'hide']) element(id).toggleAttribute('disabled', house === null);
    element('show-all').toggleAttribute('disabled', this.hidden.length === 0);
  }
}
