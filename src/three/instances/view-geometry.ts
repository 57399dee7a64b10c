/**
 * The geometry that a view draws: that of the user, unless it has attributes by instance. Then it is one of the view's own, which
 * shares everything else; the numbers of each instance are copied to the seat where the instance sits.
 */

import { BufferGeometry, InstancedBufferAttribute, type BufferAttribute, type InstancedInterleavedBuffer, type InterleavedBufferAttribute } from 'three';

type Attribute = BufferAttribute | InterleavedBufferAttribute;

/** An attribute of the user that has an item for each instance; of an interleaved one, the view's own is a plain one. */
export type AttributeByInstance = InstancedBufferAttribute | InterleavedBufferAttribute;

/** A user's attribute with an item for each id, or for as many as share one, and the view's with an item for each seat. */
interface Lane {
  readonly source: AttributeByInstance;
  /** Ids with the same item, side by side. */
  readonly idsPerItem: number;
  readonly target: InstancedBufferAttribute;
  readonly name: string;
}

export class ViewGeometry {
  readonly geometry: BufferGeometry;

  private readonly source: BufferGeometry;
  private readonly lanes: Lane[] = [];
  /** Renderers know this geometry only: when the user disposes of his, what they share goes with it. */
  private readonly onSourceDispose = (): void => this.geometry.dispose();

  constructor(source: BufferGeometry, capacity: number) {
    this.source = source;
    for (const [name, attribute] of Object.entries(source.attributes)) {
      if (!isByInstance(attribute)) continue;
      const { array, itemSize, normalized } = attribute;
      const Kind = array.constructor as new (length: number) => typeof array;
      const target = new InstancedBufferAttribute(new Kind(capacity * itemSize), itemSize, normalized);
      if (!('data' in attribute)) target.gpuType = attribute.gpuType;
      this.lanes.push({ name, source: attribute, idsPerItem: idsPerItemOf(attribute), target });
    }
    this.geometry = this.lanes.length === 0 ? source : new BufferGeometry();
    if (this.geometry !== source) source.addEventListener('dispose', this.onSourceDispose);
    this.follow();
  }

  get attributes(): InstancedBufferAttribute[] {
    return this.lanes.map(({ target }) => target);
  }

  /** Whether it still is what the user's geometry asks for; takes over what has changed in there. */
  follow(): boolean {
    const { source, geometry, lanes } = this;
    const names = Object.keys(source.attributes).filter((name) => isByInstance(source.attributes[name]));
    if (names.length !== lanes.length || lanes.some((lane) => source.attributes[lane.name] !== lane.source)) return false;
    if (geometry === source) return true;
    for (const [name, attribute] of Object.entries(source.attributes)) if (!isByInstance(attribute)) geometry.attributes[name] = attribute;
    for (const { name, target } of lanes) geometry.attributes[name] = target;
    for (const name of Object.keys(geometry.attributes)) if (!(name in source.attributes)) geometry.deleteAttribute(name);
    geometry.index = source.index;
    geometry.groups = source.groups;
    geometry.morphAttributes = source.morphAttributes;
    geometry.morphTargetsRelative = source.morphTargetsRelative;
    geometry.boundingSphere = source.boundingSphere;
    geometry.boundingBox = source.boundingBox;
    Object.assign(geometry.drawRange, source.drawRange);
    return true;
  }

  copy(id: number, seat: number): void {
    for (const { source, idsPerItem, target } of this.lanes) {
      const { itemSize } = target;
      const from = source.array;
      const to = target.array;
      const item = idsPerItem === 1 ? id : Math.floor(id / idsPerItem);
      const start = 'data' in source ? item * source.data.stride + source.offset : item * itemSize;
      // Too few items: the next update of the matrices says so.
      const isMissing = start + itemSize > from.length;
      for (let lane = 0; lane < itemSize; lane++) to[seat * itemSize + lane] = isMissing ? 0 : from[start + lane];
    }
  }

  dispose(): void {
    const { geometry, source, lanes } = this;
    if (geometry === source) return;
    source.removeEventListener('dispose', this.onSourceDispose);
    // What is disposed of is taken from the graphics card with all its attributes: those of the user are in use.
    geometry.index = null;
    geometry.morphAttributes = {};
    geometry.attributes = {};
    for (const { name, target } of lanes) geometry.setAttribute(name, target);
    geometry.dispose();
  }
}

/** Attributes of a geometry that have an item for each instance. */
export function attributesByInstanceOf({ attributes }: BufferGeometry): AttributeByInstance[] {
  return Object.values(attributes).filter(isByInstance);
}

/** How many instances share an item, as in an InstancedMesh. */
export function idsPerItemOf(attribute: AttributeByInstance): number {
  return 'data' in attribute ? (attribute.data as InstancedInterleavedBuffer).meshPerAttribute : attribute.meshPerAttribute;
}

function isByInstance(attribute: Attribute): attribute is AttributeByInstance {
  return 'isInstancedBufferAttribute' in attribute || ('data' in attribute && 'isInstancedInterleavedBuffer' in attribute.data);
}
