/**
 * The one clock of sliced work. No other file reads the time, and none draws random numbers, so a test that replaces
 * `now` decides after which step a slice ends.
 */
export const clock = {
  /** Milliseconds since some fixed moment. */
  now: (): number => performance.now(),
};

/** Lets events of the page run: the rest of a function goes on in a task of its own. */
export async function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  await new Promise((resolve) => {
    port1.addEventListener('message', resolve, { once: true });
    port1.start();
    port2.postMessage(null);
  });
  port1.close();
}
