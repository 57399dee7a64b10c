/** What `explain` finds, for programs. */

import type { Object3D } from 'three';
import type { PassEnd } from './pass-walk.ts';

/** Why something is left out: a word for programs, and the words of a sentence. */
export interface Reason {
  readonly kind: 'occlusion' | 'size' | 'frustum' | 'hidden' | 'unknown';
  readonly text: string;
  /** What is to be changed: hidden ancestors, occluders. */
  readonly about: readonly (Object3D | number)[];
}

/** What `explain` has found. */
export interface Explanation {
  /** Whether it is drawn, or hit. */
  readonly isDrawn: boolean;
  /** Why not; how, if it is. */
  readonly kind: PassEnd | Reason['kind'] | 'batch' | 'no instance' | 'no scene' | 'ray';
  /** What is to be changed. */
  readonly about: readonly (Object3D | number)[];
  readonly text: string;
}
