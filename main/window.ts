import path from 'node:path';
import { app, BrowserWindow, session as electronSession, nativeTheme, screen } from 'electron';
import { WINDOW_ORIGIN } from './app-protocol.ts';
import { WINDOW_ICON } from './paths.ts';
import { isPermitted } from './permission-rules.ts';
import { isOnScreen, type ShellStateStore } from './shell-state.ts';

const SIZE = { width: 1440, height: 900 };

/** Closes what a page could ask of the system: permissions and devices. */
export function lockSession(home: string): void {
  const session = electronSession.defaultSession;
  session.setPermissionRequestHandler((_contents, permission, done, details) => {
    done(isPermitted(permission, details.requestingUrl ?? '', home));
  });
  session.setPermissionCheckHandler((_contents, permission, origin) =>
    isPermitted(permission, origin, home),
  );
  session.setDevicePermissionHandler(() => false);
}

function staysHome(address: string, home: string): boolean {
  return URL.canParse(address) && address.startsWith(`${home}/`);
}

/** No document but the workbench is ever shown, in whichever window or frame. */
export function lockNavigation(home: string): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.on('will-navigate', (event) => {
      if (!staysHome(event.url, home)) event.preventDefault();
    });
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
  });
}

function restoredBounds(state: ShellStateStore) {
  const saved = state.value.bounds;
  const screens = screen.getAllDisplays().map((display) => display.workArea);
  return saved !== undefined && isOnScreen(saved, screens) ? saved : SIZE;
}

function rememberState(window: BrowserWindow, state: ShellStateStore): void {
  const remember = () => {
    state.update({ bounds: window.getNormalBounds(), maximized: window.isMaximized() });
  };
  let pending: NodeJS.Timeout | undefined;
  const soon = () => {
    clearTimeout(pending);
    pending = setTimeout(() => {
      if (!window.isDestroyed()) remember();
    }, 500);
  };
  window.on('resize', soon);
  window.on('move', soon);
  window.on('close', () => {
    clearTimeout(pending);
    remember();
  });
}

/** Opens the workbench. The document does not wait for the services. */
export function openWindow(state: ShellStateStore, home: string): BrowserWindow {
  const window = new BrowserWindow({
    ...restoredBounds(state),
    minWidth: 800,
    minHeight: 560,
    show: false,
    title: 'Specwright',
    // Elsewhere the program itself has it; on Linux only what a package installs would.
    ...(process.platform === 'linux' ? { icon: WINDOW_ICON } : {}),
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#16181d' : '#ffffff',
    webPreferences: {
      preload: path.join(import.meta.dirname, '../preload/index.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false,
    },
  });
  if (state.value.maximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  rememberState(window, state);
  void window.loadURL(`${home}/`);
  return window;
}

/** Where the window's document comes from: the built files, or the development server. */
export function windowHome(): string {
  const development = process.env['ELECTRON_RENDERER_URL'];
  return development !== undefined && !app.isPackaged ? new URL(development).origin : WINDOW_ORIGIN;
}
