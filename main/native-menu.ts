import { app, type BrowserWindow, Menu } from 'electron';
import { EVENT, type RecentProject } from '../preload/desktop-api.ts';
import type { ChangedShortcuts } from './changed-shortcuts.ts';
import { menuTemplate, SHELL_COMMANDS } from './menu-model.ts';
import { jumpList } from './recent-projects.ts';

export interface NativeMenuDeps {
  /** The window that a chosen item is told to. */
  readonly latest: () => BrowserWindow | undefined;
  readonly newWindow: () => void;
  readonly restartServices: () => void;
  readonly openProject: (id: string) => void;
  readonly zoom: (change: 'in' | 'out' | 'reset') => void;
}

const ZOOMS: Readonly<Record<string, 'in' | 'out' | 'reset'>> = {
  'view.zoom-in': 'in',
  'view.zoom-out': 'out',
  'view.zoom-reset': 'reset',
};

/** The menu of the system, which offers what the window used last can do. */
export interface NativeMenu {
  /** A window handles these commands now. */
  handle(window: BrowserWindow, commands: ReadonlySet<string>): void;
  /** The projects opened last changed. */
  setRecent(recent: readonly RecentProject[]): void;
  /** Another language is spoken now. */
  rebuild(): void;
  /** A window has these keys; the menu shows those of the window used last. */
  setShortcuts(window: BrowserWindow, changed: ChangedShortcuts): void;
}

export function installNativeMenu(deps: NativeMenuDeps): NativeMenu {
  const handled = new WeakMap<BrowserWindow, ReadonlySet<string>>();
  let recent: readonly RecentProject[] = [];
  const keys = new WeakMap<BrowserWindow, ChangedShortcuts>();
  let shortcuts: ChangedShortcuts = {};
  const enable = () => {
    const window = deps.latest();
    const now = window === undefined ? undefined : handled.get(window);
    for (const { submenu } of Menu.getApplicationMenu()?.items ?? []) {
      for (const item of submenu?.items ?? []) {
        const isCommand = item.id?.includes('.') === true;
        if (isCommand && !SHELL_COMMANDS.has(item.id)) item.enabled = now?.has(item.id) === true;
      }
    }
  };
  const command = (id: string) => {
    if (id === 'app.new-window') deps.newWindow();
    else if (id === 'app.restart-services') deps.restartServices();
    else if (id in ZOOMS) deps.zoom(ZOOMS[id] ?? 'reset');
    else deps.latest()?.webContents.send(EVENT.command, id);
  };
  const build = () => {
    const { platform } = process;
    const facts = { platform, name: app.name, isPackaged: app.isPackaged, recent, shortcuts };
    const template = menuTemplate(facts, { command, openProject: deps.openProject });
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
    enable();
  };
  build();
  // What the menu offers, and its keys, are those of the window used last; without one they stay.
  const follow = () => {
    const window = deps.latest();
    const wanted = window === undefined ? shortcuts : (keys.get(window) ?? {});
    if (JSON.stringify(wanted) === JSON.stringify(shortcuts)) return enable();
    shortcuts = wanted;
    build();
  };
  // The set of windows has noted by then which one was used last.
  const soon = () => void setImmediate(follow);
  app.on('browser-window-focus', soon);
  app.on('browser-window-created', (_event, window) => {
    window.once('closed', soon);
    window.webContents.on('did-start-navigation', (details) => {
      if (!details.isMainFrame || details.isSameDocument) return;
      handled.delete(window);
      soon();
    });
  });
  return {
    handle(window, commands) {
      handled.set(window, commands);
      enable();
    },
    setShortcuts(window, changed) {
      keys.set(window, changed);
      follow();
    },
    setRecent(next) {
      recent = next;
      build();
      tellSystemOfRecent(recent, deps.openProject);
    },
    rebuild: build,
  };
}

/** Tells what stands at the program's icon, where the system has a list there. */
function tellSystemOfRecent(recent: readonly RecentProject[], open: (id: string) => void): void {
  if (process.platform === 'win32') app.setJumpList(jumpList(recent, process.execPath));
  const items = recent.map(({ id, name }) => ({ label: name, click: () => open(id) }));
  app.dock?.setMenu(Menu.buildFromTemplate(items));
}
