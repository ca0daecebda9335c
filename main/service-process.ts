import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type {
  AskProxyMessage,
  FolderMessage,
  ReadyMessage,
  RefusedMessage,
  ServicesMessage,
  ShellMessage,
  StopMessage,
  StoreStepMessage,
} from '../server/host/protocol.ts';

/** The services process as the supervisor sees it. */
export interface ServiceProcess {
  /** Asks it to drain and exit. */
  requestStop(): void;
  /** False when nobody listens any more. */
  send(message: ShellMessage): boolean;
  kill(): void;
}

export interface ServiceProcessEvents {
  onMessage(message: ServicesMessage): void;
  onOutput(chunk: string): void;
  /** Called exactly once. */
  onExit(code: number | null, signal: string | null): void;
}

export interface LaunchOptions {
  /** The bundled command line, `out/main/server.mjs`. */
  readonly entry: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Folder that may hold `node_modules/.bin/node`. */
  readonly appFolder: string;
  readonly resourcesFolder: string;
}

const STOP: StopMessage = { type: 'stop' };

function isReady(value: object): value is ReadyMessage {
  return 'type' in value && value.type === 'ready';
}

function isRefused(value: object): value is RefusedMessage {
  return 'type' in value && value.type === 'refused';
}

function isFolder(value: object): value is FolderMessage {
  return 'type' in value && value.type === 'folder';
}

function isStoreStep(value: object): value is StoreStepMessage {
  return 'type' in value && value.type === 'store_step';
}

function isAskProxy(value: object): value is AskProxyMessage {
  return 'type' in value && value.type === 'ask_proxy';
}

function deliver(message: unknown, events: ServiceProcessEvents): void {
  if (typeof message !== 'object' || message === null) return;
  const known = [isReady, isRefused, isFolder, isAskProxy, isStoreStep];
  const isKnown = (value: object): value is ServicesMessage => known.some((is) => is(value));
  if (isKnown(message)) events.onMessage(message);
}

/** The Node that the program brings along. */
export function findNode(options: Pick<LaunchOptions, 'appFolder' | 'resourcesFolder'>): string {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const places = [
    process.env['SPECWRIGHT_NODE'],
    path.join(options.resourcesFolder, 'node', name),
    path.join(options.appFolder, 'node_modules/.bin', name),
  ];
  return places.find((place) => place !== undefined && existsSync(place)) ?? name;
}

function childEnvironment(options: LaunchOptions): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && name !== 'ELECTRON_RUN_AS_NODE') env[name] = value;
  }
  return { ...env, NODE_ENV: 'production', ...options.env };
}

/**
 * Starts the services on the Node that the program brings along: Electron's own lags behind in fixes,
 * and an application without its fuse for running as Node cannot start project code.
 */
export function launchServices(
  options: LaunchOptions,
  events: ServiceProcessEvents,
): ServiceProcess {
  const child = spawn(findNode(options), [options.entry, ...options.args], {
    env: childEnvironment(options),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    windowsHide: true,
  });
  let ended = false;
  const end = (code: number | null, signal: string | null) => {
    if (ended) return;
    ended = true;
    events.onExit(code, signal);
  };
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => events.onOutput(chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => events.onOutput(chunk));
  child.on('message', (message) => deliver(message, events));
  child.once('error', (error) => {
    events.onOutput(`${error.message}\n`);
    end(null, null);
  });
  child.once('exit', end);
  return {
    send: (message) => {
      if (child.connected) child.send(message);
      return child.connected;
    },
    requestStop: () => {
      if (child.connected) child.send(STOP);
      else child.kill('SIGTERM');
    },
    kill: () => {
      child.kill('SIGKILL');
    },
  };
}
