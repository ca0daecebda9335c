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

/** Child → shell. */
export type ServicesMessage = ReadyMessage | RefusedMessage | FolderMessage;

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

/** Shell → child. */
export type ShellMessage = StopMessage | OpenFolderMessage;
