/** Which of the two 32-bit halves of a float64 in memory holds its sign: the second on all but the rarest machines. */
export const SIGN_HALF = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 1 : 0;
