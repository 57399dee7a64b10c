// scene-octree/react in Chromium. The events of an <OctreeGroup> are compared with those of a plain <group>.

import { act, extend, type ThreeEvent } from '@react-three/fiber';
import { createElement, createRef, useState, type ReactNode, type RefObject } from 'react';
import { BoxGeometry, Group, Matrix4, Mesh, MeshBasicMaterial, Vector3, type Object3D } from 'three';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OctreeGroup, OctreeInstances, reportMove, useNear, useOctree, useVisible } from '../../src/react/index.ts';
import type { Octree } from '../../src/index.ts';
import type { OctreeGroup as OctreeGroupObject, OctreeInstances as OctreeInstancesObject } from '../../src/three.ts';
import { Screen } from '../support/react-screen.ts';
import { createRandom, type Random } from '../support/random.ts';

extend({ Mesh, Group, BoxGeometry, MeshBasicMaterial });
const box = new BoxGeometry();
const material = new MeshBasicMaterial();

let screen: Screen;

beforeEach(async () => {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  screen = await new Screen().open();
});
afterEach(() => screen.close());

const mesh = (props: Record<string, unknown>, ...children: ReactNode[]): ReactNode =>
  createElement('mesh', { geometry: box, material, key: props.name as string, ...props }, ...children);

const HANDLERS = [
  'onPointerMove',
  'onPointerOver',
  'onPointerOut',
  'onPointerEnter',
  'onPointerLeave',
  'onPointerDown',
  'onPointerUp',
  'onClick',
  'onDoubleClick',
  'onContextMenu',
  'onWheel',
  'onPointerMissed',
];
const EVENTS = [
  'pointermove',
  'pointermove',
  'pointermove',
  'pointerdown',
  'pointerup',
  'click',
  'dblclick',
  'contextmenu',
  'wheel',
  'pointerleave',
];

const sphereAt = (x: number): { center: Vector3; radius: number } => ({ center: new Vector3(x, 0, 0), radius: 1 });

type Container = typeof OctreeGroup | 'group';

/** A scene of overlapping meshes with random handlers. Writes what each handler gets to a log. */
class RandomScene {
  readonly log: string[] = [];
  private readonly random: Random;
  private readonly hasNewOptions: boolean;

  /** @param hasNewOptions Whether fiber makes a new container at each time. */
  constructor(seed: number, hasNewOptions: boolean) {
    this.random = createRandom(seed);
    this.hasNewOptions = hasNewOptions;
  }

  /** The elements at a time: from one to the next, some handlers and objects come and go. */
  elementsAt(time: number, container: Container): ReactNode[] {
    const { random } = this;
    const children = Array.from({ length: 14 }, (_, k) => {
      const name = `mesh ${k}`;
      const props = {
        name,
        position: [random.between(-6, 6), random.between(-6, 6), random.between(-3, 3)],
        scale: random.between(2, 8),
        ...this.handlers(),
      };
      const isNested = random.below(4) === 0;
      const inner = isNested
        ? [mesh({ name: `${name} inner`, position: [0, 0, 0.6], scale: 0.9, ...this.handlers() })]
        : [];
      if (random.below(5) === 0)
        return createElement('group', { key: name, name: `group ${k}`, ...this.handlers() }, mesh(props, ...inner));
      return random.below(6) === 0 && time > 0 ? null : mesh(props, ...inner);
    });
    return [
      createElement(
        'group',
        { key: 'around', name: 'around', ...this.handlers(3) },
        mesh({ name: 'outside', scale: 6, position: [2, 2, 1], ...this.handlers() }),
        createElement(
          container as 'group',
          {
            name: 'container',
            key: 'container',
            position: [0.5, 0, 0],
            ...this.handlers(3),
            ...(this.hasNewOptions && { args: [{}] }),
          },
          ...children,
        ),
      ),
    ];
  }

  private handlers(rarity = 1): Record<string, unknown> {
    const { random } = this;
    const handlers: Record<string, unknown> = {};
    if (random.below(rarity + 1) > 1) return handlers;
    for (const name of HANDLERS) {
      if (random.below(5) > 0) continue;
      const doesStop = random.below(6) === 0;
      const doesCapture = name === 'onPointerDown' && random.below(3) === 0;
      const doesRelease = name === 'onPointerUp' && random.below(2) === 0;
      handlers[name] = (event: ThreeEvent<PointerEvent>) => {
        this.log.push(describeEvent(name, event));
        if (doesStop) event.stopPropagation?.();
        const target = event.target as Element | undefined;
        if (doesCapture) target?.setPointerCapture(1);
        if (doesRelease) target?.releasePointerCapture(1);
      };
    }
    return handlers;
  }
}

function describeEvent(name: string, event: ThreeEvent<PointerEvent>): string {
  if (event.intersections === undefined) return `${name} missed`;
  const entries = event.intersections.map(
    ({ object, eventObject, distance }) => `${object.name}@${distance} in ${eventObject.name}`,
  );
  return `${name} ${event.object.name} in ${event.eventObject.name} at ${event.point.toArray().join()} delta ${event.delta}: ${entries.join('; ')}`;
}

/** Plays a random scene in a container; returns its log, and how many objects fiber asks one by one. */
async function play(
  seed: number,
  container: Container,
  hasNewOptions: boolean,
): Promise<{ log: string[]; listed: number }> {
  const stage = await new Screen().open();
  const scene = new RandomScene(seed, hasNewOptions);
  const moves = createRandom(seed + 100);
  let listed = 0;
  try {
    for (let time = 0; time < 3; time++) {
      const state = await stage.show(...scene.elementsAt(time, container));
      listed = Math.max(listed, state.internal.interaction.length);
      for (let k = 0; k < 40; k++) {
        const type = moves.pick(EVENTS);
        scene.log.push(`-- ${type}`);
        await stage.fire(type, moves.between(-8, 8), moves.between(-8, 8));
        if (moves.below(3) === 0) await stage.fire('click', 0, 0);
      }
    }
  } finally {
    await stage.close();
  }
  return { log: scene.log, listed };
}

describe('the events of <OctreeGroup>', () => {
  it.each([
    [1, false],
    [4, false],
    [1, true],
    [4, true],
  ])('are those of a plain group: same handlers, order and event (seed %i, new options: %j)', async (seed, isNew) => {
    const plain = await play(seed, 'group', isNew);
    const octree = await play(seed, OctreeGroup, isNew);
    expect(octree.log).toEqual(plain.log);
    expect(plain.log.filter((line) => line.startsWith('on')).length).toBeGreaterThan(100);
    expect(octree.listed).toBeLessThan(plain.listed);
  });

  it('cost one ray, and rays at the few children near it', async () => {
    const calls: string[] = [];
    const children = Array.from({ length: 400 }, (_, k) => {
      const name = `cube ${k}`;
      return mesh({
        name,
        position: [(k % 20) - 9.5, Math.floor(k / 20) - 9.5, 0],
        onPointerOver: () => void calls.push(name),
        onClick: () => void calls.push(`click ${name}`),
      });
    });
    const ref = createRef<OctreeGroupObject>();
    const state = await screen.show(createElement(OctreeGroup, { key: 'group', ref }, ...children));
    expect(state.internal.interaction).toHaveLength(2);
    expect(ref.current!.children).toHaveLength(400);
    expect(ref.current!.octree.size).toBe(400);
    await screen.fire('pointermove', -9.5, -9.5);
    const spies = ref.current!.children.map((child) => vi.spyOn(child, 'raycast'));
    await screen.fire('pointermove', 0.5, 3.5);
    expect(calls).toEqual(['cube 0', 'cube 270']);
    expect(spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBeLessThan(10);
    await screen.fire('pointerdown', 0.5, 3.5);
    await screen.fire('click', 0.5, 3.5);
    expect(calls.at(-1)).toBe('click cube 270');
  });

  it('go on after handlers have changed, and end with them', async () => {
    const calls: string[] = [];
    const element = (...handlers: string[]): ReactNode =>
      createElement(
        OctreeGroup,
        { key: 'group' },
        mesh({ name: 'a', ...Object.fromEntries(handlers.map((name) => [name, () => void calls.push(name)])) }),
      );
    await screen.show(element('onPointerOver'));
    await screen.fire('pointermove', 0, 0);
    const state = await screen.show(element('onPointerMove', 'onPointerOut'));
    expect(state.internal.interaction).toHaveLength(2);
    await screen.fire('pointermove', 0.1, 0);
    await screen.show(element());
    await screen.fire('pointermove', 0.2, 0);
    expect(calls).toEqual(['onPointerOver', 'onPointerMove']);
  });

  it('come before the first frame, to children with a raycast of null never, and to all children if only the nearest hit of each is wanted', async () => {
    const calls: string[] = [];
    const child = (name: string, z: number, props: object = {}): ReactNode =>
      mesh({ name, position: [0, 0, z], onClick: () => void calls.push(name), onPointerDown: () => {}, ...props });
    const state = await screen.show(
      createElement(
        OctreeGroup,
        { key: 'group' },
        child('far', -2),
        child('near', 2),
        child('none', 0, { raycast: null }),
      ),
    );
    (state.raycaster as { firstHitOnly?: boolean }).firstHitOnly = true;
    await screen.fire('pointerdown', 0, 0);
    await screen.fire('click', 0, 0);
    expect(calls).toEqual(['near', 'far']);
  });

  it('of children that a component below mounts and unmounts by its own state are kept while these are mounted', async () => {
    let next: (time: number) => void;
    const calls: string[] = [];
    const Bullets = (): ReactNode => {
      const [time, setTime] = useState(0);
      next = setTime;
      const names = [0, 1, 2].map((k) => `${time} ${k}`);
      return names.map((name) => mesh({ name, onClick: () => void calls.push(name) }));
    };
    const ref = createRef<OctreeGroupObject>();
    const group = createElement(OctreeGroup, { key: 'group', ref }, createElement(Bullets, { key: 'bullets' }));
    const state = await screen.show(group);
    for (let time = 1; time < 10; time++) {
      await act(async () => next(time));
      await screen.draw(state);
    }
    const { routed } = (ref.current as unknown as { routing: { routed: Map<unknown, number> } }).routing;
    expect(routed.size).toBe(3);
    for (const type of ['pointerdown', 'pointerup', 'click']) await screen.fire(type, 0.1, 0.1);
    expect(calls).toEqual(['9 0', '9 1', '9 2']);
  });

  it('leave onUpdate of the user alone', async () => {
    const onUpdate = vi.fn<() => void>();
    const element = (x: number): ReactNode =>
      createElement(
        OctreeGroup,
        { key: 'group' },
        mesh({ name: 'a', position: [x, 0, 0], onUpdate, onClick: () => {} }),
      );
    await screen.show(element(0));
    const calls = onUpdate.mock.calls.length;
    await screen.show(element(1));
    expect(onUpdate.mock.calls.length).toBe(calls + 1);
  });
});

describe('static children of <OctreeGroup>', () => {
  /** The children that the octree finds at a place of the x axis. */
  const foundAt = (x: number): string[] =>
    ref.current!.octree.intersectPoint({ x, y: 0, z: 0 }).map(({ body }) => body.data.name);
  let ref: RefObject<OctreeGroupObject | null>;
  beforeEach(() => (ref = createRef()));

  const staticGroup = (...children: ReactNode[]): ReactNode =>
    createElement(OctreeGroup, { key: 'group', ref, hasStaticChildren: true }, ...children);

  it('report a changed prop', async () => {
    await screen.show(staticGroup(mesh({ name: 'a', position: [0, 0, 0] }), mesh({ name: 'b', position: [5, 0, 0] })));
    const moved = vi.spyOn(ref.current!, 'reportMove');
    await screen.show(staticGroup(mesh({ name: 'a', position: [3, 0, 0] }), mesh({ name: 'b', position: [5, 0, 0] })));
    expect([foundAt(0), foundAt(3), foundAt(5)]).toEqual([[], ['a'], ['b']]);
    expect(moved.mock.calls.map(([object]) => object.name)).toEqual(['a']);
  });

  const other = new MeshBasicMaterial();
  it.each<[string, object]>([
    ['visible', { visible: false }],
    ['castShadow', { castShadow: true }],
    ['receiveShadow', { receiveShadow: true }],
    ['frustumCulled', { frustumCulled: false }],
    ['renderOrder', { renderOrder: 2 }],
    ['layers', { 'layers-mask': 2 }],
    ['another material', { material: other }],
    ['a material in an array', { material: [other] }],
    ['a material of its own for shadow maps', { customDepthMaterial: other }],
    ['another for those of point lights', { customDistanceMaterial: other }],
    ...['onBeforeRender', 'onAfterRender', 'onBeforeShadow', 'onAfterShadow', 'raycast'].map(
      (name): [string, object] => [name, { [name]: () => undefined }],
    ),
    ['count', { count: 3 }],
    ['occlusionTest', { occlusionTest: true }],
    ['matrixWorldAutoUpdate', { matrixWorldAutoUpdate: false }],
  ])('report a changed prop once: %s', async (_, props) => {
    await screen.show(staticGroup(mesh({ name: 'a', material })));
    const moved = vi.spyOn(ref.current!, 'reportMove');
    for (let k = 0; k < 2; k++) await screen.show(staticGroup(mesh({ name: 'a', material, ...props })));
    expect(moved.mock.calls.map(([object]) => object.name)).toEqual(['a']);
  });

  const placed = (x: number): ReactNode =>
    staticGroup(
      mesh({ name: 'a', matrixAutoUpdate: false, matrix: new Matrix4().makeTranslation(x, 0, 0) }),
      mesh({ name: 'b', position: [7, 0, 0] }),
    );
  it('report another matrix of a child without matrixAutoUpdate', async () => {
    await screen.show(placed(0));
    const moved = vi.spyOn(ref.current!, 'reportMove');
    await screen.show(placed(0));
    expect([foundAt(0), moved.mock.calls]).toEqual([['a'], []]);
    await screen.show(placed(4));
    expect([foundAt(0), foundAt(4)]).toEqual([[], ['a']]);
  });

  it('report a change that a component below makes by its own state, by onUpdate', async () => {
    let move: (x: number) => void;
    const Mover = (): ReactNode => {
      const [x, setX] = useState(0);
      move = setX;
      return mesh({ name: 'mover', position: [x, 0, 0], onUpdate: reportMove });
    };
    const state = await screen.show(staticGroup(createElement(Mover, { key: 'mover' })));
    await act(async () => move(4));
    await screen.draw(state);
    expect([foundAt(0), foundAt(4)]).toEqual([[], ['mover']]);
    reportMove(new Mesh());
  });

  const nested = (...places: number[]): ReactNode =>
    staticGroup(
      createElement(
        'group',
        { key: 'tree', name: 'tree' },
        ...places.map((x, k) => mesh({ name: `leaf ${k}`, position: [x, 0, 0] })),
      ),
    );
  it('report changes of nested objects: props, added and removed ones', async () => {
    await screen.show(nested(0));
    await screen.show(nested(4));
    expect([foundAt(0), foundAt(4)]).toEqual([[], ['tree']]);
    await screen.show(nested(4, -6));
    expect(foundAt(-6)).toEqual(['tree']);
    await screen.show(nested(4, -3));
    expect(ref.current!.octree.intersectBox({ min: new Vector3(-7, -1, -1), max: new Vector3(-5, 1, 1) })).toEqual([]);
    await screen.show(nested(4));
    expect(foundAt(-3)).toEqual([]);
  });

  it('stay where they are, without a report, if code moves them outside of React', async () => {
    const state = await screen.show(staticGroup(mesh({ name: 'a', position: [0, 0, 0] })));
    ref.current!.children[0].position.x = 4;
    await screen.draw(state);
    expect(foundAt(4)).toEqual([]);
    ref.current!.reportMove(ref.current!.children[0]);
    await screen.draw(state);
    expect(foundAt(4)).toEqual(['a']);
  });

  const boxes = (edge: number): ReactNode =>
    staticGroup(
      createElement('mesh', { key: 'a', name: 'a', args: [new BoxGeometry(edge, 1, 1), material] }),
      createElement(
        'mesh',
        { key: 'b', name: 'b', material },
        createElement('boxGeometry', { key: 'box', args: [edge, 1, 1] }),
      ),
    );
  it('report new args, of an object and of its geometry', async () => {
    await screen.show(boxes(1));
    await screen.show(boxes(6));
    expect(foundAt(2.9).sort()).toEqual(['a', 'b']);
  });
});

describe('<OctreeGroup> and <OctreeInstances> as elements', () => {
  it('take options, props and refs, and make a new object for new options', async () => {
    const ref = createRef<OctreeGroupObject>();
    const element = (leafCapacity: number): ReactNode =>
      createElement(
        OctreeGroup,
        { key: 'group', ref, args: [{ leafCapacity }], name: 'mine', position: [1, 2, 3], visible: false },
        mesh({ name: 'a', onClick: () => {} }),
      );
    await screen.show(element(16));
    const first = ref.current!;
    expect([first.name, first.position.toArray(), first.visible, first.children.length]).toEqual([
      'mine',
      [1, 2, 3],
      false,
      1,
    ]);
    const state = await screen.show(element(32));
    expect(ref.current).not.toBe(first);
    expect(ref.current!.children.map(({ name }) => name)).toEqual(['a']);
    expect(state.internal.interaction).toHaveLength(2);
  });

  it('have instances with geometry and material as children, and events with the instance', async () => {
    const ref = createRef<OctreeInstancesObject>();
    const seen: unknown[] = [];
    const state = await screen.show(
      createElement(
        OctreeInstances,
        {
          key: 'instances',
          ref,
          args: [undefined, undefined, 3],
          onClick: ({ instanceId }) => void seen.push(instanceId),
        },
        createElement('boxGeometry', { key: 'box', args: [2, 2, 2] }),
        createElement('meshBasicMaterial', { key: 'material', color: 'red' }),
      ),
    );
    for (let k = 0; k < 3; k++) ref.current!.setMatrixAt(k, new Matrix4().makeTranslation(5 * k - 5, 0, 0));
    await screen.draw(state);
    await screen.fire('pointerdown', 5.8, 0);
    await screen.fire('click', 5.8, 0);
    expect(seen).toEqual([2]);
    expect((ref.current!.geometry as BoxGeometry).parameters.width).toBe(2);
  });
});

describe('useOctree, useVisible and useNear', () => {
  it('useOctree gives one octree, which is updated in each frame', async () => {
    const octrees = new Set<Octree<string>>();
    const update = vi.fn<(seconds: number) => boolean>(() => false);
    const World = (): ReactNode => {
      const octree = useOctree<string>({ leafCapacity: 8 });
      if (!octrees.has(octree)) octree.insert(sphereAt(0), 'ball', { update });
      octrees.add(octree);
      return null;
    };
    const state = await screen.show(createElement(World, { key: 'world' }));
    await screen.show(createElement(World, { key: 'world' }));
    await screen.draw(state);
    expect(octrees.size).toBe(1);
    expect(update).toHaveBeenCalledTimes(3);
  });

  it('useVisible gives what the camera sees, and renders only when that has changed', async () => {
    const results: (readonly Object3D[])[] = [];
    const ref = createRef<OctreeGroupObject>();
    const Names = (): ReactNode => {
      results.push(useVisible(ref));
      return null;
    };
    const state = await screen.show(
      createElement(
        OctreeGroup,
        { key: 'group', ref },
        mesh({ name: 'left', position: [-8, 0, 0] }),
        mesh({ name: 'right', position: [8, 0, 0] }),
      ),
      createElement(Names, { key: 'names' }),
    );
    await screen.draw(state);
    await screen.draw(state);
    state.camera.position.x = 15;
    await screen.draw(state);
    await screen.draw(state);
    expect(results.map((objects) => objects.map(({ name }) => name))).toEqual([[], ['left', 'right'], ['right']]);
  });

  it('useNear renders no more often if the data of a body is NaN', async () => {
    let renders = 0;
    const World = (): ReactNode => {
      const octree = useOctree<number>();
      if (octree.size === 0) octree.insert(sphereAt(0), NaN);
      useNear(octree, [0, 0, 0], 3);
      renders++;
      return null;
    };
    const state = await screen.show(createElement(World, { key: 'world' }));
    for (let frame = 0; frame < 3; frame++) await screen.draw(state);
    expect(renders).toBe(2);
  });

  it('useNear gives the bodies around a place that moves', async () => {
    const results: string[][] = [];
    const probe = new Group();
    const World = (): ReactNode => {
      const octree = useOctree<string>();
      if (octree.size === 0) for (const x of [0, 5, 10]) octree.insert(sphereAt(x), `ball ${x}`);
      results.push([...useNear(octree, probe, 3)]);
      return null;
    };
    const state = await screen.show(createElement(World, { key: 'world' }));
    for (const x of [0.5, 2.5, 7.5]) {
      probe.position.x = x;
      await screen.draw(state);
    }
    expect(results).toEqual([[], ['ball 0'], ['ball 0', 'ball 5'], ['ball 5', 'ball 10']]);
  });
});
