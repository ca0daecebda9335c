import type { StoreStep } from '../store/store-step.ts';

/**
 * What the services process and the shell that supervises it say to one another, over Node's IPC
 * channel.
 */

/** Exit code of a start that was refused for a reason a person can change (decisions 29). */
export const EXIT_REFUSED = 3;

/** Environment variables that the shell hands to the child. */
export const SHELL_ENV = {
  /** Set to `1` for a child of the shell: it ends with its parent and demands keys (decisions 42). */
  supervised: 'SPECWRIGHT_SUPERVISED',
  /** The token of this launch, which the window sends to the gateway. */
  token: 'SPECWRIGHT_LAUNCH_TOKEN',
  /** The origin that the window is loaded from. */
  origin: 'SPECWRIGHT_WINDOW_ORIGIN',
  /** The folder that the shell keeps its own files in; the usual data folder of the window. */
  folder: 'SPECWRIGHT_SHELL_FOLDER',
  /** Set to `1` in safe mode: no folder is trusted, and no MCP server is called. */
  safe: 'SPECWRIGHT_SAFE_MODE',
} as const;

/** Why a start was refused, for rules; the message is for people. */
export type RefusalReason =
  | 'port_in_use'
  | 'data_in_use'
  | 'data_unwritable'
  | 'store'
  | 'configuration'
  | 'other';

/** Every listener answers; addresses without a trailing slash. */
export interface ReadyMessage {
  readonly type: 'ready';
  readonly gateway: string;
  readonly platform: string;
  readonly dashboard: string;
  readonly studio: string;
  readonly pid: number;
  /** The version of Node that they run on. */
  readonly node: string;
}

/** The services will not start as they are asked to. */
export interface RefusedMessage {
  readonly type: 'refused';
  readonly reason: RefusalReason;
  readonly message: string;
}

/** What became of a folder that the shell asked to open. */
export interface FolderMessage {
  readonly type: 'folder';
  /** That of the question. */
  readonly id: number;
  readonly project_id: string | null;
  /** It was a project before. */
  readonly known: boolean;
  /** Why it is none, in words for a person. */
  readonly problem: string | null;
}

/** How would this system reach the address? Proxies are the desktop's to know. */
export interface AskProxyMessage {
  readonly type: 'ask_proxy';
  readonly id: number;
  /** Absolute; of a connection's server. */
  readonly url: string;
}

/** A store of an earlier version is copied or changed; the child answers nothing else meanwhile. */
export interface StoreStepMessage {
  readonly type: 'store_step';
  readonly step: StoreStep;
}

/** Child → shell. */
export type ServicesMessage =
  | ReadyMessage
  | RefusedMessage
  | FolderMessage
  | AskProxyMessage
  | StoreStepMessage;

/** Shell → child: drain and exit 0. */
export interface StopMessage {
  readonly type: 'stop';
}

/** Shell → child: a folder that the person chose is to be a project. */
export interface OpenFolderMessage {
  readonly type: 'open_folder';
  readonly id: number;
  readonly folder: string;
}

/** Shell → child: the ways to an address, in the order that the system tries them. */
export interface ProxyMessage {
  readonly type: 'proxy';
  /** That of the question. */
  readonly id: number;
  /** As a proxy script answers: `PROXY host:port; DIRECT`. Null where the system could not be asked. */
  readonly ways: string | null;
}

/** Shell → child. */
export type ShellMessage = StopMessage | OpenFolderMessage | ProxyMessage;
