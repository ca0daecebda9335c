import { stat } from 'node:fs/promises';
import path from 'node:path';
import { BrowserWindow, type IpcMainInvokeEvent, ipcMain, nativeTheme, shell } from 'electron';
import { COMMANDS } from '../preload/commands.ts';
import {
  type LogPage,
  REQUEST,
  type ThemePreference,
  type UpdateAction,
  type UpdateChoices,
  type WindowFacts,
  type ZoomChange,
} from '../preload/desktop-api.ts';
import { appMetrics, readAppInfo } from './app-info.ts';
import { readShortcuts } from './changed-shortcuts.ts';
import { openDiagnostics } from './diagnostics/desk.ts';
import { chooseFolder, offerAddress, openImportFiles, saveChosenFile } from './dialogs.ts';
import type { Farewell } from './farewell.ts';
import type { Incidents } from './incidents.ts';
import type { LogFile } from './log-file.ts';
import { pageAfter, pageBefore } from './logs/log-pages.ts';
import type { NativeMenu } from './native-menu.ts';
import type { OpenRequests } from './open-requests.ts';
import type { ProgramTray } from './program-tray.ts';
import { readRecent } from './recent-projects.ts';
import type { ServiceSupervisor } from './service-supervisor.ts';
import { readLanguage, type ShellStateStore } from './shell-state.ts';
import { speakInShell } from './speak.ts';
import type { UpdateDesk } from './updates/update-desk.ts';
import type { WindowSet } from './window-set.ts';
import type { Zoom } from './zoom.ts';

export interface IpcDeps {
  readonly home: string;
  readonly supervisor: ServiceSupervisor;
  readonly state: ShellStateStore;
  readonly openRequests: OpenRequests;
  readonly farewell: Farewell<BrowserWindow>;
  readonly windows: WindowSet;
  readonly menu: NativeMenu;
  readonly updates: UpdateDesk;
  readonly tray: ProgramTray;
  readonly incidents: Incidents;
  readonly zoom: Zoom;
  /** This start is one in safe mode. */
  readonly safe: boolean;
  /** Ends the program in order and starts it again, in safe mode or without. */
  readonly restart: (safe: boolean) => void;
  readonly marks: Readonly<Record<string, number>>;
  readonly dataFolder: string;
  readonly logFile: string;
  readonly log: LogFile;
}

/** So many letters or bytes a saved file may have. */
const MAX_SAVED = 256 * 1024 * 1024;

function text(value: unknown, limit: number): string {
  if (typeof value !== 'string' || value.length > limit) {
    throw new TypeError('the window sent a value that the shell does not accept');
  }
  return value;
}

function bytes(value: unknown, limit: number): Uint8Array {
  if (!(value instanceof Uint8Array) || value.byteLength > limit) {
    throw new TypeError('the window sent a value that the shell does not accept');
  }
  return value;
}

function themePreference(value: unknown): ThemePreference {
  if (value === 'light' || value === 'dark' || value === 'system') return value;
  throw new TypeError('the theme is light, dark or system');
}

/** The ids of commands that a window names; it can name no item but that of a command. */
function commandIds(value: unknown): ReadonlySet<string> {
  const known = COMMANDS.map(({ id }) => id);
  return new Set(known.filter((id) => Array.isArray(value) && value.includes(id)));
}

function zoomChange(value: unknown): ZoomChange {
  if (value === 'in' || value === 'out' || value === 'reset' || typeof value === 'number')
    return value;
  throw new TypeError('a size is in, out, reset or a number of percent');
}

const ACTIONS: readonly UpdateAction[] = ['check', 'download', 'pause', 'restart', 'dismiss'];

function updateAction(value: unknown): UpdateAction {
  const action = ACTIONS.find((one) => one === value);
  if (action === undefined) throw new TypeError('there is no such step of an update');
  return action;
}

function updateChoices(value: unknown): UpdateChoices {
  const { channel, automatic, on_quit } = {
    channel: undefined,
    automatic: undefined,
    on_quit: undefined,
    ...(typeof value === 'object' ? value : {}),
  };
  return {
    ...(channel === 'stable' || channel === 'beta' ? { channel } : {}),
    ...(typeof automatic === 'boolean' ? { automatic } : {}),
    ...(typeof on_quit === 'boolean' ? { on_quit } : {}),
  };
}

function placeInLog(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new TypeError('a place in the log is a whole number');
}

/** The window names places of the log, never a file. */
function logPage(request: unknown, log: LogFile): Promise<LogPage> {
  const asked = { before: null, ...(typeof request === 'object' ? request : {}) };
  if ('after' in asked) return pageAfter(log.spans(), placeInLog(asked.after));
  return pageBefore(log.spans(), asked.before === null ? null : placeInLog(asked.before));
}

/** A file would be opened by its program, so only folders are handed on. */
async function showFolder(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => undefined);
  if (!path.isAbsolute(folder) || found?.isDirectory() !== true) return false;
  return (await shell.openPath(folder)) === '';
}

/** Answers the window. Every request is checked to come from the workbench's own document. */
export function installIpc(deps: IpcDeps): void {
  const answer = (
    channel: string,
    handler: (window: BrowserWindow, ...values: unknown[]) => unknown,
  ) => {
    ipcMain.handle(channel, (event: IpcMainInvokeEvent, ...values: unknown[]) => {
      const sender = event.senderFrame?.url ?? '';
      const window = BrowserWindow.fromWebContents(event.sender);
      if (window === null || !sender.startsWith(`${deps.home}/`)) {
        throw new Error('only the workbench may ask the shell');
      }
      return handler(window, ...values);
    });
  };

  answer(REQUEST.services, () => deps.supervisor.state);
  answer(REQUEST.restartServices, () => deps.supervisor.restart());
  answer(REQUEST.openImportFiles, (window) => openImportFiles(window));
  answer(REQUEST.openFolder, async (window) => {
    const folder = await chooseFolder(window);
    return folder === undefined ? null : deps.supervisor.openFolder(folder);
  });
  answer(REQUEST.openDroppedFolder, (_window, folder) =>
    deps.supervisor.openFolder(text(folder, 4096)),
  );
  answer(REQUEST.showFolder, (_window, folder) => showFolder(text(folder, 4096)));
  answer(REQUEST.saveTextFile, (window, name, content) =>
    saveChosenFile(window, text(name, 255), text(content, MAX_SAVED)),
  );
  answer(REQUEST.saveBinaryFile, (window, name, content) =>
    saveChosenFile(window, text(name, 255), bytes(content, MAX_SAVED)),
  );
  answer(REQUEST.offerAddress, (window, address) => offerAddress(window, text(address, 4096)));
  answer(REQUEST.setTheme, (_window, preference) => {
    const theme = themePreference(preference);
    nativeTheme.themeSource = theme;
    deps.state.update({ theme });
  });
  answer(REQUEST.setLanguage, async (_window, preference) => {
    const language = readLanguage(preference);
    deps.state.update({ language });
    await speakInShell(language);
    deps.menu.rebuild();
    for (const window of deps.windows.all) window.webContents.reload();
  });
  answer(REQUEST.setCommands, (window, ids) => deps.menu.handle(window, commandIds(ids)));
  answer(REQUEST.setShortcuts, (window, changed) =>
    deps.menu.setShortcuts(window, readShortcuts(changed)),
  );
  answer(REQUEST.zoom, () => deps.zoom.percent);
  answer(REQUEST.setZoom, (_window, change) => deps.zoom.set(zoomChange(change)));
  answer(REQUEST.setRecent, (_window, projects) => {
    const recent = readRecent(projects);
    deps.menu.setRecent(recent);
    deps.tray.setRecent(recent);
  });
  answer(REQUEST.tray, () => deps.tray.isShown);
  answer(REQUEST.setTray, (_window, shown) => {
    deps.tray.show(shown === true);
    deps.state.update({ tray: shown === true });
  });
  answer(REQUEST.newWindow, () => {
    deps.windows.open();
  });
  answer(REQUEST.windowFacts, (window): WindowFacts => {
    const { id = '', connection = null } = deps.windows.recordOf(window) ?? {};
    const { safe } = deps;
    const open = deps.windows.ids;
    return { id, start: deps.windows.takeStart(window), safe, connection, open };
  });
  answer(REQUEST.setConnection, (window, id) =>
    deps.windows.update(window, { connection: id === null ? null : text(id, 64) }),
  );
  answer(REQUEST.tryAgain, (window) => deps.windows.tryAgain(window));
  answer(REQUEST.restart, (_window, mode) => deps.restart(mode === 'safe'));
  answer(REQUEST.holdClose, (window, unsent) => deps.farewell.setUnsent(window, unsent === true));
  const { updates } = deps;
  answer(REQUEST.updates, () => updates.state());
  answer(REQUEST.update, (_window, action) => updates.act(updateAction(action)));
  answer(REQUEST.chooseUpdates, (_window, choices) => updates.choose(updateChoices(choices)));
  answer(REQUEST.storeCopies, () => updates.copies());
  answer(REQUEST.removeStoreCopies, () => updates.removeCopies());
  answer(REQUEST.goBack, () => updates.goBack());
  answer(REQUEST.appInfo, () => readAppInfo(deps.dataFolder, deps.supervisor.node));
  answer(REQUEST.appMetrics, () => appMetrics(deps.marks));
  answer(REQUEST.logs, (_window, request) => logPage(request, deps.log));
  const diagnostics = openDiagnostics(deps);
  answer(REQUEST.diagnostics, (window) => diagnostics.collect(window));
  answer(REQUEST.saveDiagnostics, (window, names) => diagnostics.save(window, names));
  answer(REQUEST.showLogs, async () => {
    await shell.openPath(path.dirname(deps.logFile));
  });
  answer(REQUEST.listening, (window, kind) => {
    if (kind === 'incidents') deps.incidents.attach(window);
    else deps.openRequests.attach(window, kind === 'links' || kind === 'folders' ? kind : 'files');
  });
}
