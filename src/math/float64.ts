/**
 * Index of the 32-bit half of a Float64 in memory that holds its sign bit: 1 on little-endian machines, 0 on big-endian
 * ones.
 */
export const SIGN_HALF = /* @__PURE__ */ findSignHalf();

function findSignHalf(): number {
  return new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 1 : 0;
}
