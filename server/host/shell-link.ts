import type { ServicesMessage } from './protocol.ts';
import { SHELL_ENV } from './protocol.ts';

/** The line to the shell that started this process. */
export interface ShellLink {
  send(message: ServicesMessage): Promise<void>;
  /** The shell asks for a stop, or is gone. */
  onStop(listener: () => void): void;
}

function isStop(message: unknown): boolean {
  return (
    typeof message === 'object' && message !== null && 'type' in message && message.type === 'stop'
  );
}

/** Opens the line of a supervised process. */
export function openShellLink(): ShellLink | undefined {
  if (process.env[SHELL_ENV.supervised] !== '1') return undefined;
  if (process.send === undefined) return undefined;
  // Listened for from the first moment: a shell that dies during the start leaves no orphan.
  const asked = Promise.withResolvers<void>();
  process.on('message', (message) => {
    if (isStop(message)) asked.resolve();
  });
  process.on('disconnect', () => asked.resolve());
  return {
    send(message) {
      const { promise, resolve } = Promise.withResolvers<void>();
      // A shell that is gone cannot be told; the disconnect says the rest.
      if (process.connected) process.send?.(message, undefined, {}, () => resolve());
      else resolve();
      return promise;
    },
    onStop(listener) {
      void asked.promise.then(listener);
    },
  };
}
