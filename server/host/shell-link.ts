import { isObject } from '../kernel/json.ts';
import type { OpenFolderMessage, ProxyMessage, ServicesMessage } from './protocol.ts';
import { SHELL_ENV } from './protocol.ts';

/** The line to the shell that started this process. */
export interface ShellLink {
  send(message: ServicesMessage): Promise<void>;
  /** The shell asks for a stop, or is gone. */
  onStop(listener: () => void): void;
  /** The shell asks to open a folder that the person chose. */
  onFolder(listener: (asked: OpenFolderMessage) => void): void;
  /** Asks by which proxies the desktop would reach an address; undefined when it does not say. */
  askProxy(url: string): Promise<string | undefined>;
}

/** A shell that does not answer by then is not waited for, in milliseconds. */
const PROXY_PATIENCE_MS = 5_000;

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

function isProxy(message: unknown): message is ProxyMessage {
  return isObject(message) && message['type'] === 'proxy' && typeof message['id'] === 'number';
}

/** Questions about proxies, until the shell answers them. */
function proxyQuestions(send: ShellLink['send']): ShellLink['askProxy'] {
  const waiting = new Map<number, (ways: string | undefined) => void>();
  let last = 0;
  process.on('message', (message) => {
    if (isProxy(message)) waiting.get(message.id)?.(message.ways ?? undefined);
  });
  return async (url) => {
    last += 1;
    const id = last;
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const timer = setTimeout(() => resolve(undefined), PROXY_PATIENCE_MS);
    waiting.set(id, resolve);
    await send({ type: 'ask_proxy', id, url });
    const ways = await promise;
    clearTimeout(timer);
    waiting.delete(id);
    return ways;
  };
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
  const send: ShellLink['send'] = (message) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    // A shell that is gone cannot be told; the disconnect says the rest.
    if (process.connected) process.send?.(message, undefined, {}, () => resolve());
    else resolve();
    return promise;
  };
  return {
    send,
    askProxy: proxyQuestions(send),
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
