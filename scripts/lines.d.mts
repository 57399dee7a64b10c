export interface LineCounts {
  readonly code: number;
  readonly comments: number;
}
export function countLines(file: string, source: string): LineCounts;
export function filesOfParts(): Readonly<Record<string, readonly string[]>>;
export function measureLines(): readonly (LineCounts & { readonly name: string; readonly limit: number })[];
