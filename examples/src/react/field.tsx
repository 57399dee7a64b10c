// The field as React elements: one <mesh> with handlers for each column, in a <group> or in an <OctreeGroup>.

import { type ThreeEvent, useFrame } from '@react-three/fiber';
import { memo, useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import type { Mesh } from 'three';
import { OctreeGroup, useNear } from '../../../src/react/index.ts';
import type { OctreeGroup as OctreeGroupObject } from '../../../src/three/index.ts';
import { type Column, createColumns, marked, materials, pointedAt, shape } from './columns.ts';

/** How far a column rises under the pointer, in metres. */
const RISE = 1.6;
/** Share of its way that a column rises, and sinks, in a second. */
const RISES = 14;
const SINKS = 1.6;
const NEAR = 6;

/** What the field tells the page. */
export interface FieldReports {
  onHover(column: Column): void;
  onNear(count: number): void;
}

export function Field({ count, usesOctree, reports }: { count: number; usesOctree: boolean; reports: FieldReports }) {
  const columns = useMemo(() => createColumns(count), [count]);
  const group = useRef<OctreeGroupObject>(null);
  const pointed = useRef<Mesh>(null);
  const moving = useRef(new Set<Mesh>());

  const onHover = useCallback((column: Column, mesh: Mesh) => {
    pointed.current = mesh;
    moving.current.add(mesh);
    reports.onHover(column);
  }, [reports]);

  useFrame((_, seconds) => {
    for (const mesh of moving.current) {
      const { height, step } = mesh.userData as Column;
      if (mesh.material !== marked) mesh.material = mesh === pointed.current ? pointedAt : materials[step];
      const goal = mesh === pointed.current ? height + RISE : height;
      mesh.position.y += (goal - mesh.position.y) * Math.min(1, (mesh === pointed.current ? RISES : SINKS) * seconds);
      if (mesh !== pointed.current && Math.abs(mesh.position.y - height) < 0.001) moving.current.delete(mesh);
      group.current?.moved(mesh);
    }
  });

  const elements = columns.map((column) => <ColumnMesh key={column.id} column={column} onHover={onHover} />);
  if (!usesOctree) return <group>{elements}</group>;
  return (
    <>
      <OctreeGroup ref={group} hasStaticChildren>
        {elements}
      </OctreeGroup>
      <Neighbours group={group} pointed={pointed} reports={reports} />
    </>
  );
}

const ColumnMesh = memo(({ column, onHover }: { column: Column; onHover: (column: Column, mesh: Mesh) => void }) => {
  const [isMarked, setMarked] = useState(false);
  const { x, z, height, step } = column;
  return (
    <mesh
      geometry={shape}
      material={isMarked ? marked : materials[step]}
      position={[x, height, z]}
      userData={column}
      onPointerOver={(event: ThreeEvent<PointerEvent>) => {
        // Columns behind the first one do not rise.
        event.stopPropagation();
        onHover(column, event.object as Mesh);
      }}
      onClick={(event: ThreeEvent<MouseEvent>) => {
        event.stopPropagation();
        setMarked(!isMarked);
      }}
    />
  );
});

/** Counts the columns around the one under the pointer. */
function Neighbours({ group, pointed, reports }: { group: RefObject<OctreeGroupObject | null>; pointed: RefObject<Mesh | null>; reports: FieldReports }) {
  const near = useNear(group, pointed, NEAR);
  useEffect(() => {
    reports.onNear(near.length);
  }, [near, reports]);
  return null;
}
