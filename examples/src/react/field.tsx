// The field as React elements: one <mesh> with handlers for each column, in a <group> or in an <OctreeGroup>.

import { type ThreeEvent, useFrame } from '@react-three/fiber';
import { memo, useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import type { Mesh } from 'three';
import { OctreeGroup, useNear } from '../../../src/react/index.ts';
import type { OctreeGroup as OctreeGroupObject } from '../../../src/three.ts';
import { type Column, columnAt, marked, materials, placesOf, pointedAt, shape } from './columns.ts';

/** How far a column rises under the pointer, in metres. */
const RISE = 1.6;
/** Rates at which a column approaches its goal, per second: while it rises, and while it sinks. */
const RISE_RATE = 14;
const SINK_RATE = 1.6;
const NEAR = 6;

/** Columns that React makes or removes in one go: more of them would block the page. */
const CHUNK = 200;

/** What the field reports to the page. */
export interface FieldReports {
  onHover(column: Column): void;
  onNear(count: number): void;
  /** Called when all columns are in the group, and when they no longer are. */
  onComplete(isComplete: boolean): void;
}

export function Field({ count, usesOctree, reports }: { count: number; usesOctree: boolean; reports: FieldReports }) {
  const places = useMemo(() => placesOf(count), [count]);
  const chunks = Math.ceil(count / CHUNK);
  // The group that is mounted, and the number of its chunks. It loses all its chunks before the other group is mounted.
  const [{ isOctree, shown }, setContent] = useState({ isOctree: usesOctree, shown: 0 });
  const isComplete = isOctree === usesOctree && shown === chunks;
  const group = useRef<OctreeGroupObject>(null);
  const pointed = useRef<Mesh>(null);
  const moving = useRef(new Set<Mesh>());

  const onHover = useCallback(
    (column: Column, mesh: Mesh) => {
      pointed.current = mesh;
      moving.current.add(mesh);
      reports.onHover(column);
    },
    [reports],
  );

  useFrame((_, seconds) => {
    if (pointed.current?.parent === null) pointed.current = null;
    for (const mesh of moving.current) {
      if (mesh.parent === null) {
        moving.current.delete(mesh);
        continue;
      }
      const { height, step } = mesh.userData as Column;
      if (mesh.material !== marked) mesh.material = mesh === pointed.current ? pointedAt : materials[step];
      const goal = mesh === pointed.current ? height + RISE : height;
      mesh.position.y +=
        (goal - mesh.position.y) * Math.min(1, (mesh === pointed.current ? RISE_RATE : SINK_RATE) * seconds);
      if (mesh !== pointed.current && Math.abs(mesh.position.y - height) < 0.001) moving.current.delete(mesh);
      group.current?.reportMove(mesh);
    }
  });

  useFrame(() => {
    if (isComplete) return;
    if (isOctree === usesOctree) setContent({ isOctree, shown: shown + 1 });
    else if (shown > 0) setContent({ isOctree, shown: shown - 1 });
    else setContent({ isOctree: usesOctree, shown: 0 });
  });
  useEffect(() => {
    reports.onComplete(isComplete);
  }, [isComplete, reports]);

  const elements = Array.from({ length: shown }, (_, k) => (
    <Chunk key={k} places={places} from={k * CHUNK} onHover={onHover} />
  ));
  if (!isOctree) return <group>{elements}</group>;
  return (
    <>
      <OctreeGroup ref={group} hasStaticChildren>
        {elements}
      </OctreeGroup>
      <Neighbours group={group} pointed={pointed} reports={reports} />
    </>
  );
}

interface ChunkProps {
  readonly places: ReturnType<typeof placesOf>;
  /** Index of the first place of the chunk. */
  readonly from: number;
  readonly onHover: (column: Column, mesh: Mesh) => void;
}

const Chunk = memo(({ places, from, onHover }: ChunkProps) => {
  const columns = useMemo(
    () => places.slice(from, from + CHUNK).map((place, k) => columnAt(place, from + k)),
    [places, from],
  );
  return columns.map((column) => <ColumnMesh key={column.id} column={column} onHover={onHover} />);
});

const ColumnMesh = memo(({ column, onHover }: { column: Column; onHover: (column: Column, mesh: Mesh) => void }) => {
  const [isMarked, setMarked] = useState(false);
  const { x, z, height, step } = column;
  return (
    <mesh
      name={`column ${column.id}`}
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
function Neighbours({
  group,
  pointed,
  reports,
}: {
  group: RefObject<OctreeGroupObject | null>;
  pointed: RefObject<Mesh | null>;
  reports: FieldReports;
}) {
  const near = useNear(group, pointed, NEAR);
  useEffect(() => {
    reports.onNear(near.length);
  }, [near, reports]);
  return null;
}
