/** Refuses a release that is not ready: `npm publish` runs this first, by `prepublishOnly`. */

import { readFileSync } from 'node:fs';

/** The account of the publisher, which package.json names in the place of the real one. */
const PLACEHOLDER = 'OWNER';

/** What is left to do before a release, as sentences; [] if nothing is. */
export function obstaclesOf(packageText, changelog) {
  const { version } = JSON.parse(packageText);
  const obstacles = [];
  if (packageText.includes(PLACEHOLDER))
    obstacles.push(
      `package.json: replace ${PLACEHOLDER} in author, homepage, repository and bugs by the account that publishes.`,
    );
  if (!new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d{2}-\\d{2}$`, 'm').test(changelog)) {
    obstacles.push(`CHANGELOG.md: add the heading "## [${version}] - date" above the changes of this release.`);
  }
  return obstacles;
}

if (process.argv[1]?.endsWith('check-release.mjs')) {
  const obstacles = obstaclesOf(readFileSync('package.json', 'utf8'), readFileSync('CHANGELOG.md', 'utf8'));
  for (const obstacle of obstacles) console.error(obstacle);
  process.exitCode = obstacles.length > 0 ? 1 : 0;
}
