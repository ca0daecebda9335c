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

/** The native menu. Command ids are those of `renderer/app/commands.ts`. */
export function installMenu(restartServices: () => void): void {
  const file: MenuItemConstructorOptions = {
    label: 'File',
    submenu: [
      command('import.open', 'Import a workflow…', 'CmdOrCtrl+O'),
      command('editor.save', 'Save', 'CmdOrCtrl+S'),
      separator,
      process.platform === 'darwin' ? { role: 'close' } : { role: 'quit' },
    ],
  };
  const view: MenuItemConstructorOptions = {
    label: 'View',
    submenu: [
      command('palette.open', 'Command palette…', 'CmdOrCtrl+K'),
      separator,
      command('place.author', 'Author', 'CmdOrCtrl+1'),
      command('place.runs', 'Runs', 'CmdOrCtrl+2'),
      command('place.tasks', 'Tasks', 'CmdOrCtrl+3'),
      separator,
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { role: 'togglefullscreen' },
      ...(app.isPackaged ? [] : [separator, { role: 'toggleDevTools' as const }]),
    ],
  };
  const services: MenuItemConstructorOptions = {
    label: 'Services',
    submenu: [{ label: 'Restart services', click: restartServices }],
  };
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...applicationMenu(),
      file,
      { role: 'editMenu' },
      view,
      services,
      { role: 'windowMenu' },
    ]),
  );
}
