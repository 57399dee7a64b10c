/** kB of 1000 bytes. */
export interface Size {
  readonly minified: number;
  readonly gzipped: number;
}

export type EntryPoint = 'scene-octree/core' | 'scene-octree' | 'scene-octree/three';

export function bundle(code: string): Promise<string>;
export function exporting(entryPoint: EntryPoint, names: string): string;
export function measureSizes(): Promise<Record<string, Size>>;
export function recordedSizes(): Record<string, Size>;
