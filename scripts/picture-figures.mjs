/**
 * The figures that the pictures of the gallery do not show, because they depend on the machine: times, ratios of times,
 * frames per second. The pictures are drawn by software, which also slows down the scripts beside it. Counts stay.
 */
export const OF_THE_MACHINE = [
  'framesPerSecond',
  'gain',
  'octreeTime',
  'plainTime',
  'bruteForceTime',
  'pickTime',
  'hoverTime',
  'allTime',
  'plainMove',
  'octreeMove',
  'tracked-time',
  'scratch-time',
  'watched-time',
  'queried-time',
  'batch-time',
  'ratio',
  'inside-plain-time',
  'outside-plain-time',
  'away-plain-time',
  'away-plain-calls',
  'plain-picks',
  'octree-time',
  'always-time',
  'changed-time',
];

/** Runs in a page: hides figures with their rows and bars, and the chart of the drop-in page. */
export function hideFigures(figures) {
  const hidden = [...document.querySelectorAll('#chart')];
  for (const figure of figures) {
    for (const cell of document.querySelectorAll(`[data-figure="${figure}"]`)) {
      if (cell.matches('dd')) hidden.push(cell.previousElementSibling);
      hidden.push(cell.closest('tr, .headline, .duel, .agreement > span') ?? cell);
    }
  }
  for (const element of hidden) element.hidden = true;
}
