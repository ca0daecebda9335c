import path from 'node:path';
import { app, BrowserWindow, session as electronSession, nativeTheme, screen } from 'electron';
import { WINDOW_ORIGIN } from './app-protocol.ts';
import { WINDOW_ICON } from './paths.ts';
import { isPermitted } from './permission-rules.ts';
import { addressOf, isOnScreen, type WindowRecord } from './window-record.ts';

const SIZE = { width: 1440, height: 900 };
/** How far a new window lies from the one that it was opened from. */
const OFFSET = 32;

/** Closes what a page could ask of the system: permissions and devices; and what Chromium would fetch by itself. */
export function lockSession(home: string): void {
  const session = electronSession.defaultSession;
  // Its dictionaries would be asked for at a server of Google's at each start, used or not.
  session.setSpellCheckerEnabled(false);
  session.setSpellCheckerLanguages([]);
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

/** Where a window goes: where it was, while that is on a screen, and never just over another one. */
function boundsOf({ bounds }: WindowRecord, beside: BrowserWindow | undefined) {
  const screens = screen.getAllDisplays().map((display) => display.workArea);
  const near = beside?.getNormalBounds();
  const wanted = near === undefined ? bounds : { ...near, x: near.x + OFFSET, y: near.y + OFFSET };
  return wanted !== undefined && isOnScreen(wanted, screens) ? wanted : SIZE;
}

/** Opens the workbench at the place of its record. The document does not wait for the services. */
export function makeWindow(
  record: WindowRecord,
  home: string,
  beside: BrowserWindow | undefined,
  safe: boolean,
): BrowserWindow {
  const window = new BrowserWindow({
    ...boundsOf(record, beside),
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
  if (record.maximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  void window.loadURL(addressOf(record, home, safe));
  return window;
}

/** Where the window's document comes from: the built files, or the development server. */
export function windowHome(): string {
  const development = process.env['ELECTRON_RENDERER_URL'];
  return development !== undefined && !app.isPackaged ? new URL(development).origin : WINDOW_ORIGIN;
}
