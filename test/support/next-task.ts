/** Waits for the next task of the event loop: work in slices has taken one step by then. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
