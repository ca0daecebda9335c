import { randomBytes, randomUUID } from 'node:crypto';
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
import { createOpenRequests, type OpenRequests } from './open-requests.ts';
import { dataFolder, RENDERER_FOLDER, SERVICES_ENTRY } from './paths.ts';
import { findNode, launchServices, type ServiceProcessEvents } from './service-process.ts';
import { ServiceSupervisor } from './service-supervisor.ts';
import { openShellState, type ShellStateStore } from './shell-state.ts';
import { openUpdateDesk, type UpdateDesk } from './updates/update-desk.ts';
import { lockNavigation, lockSession, makeWindow, windowHome } from './window.ts';
import { linkOfProject, projectOfLink } from './window-record.ts';
import { WindowSet } from './window-set.ts';

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
    onState(state) {
      onServicesState(state);
      updates.servicesChanged(state);
    },
    onGatewayMoved: () => {
      for (const window of BrowserWindow.getAllWindows()) window.webContents.reload();
    },
  });
  const updates = await openUpdateDesk({
    node: findNode({ appFolder: app.getAppPath(), resourcesFolder: process.resourcesPath }),
    entry: SERVICES_ENTRY,
    dataFolder: data,
    stopServices: () => supervisor.stop(),
    startServices: () => supervisor.startAfterAll(),
    words: process.argv.slice(1),
    log: (text) => log.write(text),
    onState: (updated) => broadcast(EVENT.updates, updated),
  });
  supervisor.start();
  const farewell = createFarewell<BrowserWindow>((window) =>
    window.webContents.send(EVENT.closing),
  );
  const windows = new WindowSet({
    home,
    state,
    newId: randomUUID,
    make: (record, beside) => makeWindow(record, home, beside),
    follow: (window) => follow(window),
    onChange: () => undefined,
  });
  const openRequests = createOpenRequests((address) => windowFor(windows, address));
  openRequests.add(given);
  const follow = (window: BrowserWindow) => {
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
      openRequests.detach(window);
      farewell.setUnsent(window, false);
    });
    window.webContents.on('render-process-gone', (_event, details) => {
      farewell.setUnsent(window, false);
      log.write(`The window's process ended: ${details.reason}\n`);
      if (details.reason !== 'clean-exit' && !window.isDestroyed()) window.webContents.reload();
    });
    window.once('closed', () => openRequests.detach(window));
  };

  await app.whenReady();
  mark('app_ready');
  nativeTheme.themeSource = state.value.theme;
  lockSession(home);
  serveRenderer(RENDERER_FOLDER, () => supervisor.gateway.url);
  const parts = { home, supervisor, state, openRequests, farewell, windows, marks };
  installIpc({ ...parts, updates, dataFolder: data, logFile });
  installMenu({
    newWindow: () => void windows.open(),
    restartServices: () => supervisor.restart(),
  });
  windows.restore(state.value.running ? 'crash' : 'quit');
  state.update({ running: true });
  followSystem(windows, openRequests, async (folder) => {
    const { project_id, problem } = await supervisor.openFolder(folder);
    if (project_id !== null) openRequests.add({ files: [], links: [linkOfProject(project_id)] });
    else if (problem !== null) dialog.showErrorBox('The folder was not opened', problem);
  });
  stopBeforeQuit({ supervisor, farewell, windows, state, updates });
}

/** An address goes where its project is shown, all else to the window that was used last. */
function windowFor(windows: WindowSet, address: string | undefined): BrowserWindow | undefined {
  const project = address === undefined ? null : projectOfLink(address);
  return (project === null ? undefined : windows.showing(project)) ?? windows.latest;
}

/** The words of the other start as they were given; the runtime's own list has them in another order. */
function handedWords(handed: unknown): readonly string[] {
  if (typeof handed !== 'object' || handed === null || !('words' in handed)) return [];
  const { words } = handed;
  return Array.isArray(words) ? words.filter((word) => typeof word === 'string') : [];
}

/** What the system hands over while the program runs. */
function followSystem(
  windows: WindowSet,
  openRequests: OpenRequests,
  openFolder: (folder: string) => Promise<void>,
): void {
  app.on('activate', () => {
    if (windows.all.length === 0) windows.restore('quit');
  });
  app.on('second-instance', (_event, _sorted, folder, handed) => {
    const given = readLaunchArguments(handedWords(handed), folder);
    if (windows.latest === undefined) windows.restore('quit');
    openRequests.add(given);
    if (given.project !== undefined) void openFolder(given.project);
    const goal = windowFor(windows, given.links.at(-1));
    if (goal !== undefined) windows.show(goal);
  });
  app.on('open-file', (event, file) => {
    event.preventDefault();
    openRequests.add({ files: [file], links: [] });
  });
  app.on('open-url', (event, address) => {
    event.preventDefault();
    openRequests.add({ files: [], links: readLaunchArguments([address], '/').links });
  });
}

interface Ending {
  readonly supervisor: ServiceSupervisor;
  readonly farewell: Farewell<BrowserWindow>;
  readonly windows: WindowSet;
  readonly state: ShellStateStore;
  readonly updates: UpdateDesk;
}

async function endAll({ supervisor, farewell, windows, state, updates }: Ending): Promise<void> {
  // What the windows still send needs the services.
  await Promise.all(windows.all.map((window) => farewell.settle(window)));
  await supervisor.stop();
  state.update({ running: false });
  await state.settled();
  await updates.beforeExit();
}

function stopBeforeQuit(ending: Ending): void {
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
    if (process.platform !== 'darwin') app.quit();
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => app.quit());
}

registerAppScheme();
// Enabling the sandbox by code would cancel the switch that the super-user needs.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
if (app.requestSingleInstanceLock({ words: process.argv.slice(1) })) {
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
