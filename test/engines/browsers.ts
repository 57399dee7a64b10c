/**
 * Starts Firefox and the browser of WebKitGTK for Vitest, which has providers for Playwright's own builds only. A
 * browser needs no driver: it opens the page of Vitest, which fetches tests and reports results by itself.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { playwright } from '@vitest/browser-playwright';
import type { BrowserProvider, BrowserProviderOption } from 'vitest/node';

interface Engine {
  /** Debian's package. */
  readonly packageName: string;
  /** Path of the program; undefined if it is not installed. */
  readonly find: () => string | undefined;
  /** @param profile An empty folder. */
  readonly options: (profile: string) => string[];
}

export const ENGINES = {
  firefox: {
    packageName: 'firefox-esr',
    find: () => onPath('firefox-esr') ?? onPath('firefox'),
    options(profile) {
      writeFileSync(
        join(profile, 'user.js'),
        Object.entries(FIREFOX_PREFERENCES)
          .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
          .join(''),
      );
      return ['--no-remote', '--profile', profile];
    },
  },
  webkit: {
    packageName: 'webkit2gtk-driver',
    find: () => process.env.MINI_BROWSER ?? findMiniBrowser(),
    options: () => ['--private', '--geometry=1280x900'],
  },
} satisfies Readonly<Record<string, Engine>>;

const FIREFOX_PREFERENCES = {
  'app.normandy.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'datareporting.policy.firstRunURL': '',
  'dom.ipc.processHangMonitor': false,
  'dom.max_script_run_time': 0,
  // For times in the benchmark.
  'privacy.reduceTimerPrecision': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
  'webgl.force-enabled': true,
};

function onPath(program: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path));
}

/** In Debian a file in a folder of libraries: /usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser. */
function findMiniBrowser(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  for (const folder of ['/usr/lib', ...readdirSync('/usr/lib').map((name) => join('/usr/lib', name))]) {
    for (const version of ['webkit2gtk-4.1', 'webkitgtk-6.0', 'webkit2gtk-4.0']) {
      const path = join(folder, version, 'MiniBrowser');
      if (existsSync(path)) return path;
    }
  }
  return undefined;
}

/** @throws Error, with the command that installs what is missing, if the engine cannot start. */
function programOf({ find, packageName }: Engine): string {
  const program = find();
  if (program === undefined || onPath('xvfb-run') === undefined)
    throw new Error(`npm run engines: install what it needs: apt-get install ${packageName} xvfb xauth`);
  return program;
}

/** Opens pages in an engine, on a screen of its own that software draws. */
export class EngineProvider implements BrowserProvider {
  readonly name = 'engine';
  readonly supportsParallelism = false;
  private readonly program: string;
  private readonly engine: Engine;
  private browser: ChildProcess | null = null;
  private profile = '';

  constructor(engine: Engine) {
    this.engine = engine;
    this.program = programOf(engine);
    // Also if the tests are interrupted.
    process.once('exit', () => this.end());
  }

  getCommandsContext(): Record<string, unknown> {
    return {};
  }

  async openPage(_sessionId: string, url: string): Promise<void> {
    await this.close();
    this.profile = mkdtempSync(join(tmpdir(), 'scene-octree-engine-'));
    this.browser = spawn(
      'xvfb-run',
      [
        '--auto-servernum',
        '--server-args=-screen 0 1280x1024x24',
        this.program,
        ...this.engine.options(this.profile),
        url,
      ],
      {
        stdio: 'ignore',
        // A group of processes of its own, which can be ended as one.
        detached: true,
        env: { ...process.env, LIBGL_ALWAYS_SOFTWARE: '1', HOME: this.profile, GDK_BACKEND: 'x11' },
      },
    );
  }

  async close(): Promise<void> {
    const { browser } = this;
    if (browser === null) return;
    const ended = once(browser, 'exit');
    if (this.end()) await ended;
    this.browser = null;
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Ends the browser. Returns whether it was running. */
  private end(): boolean {
    if (this.browser === null || this.browser.exitCode !== null || this.browser.signalCode !== null) return false;
    return process.kill(-this.browser.pid!, 'SIGTERM');
  }
}

/** The provider of an engine for `test.browser` of Vitest. */
export function engine(name: keyof typeof ENGINES): BrowserProviderOption {
  return {
    ...playwright(),
    name: 'engine',
    supportedBrowser: [name],
    providerFactory: () => new EngineProvider(ENGINES[name]),
  };
}
