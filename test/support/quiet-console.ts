/**
 * Set-up of tests: a test fails if it prints something to the console that it does not expect. A test that expects a
 * message spies on the console: `vi.spyOn(console, 'warn').mockImplementation(() => {})`.
 */

import { format } from 'node:util';
import { afterEach, beforeEach } from 'vitest';

const METHODS = ['log', 'info', 'warn', 'error', 'debug'] as const;
const originals = METHODS.map((method) => console[method]);
const printed: string[] = [];

beforeEach(() => {
  printed.length = 0;
  for (const method of METHODS)
    console[method] = (...values: unknown[]) => void printed.push(`${method}: ${format(...values)}`);
});

afterEach(() => {
  METHODS.forEach((method, k) => (console[method] = originals[k]));
  if (printed.length > 0) throw new Error(`printed to the console without being expected:\n${printed.join('\n')}`);
});
