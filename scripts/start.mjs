// Serves the demos, and opens them in a browser where there is a desktop. Passes its arguments to Vite.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const { env, platform } = process;
const hasDesktop = platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY || env.WSL_DISTRO_NAME);
const vite = fileURLToPath(new URL('../node_modules/vite/bin/vite.js', import.meta.url));
const open = hasDesktop ? ['--open'] : [];
process.exitCode =
  spawnSync(process.execPath, [vite, ...open, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 0;
