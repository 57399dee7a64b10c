// The order of events of an <OctreeGroup> at equal distances, in Chromium: that of a plain <group>.

import { extend } from '@react-three/fiber';
import { createElement, type ReactNode } from 'react';
import { BoxGeometry, Group, Mesh, MeshBasicMaterial } from 'three';
import { beforeEach, describe, expect, it } from 'vitest';
import { OctreeGroup } from '../../src/react/index.ts';
import { Screen } from '../support/react-screen.ts';

extend({ Mesh, Group });
const box = new BoxGeometry();
const material = new MeshBasicMaterial();

beforeEach(() => {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
});

const mesh = (props: Record<string, unknown>): ReactNode =>
  createElement('mesh', { geometry: box, material, key: props.name as string, ...props });

describe('the events of <OctreeGroup>', () => {
  it('come in the order of the handlers at equal distances, as in a plain group', async () => {
    const orders: string[][] = [];
    for (const container of ['group', OctreeGroup]) {
      const calls: string[] = [];
      const child = (name: string, ...handlers: string[]): ReactNode =>
        mesh({ name, ...Object.fromEntries(handlers.map((handler) => [handler, () => void calls.push(name)])) });
      const element = (...handlers: string[]): ReactNode =>
        createElement(
          container as 'group',
          { key: 'group' },
          child('a', 'onPointerMove', ...handlers),
          child('b', 'onPointerMove'),
          child('c', 'onPointerMove'),
        );
      const stage = await new Screen().open();
      await stage.show(element());
      await stage.fire('pointermove', 0.1, 0.2);
      await stage.show(element('onClick'));
      await stage.fire('pointermove', 0.2, 0.3);
      await stage.close();
      orders.push(calls);
    }
    expect(orders[0]).toEqual(['a', 'b', 'c', 'b', 'c', 'a']);
    expect(orders[1]).toEqual(orders[0]);
  });

  it.each<[string, { group?: unknown[]; child?: unknown[]; names?: string; handlers?: object }]>([
    ['the group gets new options', { group: [{}] }],
    ['a child gets new args', { child: [box, material] }],
    ['a child gets new args and another handler', { child: [box, material], handlers: { onWheel: () => {} } }],
    ['children change places', { names: 'cba' }],
  ])(
    'keep their order at equal distances, as in a plain group, when %s',
    async (_, { group, child, names, handlers }) => {
      const orders: string[] = [];
      for (const container of ['group', OctreeGroup]) {
        const calls: string[] = [];
        const element = (
          order: string,
          isChanged: boolean,
          ofA: Record<string, unknown> = { onClick: () => {} },
          ofB: Record<string, unknown> = {},
        ): ReactNode =>
          createElement(
            container as 'group',
            { key: 'group', ...(isChanged && group && { args: group }) },
            ...Array.from(order, (name) =>
              mesh({
                name,
                onPointerMove: () => void calls.push(name),
                ...(name === 'a' && ofA),
                ...(name === 'b' && ofB),
              }),
            ),
          );
        const stage = await new Screen().open();
        await stage.show(element('abc', false, {}));
        // From now on the order is b, c, a.
        await stage.show(element('abc', false));
        await stage.fire('pointermove', 0.1, 0.2);
        await stage.show(element(names ?? 'abc', true, undefined, { ...(child && { args: child }), ...handlers }));
        await stage.fire('pointermove', 0.2, 0.3);
        await stage.fire('pointermove', 0.3, 0.3);
        await stage.close();
        orders.push(calls.join(''));
      }
      expect(orders[0]).toMatch(/^bca(bcabca|cabcab)$/);
      expect(orders[1]).toBe(orders[0]);
    },
  );
});
