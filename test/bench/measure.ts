/** Timing on noisy machines: rivals run in turn, round by round, and only medians and ratios of one run are compared. */

export interface Timing {
  /** Milliseconds a call, median over the rounds. */
  readonly median: number;
  /** Fastest round. */
  readonly fastest: number;
}

export interface Rival {
  readonly name: string;
  /** Does the work once and answers a number that depends on it, so that it cannot be optimised away. */
  readonly run: () => number;
}

const ROUNDS = 15;
/** A round repeats the work until it takes at least this long. */
const ROUND_MS = 12;

/** CPU time of this process: on a machine shared with others it says more than the clock on the wall. */
function cpuMs(): number {
  return process.cpuUsage().user / 1000;
}

/** Times rivals in turn. All must answer the same number when `agree` is set. */
export function race(rivals: readonly Rival[], agree: boolean): Map<string, Timing> {
  const repeats = new Map<string, number>();
  const times = new Map<string, number[]>();
  for (const { name, run } of rivals) {
    // Warm up for as long as a few rounds, so that the code is compiled, then see how often it fits into one.
    let calls = 0;
    const begin = cpuMs();
    while (cpuMs() - begin < 6 * ROUND_MS || calls < 3) {
      run();
      calls++;
    }
    const perCall = (cpuMs() - begin) / calls;
    repeats.set(name, Math.max(1, Math.round(ROUND_MS / perCall)));
    times.set(name, []);
  }
  if (agree) {
    const answers = rivals.map(({ run }) => run());
    if (new Set(answers).size > 1) throw new Error(`the answers differ: ${rivals.map(({ name }, k) => `${name} ${answers[k]}`).join(', ')}`);
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, run } of rivals) {
      const count = repeats.get(name)!;
      const begin = cpuMs();
      for (let k = 0; k < count; k++) run();
      times.get(name)!.push((cpuMs() - begin) / count);
    }
  }
  const result = new Map<string, Timing>();
  for (const [name, list] of times) {
    list.sort((a, b) => a - b);
    result.set(name, { median: list[list.length >> 1], fastest: list[0] });
  }
  return result;
}
