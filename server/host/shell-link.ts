import { isObject } from '../kernel/json.ts';
import type { OpenFolderMessage, ServicesMessage } from './protocol.ts';
import { SHELL_ENV } from './protocol.ts';

/** The line to the shell that started this process. */
export interface ShellLink {
  send(message: ServicesMessage): Promise<void>;
  /** The shell asks for a stop, or is gone. */
  onStop(listener: () => void): void;
  /** The shell asks to open a folder that the person chose. */
  onFolder(listener: (asked: OpenFolderMessage) => void): void;
}

function isStop(message: unknown): boolean {
  return isObject(message) && message['type'] === 'stop';
}

function isOpenFolder(message: unknown): message is OpenFolderMessage {
  return (
    isObject(message) &&
    message['type'] === 'open_folder' &&
    typeof message['id'] === 'number' &&
    typeof message['folder'] === 'string'
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
    onFolder(listener) {
      process.on('message', (message) => {
        if (isOpenFolder(message)) listener(message);
      });
    },
  };
}
