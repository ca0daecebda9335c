/**
 * The bridge between the window and the shell, and the only place where its channels are spelled.
 * The renderer sees it as `window.specwright`; in a browser it is absent.
 */

import type { DiagnosticsFile } from './diagnostics-api.ts';
import type { LogPage, LogRequest } from './logs-api.ts';
import type { Spoken } from './texts/language.ts';
import type { StoreCopies, UpdateAction, UpdateChoices, UpdateState } from './updates-api.ts';

export type { DiagnosticsFile } from './diagnostics-api.ts';
export type { LogLevel, LogLine, LogPage, LogRequest } from './logs-api.ts';
export type {
  ShownCopy,
  StoreCopies,
  UpdateAction,
  UpdateAfter,
  UpdateChannel,
  UpdateChoices,
  UpdatePhase,
  UpdateState,
} from './updates-api.ts';

/** What the shell says about its child, the services process. */
export type ServicesPhase = 'starting' | 'ready' | 'crashed' | 'restarting' | 'stopped';

/** The gateway's address and the token of this launch, sent as `Authorization: Bearer …`. */
export interface GatewayAccess {
  /** Origin without a trailing slash, such as `http://127.0.0.1:41234`. Stable while the window lives. */
  readonly url: string;
  readonly token: string;
}

/** A store of an earlier version is made ready for this one. */
export interface StorePreparation {
  readonly store: string;
  /** It is copied beside itself first, then changed. */
  readonly step: 'copying' | 'changing';
  /** Of a copy in megabytes, else changes. */
  readonly done: number;
  readonly of: number;
}

export interface ServicesState {
  readonly phase: ServicesPhase;
  /** Known from the start, before anything answers there: requests may be prepared with it. */
  readonly gateway: GatewayAccess;
  /** Restarts since the services last stayed up long enough to count as stable. */
  readonly restarts: number;
  /** Why the services are not running, in words for a person; null while they are. */
  readonly problem: string | null;
  /** What a start is busy with; null when it is nothing that takes long. */
  readonly preparing: StorePreparation | null;
}

/** One chosen file. `text` is null when `problem` says why it was not read. */
export interface OpenedFile {
  readonly name: string;
  /** Bytes on disk. */
  readonly size: number;
  readonly text: string | null;
  readonly problem: 'too_large' | 'not_utf8' | 'unreadable' | null;
}

/** A file as the shell read it. An archive comes as bytes, which the window takes apart. */
export interface ShellFile extends OpenedFile {
  readonly archive: Uint8Array<ArrayBuffer> | null;
}

/** Files larger than this many bytes are not read into the window. */
export const MAX_OPENED_FILE_BYTES = 32 * 1024 * 1024;

/** Why a chosen file could not be written; what was there before is still there. */
export type SaveProblem = 'disk_full' | 'not_permitted' | 'not_a_file' | 'not_written';

export interface SavedFile {
  readonly saved: boolean;
  /** The file's name without its folder; null when the dialog was dismissed. */
  readonly name: string | null;
  /** Null when it was written or the dialog was dismissed. */
  readonly problem: SaveProblem | null;
}

/** What became of a folder that was to be a project. */
export interface OpenedFolder {
  readonly project_id: string | null;
  /** It was a project before. */
  readonly known: boolean;
  /** Why it is none, in words for a person. */
  readonly problem: string | null;
}

/** How a window's document came to be; `quit` and `crash` say how the program ended before. */
export type WindowStart = 'new' | 'quit' | 'crash' | 'reload';

/** What the shell tells a document that begins. */
export interface WindowFacts {
  /** Names the window, over restarts too. */
  readonly id: string;
  readonly start: WindowStart;
  /** Nothing of projects runs, and the usual settings hold. */
  readonly safe: boolean;
  /** The connection that the window worked over; null is this computer. */
  readonly connection: string | null;
  /** The windows that are open now, this one among them. */
  readonly open: readonly string[];
}

/** Something ended unexpectedly and is back; told once. */
export interface Incident {
  readonly of: 'services' | 'window' | 'program';
  /** In words for a person. */
  readonly message: string;
}

/** Sizes that the window is drawn in, in percent. */
export const ZOOM_SIZES = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200] as const;

export type ZoomChange = 'in' | 'out' | 'reset' | number;

export type ThemePreference = 'light' | 'dark' | 'system';

/** A project that was opened before. */
export interface RecentProject {
  readonly id: string;
  readonly name: string;
}

export interface AppInfo {
  readonly version: string;
  readonly electron: string;
  readonly chrome: string;
  /** Node of the shell. */
  readonly node: string;
  /** Node of the services; null before they answered. */
  readonly services_node: string | null;
  /** Store → number of its newest migration; null before the services were ready once. */
  readonly schemas: Readonly<Record<string, number>> | null;
  readonly data_folder: string;
}

/** One operating system process of the application; memory in mebibytes. */
export interface ProcessMetric {
  readonly type: string;
  readonly name: string;
  readonly memory_mib: number;
}

export interface AppMetrics {
  /** Milliseconds from process start to: app_ready, window_shown, services_ready. */
  readonly marks: Readonly<Record<string, number>>;
  readonly processes: readonly ProcessMetric[];
}

/** Takes a subscription back. */
export type Unsubscribe = () => void;

export interface DesktopApi {
  services(): Promise<ServicesState>;
  onServicesState(listener: (state: ServicesState) => void): Unsubscribe;
  /** Starts the services again at once; from `crashed` and `stopped` too. */
  restartServices(): Promise<void>;

  /** Open dialog for exports, specs and zip archives; an empty list when dismissed. */
  openImportFiles(): Promise<readonly ShellFile[]>;
  /** Lets the person choose a folder and makes it a project; null when dismissed. */
  openFolder(): Promise<OpenedFolder | null>;
  /** As {@link openFolder} for a folder that was dropped; null for what is no file of this computer. */
  openDroppedFolder(folder: File): Promise<OpenedFolder | null>;
  /** Shows a folder in the operating system's file manager; false when it is no folder. */
  showFolder(folder: string): Promise<boolean>;
  /**
   * Shows an address of another site to the person, who opens it in the system's browser, copies it or
   * leaves it. Null for what is no such address: nothing was shown.
   */
  offerAddress(address: string): Promise<'opened' | 'copied' | 'left' | null>;
  /** Save dialog. `name` is the proposed file name; `text` is written as UTF-8. */
  saveTextFile(name: string, text: string): Promise<SavedFile>;
  /** The same for what is not a text. */
  saveBinaryFile(name: string, content: Uint8Array): Promise<SavedFile>;
  /** Files that the operating system asked this window to open (association, command line, drop on the icon). */
  onOpenFiles(listener: (files: readonly ShellFile[]) => void): Unsubscribe;
  /** A folder that the operating system asked to open became a project, or says why not. */
  onOpenFolder(listener: (opened: OpenedFolder) => void): Unsubscribe;
  /** A `specwright://…` address that the operating system handed over. */
  onOpenLink(listener: (address: string) => void): Unsubscribe;

  /** A native menu item was chosen; `id` is a command of `commands.ts`. */
  onCommand(listener: (id: string) => void): Unsubscribe;
  /** The commands that this window handles now: the menu offers no others. */
  setCommands(ids: readonly string[]): Promise<void>;
  /** The projects opened last, the latest first. */
  setRecent(projects: readonly RecentProject[]): Promise<void>;

  setTheme(preference: ThemePreference): Promise<void>;
  /** The menus and dialogs speak it from now on, and every window begins again; `system` follows the system. */
  setLanguage(language: Spoken | 'system'): Promise<void>;
  /** Keys of commands that are not the usual ones: the menu shows them. Null = none. */
  setShortcuts(changed: Readonly<Record<string, string | null>>): Promise<void>;
  /** How large everything is drawn, in percent; the same for all windows. */
  zoom(): Promise<number>;
  onZoom(listener: (percent: number) => void): Unsubscribe;
  /** Draws everything in the next size, in its own, or in one of `ZOOM_SIZES`. */
  setZoom(change: ZoomChange): Promise<void>;

  /** Whether the program has its icon in the notification area. */
  tray(): Promise<boolean>;
  /** With the icon, the program goes on after its last window was closed. */
  setTray(shown: boolean): Promise<void>;

  /** Opens another window. */
  newWindow(): Promise<void>;
  /** Asked once, by a document that begins. */
  windowFacts(): Promise<WindowFacts>;
  /** Keeps the connection that this window works over for its next start; null is this computer. */
  setConnection(id: string | null): Promise<void>;
  /** Other windows are open now; their ids. */
  onWindows(listener: (open: readonly string[]) => void): Unsubscribe;
  /** The computer slept and is awake again. */
  onWoke(listener: () => void): Unsubscribe;
  /** What ended unexpectedly and is back. */
  onIncident(listener: (incident: Incident) => void): Unsubscribe;
  /** Loads a window again that was given up, and opens those that were held back with it. */
  tryAgain(): Promise<void>;
  /** Ends the program in order and starts it again. */
  restart(mode: 'usual' | 'safe'): Promise<void>;

  /** Something is still to be sent: the shell asks before the window closes, and waits a moment. */
  holdClose(unsent: boolean): Promise<void>;
  /** The window is about to close: send what is left, then `holdClose(false)`. */
  onClosing(listener: () => void): Unsubscribe;

  updates(): Promise<UpdateState>;
  onUpdates(listener: (state: UpdateState) => void): Unsubscribe;
  /** Resolves when it was begun; the state says how it goes. */
  update(action: UpdateAction): Promise<void>;
  chooseUpdates(choices: UpdateChoices): Promise<void>;
  storeCopies(): Promise<StoreCopies>;
  /** Removes every copy; answers what is left. */
  removeStoreCopies(): Promise<StoreCopies>;
  /**
   * Stops the services, puts the stores and the program of the version before back and starts it.
   * Answers only when that failed: why, in words for a person.
   */
  goBack(): Promise<string>;

  appInfo(): Promise<AppInfo>;
  appMetrics(): Promise<AppMetrics>;
  /** A page of the log of shell and services. */
  logs(request: LogRequest): Promise<LogPage>;
  /** Collects what a report of a fault needs; the shell keeps it, as it is shown, for {@link saveDiagnostics}. */
  diagnostics(): Promise<readonly DiagnosticsFile[]>;
  /** Save dialog for a zip of the files of these names that were collected last. */
  saveDiagnostics(names: readonly string[]): Promise<SavedFile>;
  /** Opens the folder with the logs in the operating system's file manager. */
  showLogs(): Promise<void>;
}

/** Request channels: renderer → main, answered. */
export const REQUEST = {
  services: 'services:state',
  restartServices: 'services:restart',
  openImportFiles: 'files:open',
  openFolder: 'files:open-folder',
  openDroppedFolder: 'files:open-dropped-folder',
  showFolder: 'files:show-folder',
  saveTextFile: 'files:save-text',
  saveBinaryFile: 'files:save-binary',
  offerAddress: 'address:offer',
  setTheme: 'theme:set',
  setLanguage: 'language:set',
  setCommands: 'menu:commands',
  setShortcuts: 'menu:shortcuts',
  zoom: 'zoom:read',
  setZoom: 'zoom:set',
  setRecent: 'menu:recent',
  tray: 'tray:shown',
  setTray: 'tray:show',
  holdClose: 'window:hold-close',
  newWindow: 'window:new',
  windowFacts: 'window:facts',
  setConnection: 'window:connection',
  updates: 'updates:state',
  update: 'updates:do',
  chooseUpdates: 'updates:choose',
  storeCopies: 'updates:store-copies',
  removeStoreCopies: 'updates:remove-store-copies',
  goBack: 'updates:go-back',
  tryAgain: 'window:try-again',
  restart: 'app:restart',
  appInfo: 'app:info',
  appMetrics: 'app:metrics',
  logs: 'app:logs',
  diagnostics: 'app:diagnostics',
  saveDiagnostics: 'app:save-diagnostics',
  showLogs: 'app:show-logs',
  /** The renderer listens now: what was opened before is delivered. */
  listening: 'app:listening',
} as const;

/** Event channels: main → renderer. */
export const EVENT = {
  servicesState: 'services:changed',
  updates: 'updates:changed',
  openFiles: 'files:opened',
  openFolder: 'folder:opened',
  openLink: 'link:opened',
  command: 'menu:command',
  zoom: 'zoom:changed',
  closing: 'window:closing',
  windows: 'windows:changed',
  incident: 'app:incident',
  woke: 'app:woke',
} as const;
