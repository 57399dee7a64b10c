// The real places: download, selection of the largest, and the size of their pillars. 1 unit = 1 km.

import placesUrl from 'virtual:places';
import { openPlaces, type PlaceColumns } from './places-binary.ts';

export const EARTH_RADIUS = 6371;

/** A pillar for 20 million people is 239 km high and 25 km wide, one for 1,000 people 2.5 km and 1.9 km. */
export const heightFor = (population: number): number => 0.8 + 0.0532 * Math.sqrt(population);
export const widthFor = (population: number): number => 1 + 0.088 * Math.cbrt(population);

export async function fetchPlaces(): Promise<PlaceColumns> {
  const response = await fetch(placesUrl);
  if (!response.ok) throw new Error(`The file of places did not load (${response.status} ${response.statusText}).`);
  return openPlaces(await response.arrayBuffer());
}

/**
 * Returns a predicate for the `count` largest places. It is stateful: call it once per place, in the order of the file.
 */
export function mostPopulous({ population }: PlaceColumns, count: number): (place: number) => boolean {
  const placesAt = new Uint32Array(65_536);
  for (const packed of population) placesAt[packed]++;
  // Of the places with exactly the threshold population, only the first `left` are included.
  let left = count;
  let threshold = 65_535;
  while (threshold > 0 && placesAt[threshold] <= left) left -= placesAt[threshold--];
  return (place) => population[place] > threshold || (population[place] === threshold && left-- > 0);
}
