import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { app, BrowserWindow, dialog, nativeTheme } from 'electron';
import { EVENT, type GatewayAccess, type ServicesState } from '../preload/desktop-api.ts';
import { SHELL_ENV } from '../server/host/protocol.ts';
import { registerAppScheme, serveRenderer } from './app-protocol.ts';
import { createFarewell, type Farewell } from './farewell.ts';
import { freePort } from './free-port.ts';
import { installIpc } from './ipc.ts';
import { type LaunchArguments, readLaunchArguments } from './launch-arguments.ts';
import { createLogFile } from './log-file.ts';
import { installMenu } from './menu.ts';
import { createOpenRequests } from './open-requests.ts';
import { dataFolder, RENDERER_FOLDER, SERVICES_ENTRY } from './paths.ts';
import { launchServices, type ServiceProcessEvents } from './service-process.ts';
import { ServiceSupervisor } from './service-supervisor.ts';
import { openShellState } from './shell-state.ts';
import { lockNavigation, lockSession, openWindow, windowHome } from './window.ts';

const marks: Record<string, number> = {};
const mark = (name: string) => {
  marks[name] ??= Math.round(Date.now() - performance.timeOrigin);
};

function serviceArguments(data: string, port: number, given: LaunchArguments): string[] {
  const ports = ['platform', 'dashboard', 'studio'].flatMap((name) => [`--${name}-port`, '0']);
  return [
    ...['serve', '--data', data, '--host', '127.0.0.1', '--gateway-port', String(port), ...ports],
    ...(given.project === undefined ? [] : ['--project', given.project]),
    ...(given.trust ? ['--trust'] : []),
  ];
}

function broadcast(channel: string, value: unknown): void {
  for (const window of BrowserWindow.getAllWindows()) window.webContents.send(channel, value);
}

function onServicesState(state: ServicesState): void {
  if (state.phase === 'ready') mark('services_ready');
  broadcast(EVENT.servicesState, state);
}

async function runShell(given: LaunchArguments): Promise<void> {
  const data = dataFolder(given.data);
  const logFile = path.join(data, 'logs', 'shell.log');
  const log = createLogFile(logFile);
  const state = openShellState(path.join(app.getPath('userData'), 'window.json'), (text) =>
    log.write(`${text}\n`),
  );
  const home = windowHome();
  const launch = (gateway: GatewayAccess, port: number, events: ServiceProcessEvents) =>
    launchServices(
      {
        entry: SERVICES_ENTRY,
        args: serviceArguments(data, port, given),
        env: {
          [SHELL_ENV.supervised]: '1',
          [SHELL_ENV.token]: gateway.token,
          [SHELL_ENV.origin]: home,
          [SHELL_ENV.folder]: app.getPath('userData'),
        },
        appFolder: app.getAppPath(),
        resourcesFolder: process.resourcesPath,
      },
      events,
    );
  const supervisor = await ServiceSupervisor.create({
    token: randomBytes(32).toString('base64url'),
    log,
    now: () => performance.now(),
    freePort,
    launch,
    onState: onServicesState,
    onGatewayMoved: () => {
      for (const window of BrowserWindow.getAllWindows()) window.webContents.reload();
    },
  });
  supervisor.start();
  const openRequests = createOpenRequests();
  openRequests.add(given);
  const farewell = createFarewell<BrowserWindow>((window) =>
    window.webContents.send(EVENT.closing),
  );

  await app.whenReady();
  mark('app_ready');
  nativeTheme.themeSource = state.value.theme;
  lockSession(home);
  serveRenderer(RENDERER_FOLDER, () => supervisor.gateway.url);
  installIpc({ home, supervisor, state, openRequests, farewell, marks, dataFolder: data, logFile });
  installMenu(() => supervisor.restart());

  const show = () => {
    const window = openWindow(state, home);
    window.once('show', () => mark('window_shown'));
    window.on('close', (event) => {
      if (!farewell.hasUnsent(window)) return;
      event.preventDefault();
      void farewell.settle(window).then(() => {
        if (!window.isDestroyed()) window.close();
      });
    });
    window.webContents.on('did-start-navigation', (details) => {
      if (!details.isMainFrame || details.isSameDocument) return;
      openRequests.detach();
      farewell.setUnsent(window, false);
    });
    window.webContents.on('render-process-gone', (_event, details) => {
      farewell.setUnsent(window, false);
      log.write(`The window's process ended: ${details.reason}\n`);
      if (details.reason !== 'clean-exit' && !window.isDestroyed()) window.webContents.reload();
    });
  };
  show();

  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) show();
  });
  app.on('second-instance', (_event, words, folder) => {
    openRequests.add(readLaunchArguments(words.slice(1), folder));
    const [window] = BrowserWindow.getAllWindows();
    if (window === undefined) show();
    if (window?.isMinimized()) window.restore();
    window?.focus();
  });
  app.on('open-file', (event, file) => {
    event.preventDefault();
    openRequests.add({ files: [file], links: [] });
  });
  app.on('open-url', (event, address) => {
    event.preventDefault();
    openRequests.add({ files: [], links: readLaunchArguments([address], '/').links });
  });
  stopBeforeQuit(supervisor, farewell);
}

function stopBeforeQuit(supervisor: ServiceSupervisor, farewell: Farewell<BrowserWindow>): void {
  let done = false;
  app.on('before-quit', (event) => {
    if (done) return;
    event.preventDefault();
    const windows = BrowserWindow.getAllWindows();
    // What the windows still send needs the services.
    void Promise.all(windows.map((window) => farewell.settle(window)))
      .then(() => supervisor.stop())
      .finally(() => {
        done = true;
        app.quit();
      });
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => app.quit());
}

registerAppScheme();
// Enabling the sandbox by code would cancel the switch that the super-user needs.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
if (app.requestSingleInstanceLock()) {
  lockNavigation(windowHome());
  if (app.isPackaged) app.setAsDefaultProtocolClient('specwright');
  // Not awaited here: `ready` is held back until this module has been evaluated.
  runShell(readLaunchArguments(process.argv.slice(1), process.cwd())).catch((error: unknown) => {
    dialog.showErrorBox('Specwright cannot start', String(error));
    app.exit(1);
  });
} else {
  app.quit();
}
