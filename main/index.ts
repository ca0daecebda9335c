import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { app, BrowserWindow, dialog, nativeTheme, powerMonitor, session } from 'electron';
import { EVENT, type GatewayAccess, type ServicesState } from '../preload/desktop-api.ts';
import { t } from '../preload/texts/t.ts';
import { SHELL_ENV } from '../server/host/protocol.ts';
import { registerAppScheme, serveRenderer } from './app-protocol.ts';
import { beginWindows } from './beginning.ts';
import { stopBeforeQuit } from './ending.ts';
import { createFarewell } from './farewell.ts';
import { followWindow } from './follow-window.ts';
import { freePort } from './free-port.ts';
import { createIncidents } from './incidents.ts';
import { installIpc } from './ipc.ts';
import { isFolder, type LaunchArguments, readLaunchArguments } from './launch-arguments.ts';
import { createLogFile } from './log-file.ts';
import { installNativeMenu } from './native-menu.ts';
import { createOpenRequests, type OpenRequests } from './open-requests.ts';
import { createOpenedFolders, type OpenedFolders } from './opened-folders.ts';
import { dataFolder, RENDERER_FOLDER, SERVICES_ENTRY } from './paths.ts';
import { profileFault } from './profile-fault.ts';
import { createProgramTray } from './program-tray.ts';
import { findNode, launchServices, type ServiceProcessEvents } from './service-process.ts';
import { ServiceSupervisor } from './service-supervisor.ts';
import { openShellState, passingShellState } from './shell-state.ts';
import { speakInShell } from './speak.ts';
import { openUpdateDesk } from './updates/update-desk.ts';
import { lockNavigation, lockSession, makeWindow, windowHome } from './window.ts';
import { linkOfProject, projectOfLink } from './window-record.ts';
import { WindowSet } from './window-set.ts';
import { createZoom, type Zoom } from './zoom.ts';

const marks: Record<string, number> = {};
const mark = (name: string) => {
  marks[name] ??= Math.round(Date.now() - performance.timeOrigin);
};

function serviceArguments(data: string, port: number, given: LaunchArguments): string[] {
  const ports = ['platform', 'dashboard', 'studio'].flatMap((name) => [`--${name}-port`, '0']);
  return [
    ...['serve', '--data', data, '--host', '127.0.0.1', '--gateway-port', String(port), ...ports],
    ...(given.project === undefined ? [] : ['--project', given.project]),
    ...(given.trust && !given.safe ? ['--trust'] : []),
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
  const log = createLogFile(logFile, () => new Date());
  const stateFile = path.join(app.getPath('userData'), 'window.json');
  const state = given.safe
    ? passingShellState()
    : openShellState(stateFile, (text) => log.note('warn', text));
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
          ...(given.safe ? { [SHELL_ENV.safe]: '1' } : {}),
        },
        appFolder: app.getAppPath(),
        resourcesFolder: process.resourcesPath,
      },
      events,
    );
  const incidents = createIncidents(() => windows.latest);
  const supervisor = await ServiceSupervisor.create({
    token: randomBytes(32).toString('base64url'),
    log,
    now: () => performance.now(),
    freePort,
    launch,
    resolveProxy: (url) => app.whenReady().then(() => session.defaultSession.resolveProxy(url)),
    onState(state) {
      onServicesState(state);
      updates.servicesChanged(state);
      openedFolders.servicesChanged(state);
    },
    onRecovered: (problem) => {
      const message = t('The services ended unexpectedly and run again. {problem}', { problem });
      incidents.add({ of: 'services', message });
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
    log: (text) => log.note('info', text),
    onState: (updated) => broadcast(EVENT.updates, updated),
  });
  const openRequests = createOpenRequests((address) => windowFor(windows, address));
  const openedFolders = createOpenedFolders(
    (folder) => supervisor.openFolder(folder),
    openRequests.tell,
  );
  supervisor.start();
  const farewell = createFarewell<BrowserWindow>((window) =>
    window.webContents.send(EVENT.closing),
  );
  const now = () => performance.now();
  const giveUp = (window: BrowserWindow) => windows.giveUp(window, 'window');
  const onShown = () => mark('window_shown');
  const followed = { farewell, openRequests, incidents, log, now, onShown, giveUp };
  const zoom: Zoom = createZoom(
    state,
    () => windows.all,
    (percent) => broadcast(EVENT.zoom, percent),
  );
  const windows: WindowSet = new WindowSet({
    home,
    safe: given.safe,
    state,
    newId: randomUUID,
    make: (record, beside) => makeWindow(record, home, beside, given.safe),
    follow: (window) => {
      followWindow(window, followed);
      zoom.follow(window);
    },
    onChange: () => broadcast(EVENT.windows, windows.ids),
  });
  openRequests.add(given);
  openedFolders.add(given.folders);

  await app.whenReady();
  mark('app_ready');
  nativeTheme.themeSource = state.value.theme;
  await speakInShell(state.value.language);
  lockSession(home);
  serveRenderer(RENDERER_FOLDER, () => supervisor.gateway.url);
  const parts = { home, supervisor, state, openRequests, farewell, windows, marks };
  const { safe } = given;
  const own = { incidents, safe, zoom, restart: startAgain };
  const openProject = (id: string) =>
    openInWindow(windows, openRequests, { files: [], links: [linkOfProject(id)] });
  const menu = installNativeMenu({
    latest: () => windows.latest,
    newWindow: () => void windows.open(),
    restartServices: () => supervisor.restart(),
    zoom: (change) => zoom.set(change),
    openProject,
  });
  const tray = createProgramTray({
    open: () => openInWindow(windows, openRequests, { files: [], links: [] }),
    newWindow: () => void windows.open(),
    openProject,
    quit: () => app.quit(),
  });
  tray.show(state.value.tray);
  installIpc({ ...parts, ...own, updates, menu, tray, dataFolder: data, logFile, log });
  beginWindows(windows, state, incidents);
  followSystem(windows, openRequests, openedFolders);
  powerMonitor.on('resume', () => broadcast(EVENT.woke, null));
  stopBeforeQuit({ supervisor, farewell, windows, state, updates, tray });
}

/** Shows files and addresses in the window that they belong to, in front of the others. */
function openInWindow(
  windows: WindowSet,
  openRequests: OpenRequests,
  request: Parameters<OpenRequests['add']>[0],
): void {
  if (windows.latest === undefined) windows.restore('quit');
  openRequests.add(request);
  const goal = windowFor(windows, request.links.at(-1));
  if (goal !== undefined) windows.show(goal);
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
  openedFolders: OpenedFolders,
): void {
  app.on('activate', () => {
    if (windows.all.length === 0) windows.restore('quit');
  });
  app.on('second-instance', (_event, _sorted, folder, handed) => {
    const given = readLaunchArguments(handedWords(handed), folder, app.getAppPath());
    openInWindow(windows, openRequests, given);
    openedFolders.add(given.project === undefined ? given.folders : [given.project]);
  });
  app.on('open-file', (event, file) => {
    event.preventDefault();
    if (isFolder(file)) openedFolders.add([file]);
    else openRequests.add({ files: [file], links: [] });
  });
  app.on('open-url', (event, address) => {
    event.preventDefault();
    const { links } = readLaunchArguments([address], '/', app.getAppPath());
    openRequests.add({ files: [], links });
  });
}

/** Ends the program in order and starts it with the same words, in safe mode or without. */
function startAgain(safe: boolean): void {
  const words = process.argv.slice(1).filter((word) => word !== '--safe');
  app.relaunch({ args: safe ? [...words, '--safe'] : words });
  app.quit();
}

/** Says why there is no start, to whoever looks at a terminal or at the screen. */
async function refuseStart(message: string): Promise<void> {
  process.stderr.write(`specwright: ${message}\n`);
  await app.whenReady();
  dialog.showErrorBox(t('Specwright cannot start'), message);
  app.exit(1);
}

const given = readLaunchArguments(process.argv.slice(1), process.cwd(), app.getAppPath());
registerAppScheme();
// A window at rest collects its garbage (renderer/desktop/rest-memory.ts).
app.commandLine.appendSwitch('js-flags', '--expose-gc');
if (given.safe) app.disableHardwareAcceleration();
// Enabling the sandbox by code would cancel the switch that the super-user needs.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
const fault = profileFault(app.getPath('userData'));
if (fault !== undefined) {
  void refuseStart(fault);
} else if (app.requestSingleInstanceLock({ words: process.argv.slice(1) })) {
  lockNavigation(windowHome());
  if (app.isPackaged) app.setAsDefaultProtocolClient('specwright');
  // Not awaited here: `ready` is held back until this module has been evaluated.
  runShell(given).catch((error: unknown) => {
    dialog.showErrorBox(t('Specwright cannot start'), String(error));
    app.exit(1);
  });
} else {
  app.quit();
}
