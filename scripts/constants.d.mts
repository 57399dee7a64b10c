export interface TunedConstant {
  /** Path below the folder of sources. */
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly value: string;
  /** The line that declares it. */
  readonly text: string;
  /** Tests and rows that its comment names. */
  readonly tests: readonly string[];
}
export function tunedConstants(root?: string): readonly TunedConstant[];
