import { app, BrowserWindow, Menu, type MenuItemConstructorOptions } from 'electron';
import { EVENT } from '../preload/desktop-api.ts';

/** An item that only tells the workbench; its shortcut is handled there, the menu shows it. */
function command(id: string, label: string, accelerator?: string): MenuItemConstructorOptions {
  return {
    label,
    ...(accelerator === undefined ? {} : { accelerator, registerAccelerator: false }),
    click: (_item, window) => {
      const target = window instanceof BrowserWindow ? window : BrowserWindow.getFocusedWindow();
      target?.webContents.send(EVENT.command, id);
    },
  };
}

const separator: MenuItemConstructorOptions = { type: 'separator' };

function applicationMenu(): MenuItemConstructorOptions[] {
  if (process.platform !== 'darwin') return [];
  return [{ role: 'appMenu' }];
}

/** What the menu does without a window. */
export interface MenuActions {
  readonly newWindow: () => void;
  readonly restartServices: () => void;
}

/** The native menu. Command ids are those of `renderer/app/commands.ts`. */
export function installMenu(actions: MenuActions): void {
  const file: MenuItemConstructorOptions = {
    label: 'File',
    submenu: [
      {
        label: 'New window',
        accelerator: 'CmdOrCtrl+Shift+N',
        // A Mac's menu stays when no window is left to hear the keys.
        registerAccelerator: process.platform === 'darwin',
        click: actions.newWindow,
      },
      separator,
      command('file.import', 'Import a workflow…', 'CmdOrCtrl+O'),
      command('file.import-folder', 'Import a folder…'),
      command('file.new-draft', 'New draft…', 'CmdOrCtrl+Alt+N'),
      command('file.open-folder', 'Open a folder…'),
      command('file.new-project', 'New project…'),
      separator,
      command('draft.save', 'Save', 'CmdOrCtrl+S'),
      separator,
      command('go.settings', 'Settings…', 'CmdOrCtrl+,'),
      separator,
      process.platform === 'darwin' ? { role: 'close' } : { role: 'quit' },
    ],
  };
  const view: MenuItemConstructorOptions = {
    label: 'View',
    submenu: [
      command('palette.open', 'Command palette…', 'CmdOrCtrl+K'),
      separator,
      command('go.author', 'Author', 'CmdOrCtrl+1'),
      command('go.runs', 'Runs', 'CmdOrCtrl+2'),
      command('go.tasks', 'Tasks', 'CmdOrCtrl+3'),
      separator,
      command('view.sidebar', 'Toggle sidebar', 'CmdOrCtrl+B'),
      command('view.panel', 'Toggle bottom panel', 'CmdOrCtrl+J'),
      separator,
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { role: 'togglefullscreen' },
      ...(app.isPackaged ? [] : [separator, { role: 'toggleDevTools' as const }]),
    ],
  };
  const help: MenuItemConstructorOptions = {
    role: 'help',
    label: 'Help',
    submenu: [
      command('app.keys', 'Keyboard shortcuts'),
      separator,
      command('app.logs', 'Logs'),
      { label: 'Restart services', click: actions.restartServices },
    ],
  };
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...applicationMenu(),
      file,
      { role: 'editMenu' },
      view,
      { role: 'windowMenu' },
      help,
    ]),
  );
}
