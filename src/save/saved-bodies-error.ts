/** The one error of `decodeBodies`. */

/**
 * What is wrong with bytes that `decodeBodies` refuses: 'format', they are no saved bodies; 'version', another version
 * of the library wrote them; 'length', bytes are missing or too many; 'checksum', a byte was changed; 'content', the
 * numbers are no bodies, or the codec has thrown.
 */
export type SavedBodiesFault = 'format' | 'version' | 'length' | 'checksum' | 'content';

/**
 * Thrown by `decodeBodies` for any bytes that are not what `encodeBodies` has written. `code` says what is wrong with
 * them; the remedy is the same for all: build the bodies from their source again.
 *
 * @example
 * ```ts
 * import { decodeBodies, SavedBodiesError } from 'scene-octree/save';
 *
 * try {
 *   decodeBodies(new ArrayBuffer(8));
 * } catch (error) {
 *   if (error instanceof SavedBodiesError) console.log(error.code); // prints: format
 * }
 * ```
 */
export class SavedBodiesError extends Error {
  /** What is wrong with the bytes. */
  readonly code: SavedBodiesFault;

  /** @internal */
  constructor(code: SavedBodiesFault, message: string, options?: ErrorOptions) {
    super(`decodeBodies: ${message}; build the bodies from their source again.`, options);
    this.name = 'SavedBodiesError';
    this.code = code;
  }
}
