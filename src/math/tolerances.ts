/**
 * Bounds of rounding errors. A filter computes in another order than the exact test, or in Float32, but must keep every
 * box whose body the exact test accepts. So it enlarges its volume by a bound of the errors of both. A bound that is
 * too large costs a few tests more; one that is too small loses results. Each bound is therefore several times the sum
 * of the errors that it covers.
 *
 * An operation has a relative rounding error of at most 2^-53 in Float64 and 2^-24 in Float32; this is "one error"
 * below. The errors of products, squares, roots and differences are relative to the result: they need a factor just
 * above or just below 1. The errors of other sums are relative to the largest number in them, so a tolerance of a
 * length is a factor on the maximum magnitude among the coordinates of the volume and of the box that is tested. It
 * never depends on other boxes: one body far away would make the tests of all others coarse. Where a filter begins with
 * the difference of the box and the volume, the coordinates of the volume alone count.
 *
 * Numbers that are a part of the definition of a result stand beside its test, for example the gap that `ConvexVolume`
 * accepts.
 */

// Float64, relative to the maximum magnitude of coordinates.

/**
 * 64 errors. For sums along one axis: distances between faces, centres and half sizes. Filter and exact test make about
 * ten errors each.
 */
export const SUM_TOLERANCE = 2 ** -47;
/**
 * 128 errors. For sums over three axes: dot products with a normal or a direction, which have three times the
 * operations of one axis.
 */
export const DOT_TOLERANCE = 2 ** -46;
/**
 * 512 errors. For the distance of a sphere's surface, which a test by squares compares: differences, squares, their sum
 * and its root.
 */
export const SPHERE_TOLERANCE = 2 ** -44;

// Float64, factors.

/**
 * 32 errors above 1. For a sum of three squares, which has about five: difference, square and two sums, the difference
 * counted twice. With the errors of centre and half size, which are relative to the distance, about eighteen.
 */
export const SQUARES_RAISED = 1 + 2 ** -48;
/** A quarter of 32 errors below 1: turns the squares of doubled lengths into a lower bound of the squares. */
export const SQUARES_LOWERED_QUARTER = (1 - 2 ** -48) / 4;
/** Half of 32 errors above 1: turns the size of a box into half of it, raised by the errors of its centre. */
export const HALF_RAISED = (1 + 2 ** -48) / 2;
/** 32 errors below and above 1. For distances along a path: difference, product and the inverse of the direction. */
export const PATH_LOWERED = 1 - 2 ** -48;
export const PATH_RAISED = 1 + 2 ** -48;
/**
 * 512 errors below 1. For the squared distance of a box from a ray, whose vector comes from the difference of two
 * vectors that may be longer.
 */
export const RAY_SQUARES_LOWERED = 1 - 2 ** -44;
/**
 * 8 errors above 1. For the maximum distance of a test by squares: squaring it, and the root of the squared distance of
 * a body, make about three errors.
 */
export const DISTANCE_RAISED = 1 + 2 ** -50;
/** 2^13 errors below 1. For sizes of bodies, whose test has about twenty; a node this close to the limit is kept. */
export const SIZE_LOWERED = 1 - 2 ** -40;
/** 2^13 errors. For the box around a pose: three products of matrices, and coordinates that cancel out. */
export const POSE_TOLERANCE = 2 ** -40;

// Float64, underflow.

/**
 * World units. Squares of lengths below 2^-537 underflow to 0, so a test by squares may accept a gap of that length.
 */
export const UNDERFLOW_LENGTH = 2 ** -500;
/** Bound of the absolute error of a dot product in which products underflow: each loses less than 2^-1074. */
export const DOT_UNDERFLOW = 2 ** -1000;

// Float32, relative to the maximum magnitude of coordinates.

/**
 * 8 errors. As SUM_TOLERANCE: rounding the volume to Float32 is one; the kernel adds about three. Boxes are rounded
 * outward, and have none.
 */
export const SUM_TOLERANCE32 = 2 ** -21;
/**
 * 64 errors. As DOT_TOLERANCE: rounding the planes and adding make about twenty, rounding a box to Float32 up to four.
 */
export const DOT_TOLERANCE32 = 2 ** -18;

// Float32, relative to the result.

/** 16 errors. For a product, or a number that is rounded to Float32. */
export const PRODUCT_TOLERANCE32 = 2 ** -20;
/** 64 errors. For a sum of three squares. */
export const SQUARES_TOLERANCE32 = 2 ** -18;
/** 4 errors above 1. For a number that is rounded to Float32, and must not become smaller. */
export const ROUNDING_RAISED32 = 1 + 2 ** -22;

// Float32, underflow.

/**
 * World units. Squares of lengths from this on are far from underflow. The inverse of FLOAT32_SAFE_MAX, up to which
 * they are far from overflow.
 */
export const UNDERFLOW_LENGTH32 = 2 ** -60;
/**
 * Squared world units. A smaller sum of squares may have lost digits by underflow: Float32 has its full precision from
 * 2^-126 on.
 */
export const MIN_SQUARE32 = 2 ** -110;

// Numbers that reach the octree rounded already, relative to the largest of them.

/**
 * 32 errors of Float64. For bounds and boxes of a user that were computed from each other, such as a centre and a half
 * size: a change that is smaller is no change, and a box may reach beyond another one by up to that size.
 */
export const GIVEN_ERROR = 2 ** -48;
/**
 * 4 errors of Float32. For places of vertices: of a geometry, whose positions are Float32, and on the GPU, which
 * transforms them in Float32.
 */
export const VERTEX_ERROR32 = 2 ** -22;
/**
 * 16 errors of Float32. For what three computes from many vertices or several matrices: the radius of a bounding
 * sphere, the sum of morph influences, the place of an instance.
 */
export const SUM_ERROR32 = 1e-6;
