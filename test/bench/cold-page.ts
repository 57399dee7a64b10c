/** Runs in a page of an engine: measures one task of one rival, and posts what it has measured. */

import { TASKS } from './cold-tasks.ts';
import { uniformScene } from './scenes/random-scenes.ts';

const time = (): number => performance.now();
const query = new URLSearchParams(location.search);
const [name, task, bodies] = ['name', 'task', 'bodies'].map((key) => query.get(key)!);

async function measure(): Promise<string> {
  try {
    return JSON.stringify(await TASKS[task].run(name, uniformScene(Number(bodies)), time));
  } catch (error) {
    return JSON.stringify({ error: String(error) });
  }
}
await fetch('/measured', { method: 'POST', body: await measure() });
