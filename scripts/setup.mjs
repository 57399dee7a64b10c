// Installs the locked dependencies if there are none, so that `npm start` and `npm test` work right after `git clone`.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const root = new URL('..', import.meta.url);
if (!existsSync(new URL('node_modules/.package-lock.json', root))) {
  const install = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.exit(install.status ?? 1);
}
