/** Matrices in flat arrays, column by column, as in three. */

/** Numbers per matrix. */
export const MATRIX_STRIDE = 16;
