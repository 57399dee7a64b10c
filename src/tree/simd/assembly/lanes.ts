/** Numbers of four bytes in arrays that begin at an address. */

@inline
export function intAt(array: i32, k: i32): i32 {
  return load<i32>(<usize>(array + (k << 2)));
}

@inline
export function setInt(array: i32, k: i32, value: i32): void {
  store<i32>(<usize>(array + (k << 2)), value);
}

@inline
export function floatAt(array: i32, k: i32): f32 {
  return load<f32>(<usize>(array + (k << 2)));
}

@inline
export function setFloat(array: i32, k: i32, value: f32): void {
  store<f32>(<usize>(array + (k << 2)), value);
}
