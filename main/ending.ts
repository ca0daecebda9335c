import { app, type BrowserWindow } from 'electron';
import type { Farewell } from './farewell.ts';
import type { ProgramTray } from './program-tray.ts';
import type { ServiceSupervisor } from './service-supervisor.ts';
import type { ShellStateStore } from './shell-state.ts';
import type { UpdateDesk } from './updates/update-desk.ts';
import type { WindowSet } from './window-set.ts';

interface Ending {
  readonly supervisor: ServiceSupervisor;
  readonly farewell: Farewell<BrowserWindow>;
  readonly windows: WindowSet;
  readonly state: ShellStateStore;
  readonly updates: UpdateDesk;
  readonly tray: ProgramTray;
}

async function endAll({ supervisor, farewell, windows, state, updates }: Ending): Promise<void> {
  // What the windows still send needs the services.
  await Promise.all(windows.all.map((window) => farewell.settle(window)));
  await supervisor.stop();
  state.update({ running: false, crashes: 0 });
  await state.settled();
  await updates.beforeExit();
}

/** Ends the services and writes what is kept before the program quits, however it is asked to. */
export function stopBeforeQuit(ending: Ending): void {
  let done = false;
  app.on('before-quit', (event) => {
    if (done) return;
    event.preventDefault();
    ending.windows.end();
    void endAll(ending).finally(() => {
      done = true;
      app.quit();
    });
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin' && !ending.tray.isShown) app.quit();
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => app.quit());
}
