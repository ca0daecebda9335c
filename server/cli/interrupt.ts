/** A signal that aborts at the first Ctrl-C; the second one ends the program as usual. */
export function onInterrupt(): { readonly signal: AbortSignal; dispose(): void } {
  const controller = new AbortController();
  const names = ['SIGINT', 'SIGTERM'] as const;
  const stop = (): void => {
    controller.abort();
    dispose();
  };
  const dispose = (): void => {
    for (const name of names) process.off(name, stop);
  };
  for (const name of names) process.on(name, stop);
  return { signal: controller.signal, dispose };
}
