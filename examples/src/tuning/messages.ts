// The messages between the page and the worker that measures.

import type { OptionName, Setting } from './options.ts';
import type { SceneName } from './scenes.ts';

export const MOTIONS = ['none', 'tenth', 'all'] as const;
/** How many of the bodies move. */
export type MotionName = (typeof MOTIONS)[number];

/** The files of own bodies. The worker reads them. */
export interface OwnFiles {
  /** JSON or CSV. */
  readonly text: File;
  /** The .bin of a header. */
  readonly binary: File | null;
}

export interface SceneChoice {
  readonly scene: SceneName | 'own';
  /** Number of bodies of a generated scene. */
  readonly bodies: number;
  readonly motion: MotionName;
}

/** Creates the scene. Answered with a `SceneReport`. */
export interface SceneCommand {
  readonly kind: 'scene';
  readonly choice: SceneChoice;
  /** With scene 'own'. */
  readonly files: OwnFiles | null;
}

/**
 * Measures settings against each other, in the scene of the last `SceneCommand`. All must have the same results as the
 * first. Settings may repeat. Answered with a `RoundReport` after some of the rounds and the last, and progress between
 * them.
 */
export interface MeasureCommand {
  readonly kind: 'measure';
  readonly settings: readonly Setting[];
  readonly rounds: number;
}

export type Command = SceneCommand | MeasureCommand;

export interface SceneReport {
  readonly kind: 'scene';
  readonly bodies: number;
  readonly moving: number;
  /** World units along each axis. */
  readonly size: readonly [number, number, number];
  /** The values to try. */
  readonly values: Readonly<Record<OptionName, readonly number[]>>;
  /**
   * Some of the bodies seen from above, four numbers each: centre x and z, and half sizes, as shares of the longest
   * axis from its middle.
   */
  readonly picture: Float32Array;
  /** How many of the bodies in the picture move; they come first. */
  readonly movingInPicture: number;
}

export interface ProgressReport {
  readonly kind: 'progress';
  /** 0 to 1. */
  readonly share: number;
}

export interface RoundReport {
  readonly kind: 'round';
  /** Rounds done. */
  readonly rounds: number;
  readonly isLast: boolean;
  /** One per setting, in the order of the command. */
  readonly measurements: readonly Measurement[];
}

export interface FailureReport {
  readonly kind: 'failed';
  readonly message: string;
}

export type Report = SceneReport | ProgressReport | RoundReport | FailureReport;

/** What was measured with one setting. */
export interface Measurement {
  readonly setting: Setting;
  /** Milliseconds of one operation in each round. Without moving bodies `tick` is empty. */
  readonly cull: readonly number[];
  readonly ray: readonly number[];
  readonly tick: readonly number[];
  /** Bytes of the tree's arrays for each body. */
  readonly bytes: number;
  readonly nodes: number;
  /** Number of bodies at each depth, from the root on. */
  readonly depths: readonly number[];
  /** Results that were compared with the results of the first setting, and how many differed. */
  readonly checked: number;
  readonly wrong: number;
}
