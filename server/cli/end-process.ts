import { keychainHangs } from '../runtime/keychain.ts';

const SHELL = '/bin/sh';

/** Waits until both outputs have taken what was written. */
async function flushed(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    const { promise, resolve } = Promise.withResolvers<void>();
    stream.write('', () => resolve());
    await promise;
  }
}

/**
 * Ends the process. Node waits at its end for calls into the system that are under way, so that a
 * keychain that never answers would hold it for ever: then another program takes its place and ends.
 */
export async function endProcess(code: number): Promise<never> {
  await flushed();
  if (keychainHangs() && process.platform !== 'win32') {
    process.removeAllListeners('warning');
    process.execve?.(SHELL, [SHELL, '-c', `exit ${code}`], {});
  }
  process.exit(code);
}
