/**
 * `<OctreeGroup>`: an OctreeGroup as an element of react-three-fiber, with the events and the moves of its children.
 */

import { extend, useStore, useFrame, type ThreeElement } from '@react-three/fiber';
import { createElement, useLayoutEffect, useRef, type ReactElement, type RefObject } from 'react';
import { OctreeGroup as OctreeGroupObject, type OctreeGroupOptions } from '../three.ts';
import { EventRouting, EventProxy } from './event-routing.ts';
import { MoveReports } from './move-reports.ts';

/**
 * The props of `<OctreeGroup>`: the props of `<group>`, `hasStaticChildren`, and `args={[options]}` with the options of
 * the constructor. As for every element of react-three-fiber, new options make a new object.
 */
export type OctreeGroupProps = ThreeElement<typeof OctreeGroupObject>;

/** The object behind the element. */
class ElementGroup extends OctreeGroupObject {
  readonly routing = new EventRouting(this);
  readonly moves = new MoveReports(this);

  constructor(options?: OctreeGroupOptions) {
    super(options);
    this.addEventListener('childadded', ({ child }) => this.routing.takeAdded(child));
  }
}

const GroupElement = /* @__PURE__ */ extend(ElementGroup);
const ProxyElement = /* @__PURE__ */ extend(EventProxy);

/**
 * A `<group>` whose children are bodies of an octree: each render pass draws only the children that it can see, and an
 * event tests only the children that the pointer comes near. See `OctreeGroup` of scene-octree/three for how children
 * are treated.
 *
 * - **Events** of the children are as in a plain `<group>`: the same handlers, in the same order, with the same event.
 *   Cost of an event: one ray through the octree, two if it is not a pointer move, whatever the number of children with
 *   handlers. Children with `onPointerMissed`, and children below an object with a `raycast` of its own, are tested one
 *   by one, as in a plain `<group>`. A child gets its events through the octree from the first frame after it got a
 *   handler.
 * - **Static children** (`hasStaticChildren`): when the component renders with other `children`, it reports what has
 *   changed in them: descendants, and the props of objects by which three places, draws and hits them. Elements that a
 *   component below changes by its own state need `onUpdate={reportMove}`; code that changes objects in `useFrame` or
 *   by a ref calls `reportMove` of the group.
 *
 * Its `ref` is the `OctreeGroup`.
 *
 * @example
 * ```tsx
 * import { OctreeGroup } from 'scene-octree/react';
 *
 * export const Forest = ({ trees }: { trees: [number, number, number][] }) => (
 *   <OctreeGroup>
 *     {trees.map((position) => (
 *       <mesh key={position.join()} position={position} onClick={() => console.log(position)}>
 *         <coneGeometry />
 *         <meshStandardMaterial />
 *       </mesh>
 *     ))}
 *   </OctreeGroup>
 * );
 * ```
 */
export function OctreeGroup({ children, ...props }: OctreeGroupProps): ReactElement {
  const store = useStore();
  const proxy = useRef<EventProxy>(null);
  useFrame(() => groupOf(proxy)?.routing.takeFrom(store.getState().internal.interaction));
  useLayoutEffect(() => {
    const group = groupOf(proxy);
    group?.routing.relistMissHandlers();
    group?.moves.report();
  }, [children]);
  return createElement(
    GroupElement,
    props,
    createElement(ProxyElement, { args: [true], ref: proxy, attach: attachProxy, onPointerMove: noop }),
    createElement(ProxyElement, { attach: attachProxy, onClick: noop }),
    children,
  );
}

function groupOf(proxy: RefObject<EventProxy | null>): ElementGroup | undefined {
  return proxy.current?.routing?.group as ElementGroup | undefined;
}

/** Connects a proxy with its group. It does not become a child. */
function attachProxy(group: ElementGroup, proxy: EventProxy): () => void {
  if (proxy.last !== null) group.routing.adopt(proxy.last);
  proxy.routing = proxy.last = group.routing;
  return () => void (proxy.routing = null);
}

function noop(): void {}
