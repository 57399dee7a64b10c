export interface Size {
  readonly label: string;
  readonly minified: number;
  readonly gzipped: number;
}
export function bundle(code: string): Promise<string>;
export function exporting(entryPoint: string, names: string): string;
export interface Row {
  readonly label: string;
  readonly isFeature?: boolean;
}
export const ROWS: readonly Row[];
export function measureSizes(
  rows?: readonly Row[],
): Promise<readonly (Size & { readonly limit?: number; readonly isFeature: boolean })[]>;
export function recordedSizes(file?: string): readonly Size[];
export function isInReadme(row: Pick<Size, 'label'>): boolean;
