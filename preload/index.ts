import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { type DesktopApi, EVENT, REQUEST, type Unsubscribe } from './desktop-api.ts';

function subscribe<T>(channel: string, listener: (value: T) => void): Unsubscribe {
  const forward = (_event: unknown, value: T) => listener(value);
  ipcRenderer.on(channel, forward);
  return () => {
    ipcRenderer.off(channel, forward);
  };
}

/** Subscribes and tells the shell that what was opened earlier can be delivered. */
function subscribeToOpened<T>(
  channel: string,
  kind: 'files' | 'folders' | 'links' | 'incidents',
  listener: (value: T) => void,
): Unsubscribe {
  const unsubscribe = subscribe(channel, listener);
  void ipcRenderer.invoke(REQUEST.listening, kind);
  return unsubscribe;
}

const api: DesktopApi = {
  services: () => ipcRenderer.invoke(REQUEST.services),
  onServicesState: (listener) => subscribe(EVENT.servicesState, listener),
  restartServices: () => ipcRenderer.invoke(REQUEST.restartServices),
  openImportFiles: () => ipcRenderer.invoke(REQUEST.openImportFiles),
  openFolder: () => ipcRenderer.invoke(REQUEST.openFolder),
  openDroppedFolder: async (folder) => {
    // The page never names a path: this one is of what the person dropped.
    const path = webUtils.getPathForFile(folder);
    return path === '' ? null : ipcRenderer.invoke(REQUEST.openDroppedFolder, path);
  },
  showFolder: (folder) => ipcRenderer.invoke(REQUEST.showFolder, folder),
  saveTextFile: (name, text) => ipcRenderer.invoke(REQUEST.saveTextFile, name, text),
  saveBinaryFile: (name, content) => ipcRenderer.invoke(REQUEST.saveBinaryFile, name, content),
  offerAddress: (address) => ipcRenderer.invoke(REQUEST.offerAddress, address),
  onOpenFiles: (listener) => subscribeToOpened(EVENT.openFiles, 'files', listener),
  onOpenFolder: (listener) => subscribeToOpened(EVENT.openFolder, 'folders', listener),
  onOpenLink: (listener) => subscribeToOpened(EVENT.openLink, 'links', listener),
  onCommand: (listener) => subscribe(EVENT.command, listener),
  setCommands: (ids) => ipcRenderer.invoke(REQUEST.setCommands, ids),
  setRecent: (projects) => ipcRenderer.invoke(REQUEST.setRecent, projects),
  setTheme: (preference) => ipcRenderer.invoke(REQUEST.setTheme, preference),
  setLanguage: (language) => ipcRenderer.invoke(REQUEST.setLanguage, language),
  setShortcuts: (changed) => ipcRenderer.invoke(REQUEST.setShortcuts, changed),
  zoom: () => ipcRenderer.invoke(REQUEST.zoom),
  onZoom: (listener) => subscribe(EVENT.zoom, listener),
  setZoom: (change) => ipcRenderer.invoke(REQUEST.setZoom, change),
  tray: () => ipcRenderer.invoke(REQUEST.tray),
  setTray: (shown) => ipcRenderer.invoke(REQUEST.setTray, shown),
  newWindow: () => ipcRenderer.invoke(REQUEST.newWindow),
  onWindows: (listener) => subscribe(EVENT.windows, listener),
  onWoke: (listener) => subscribe(EVENT.woke, listener),
  onIncident: (listener) => subscribeToOpened(EVENT.incident, 'incidents', listener),
  tryAgain: () => ipcRenderer.invoke(REQUEST.tryAgain),
  restart: (mode) => ipcRenderer.invoke(REQUEST.restart, mode),
  windowFacts: () => ipcRenderer.invoke(REQUEST.windowFacts),
  setConnection: (id) => ipcRenderer.invoke(REQUEST.setConnection, id),
  holdClose: (unsent) => ipcRenderer.invoke(REQUEST.holdClose, unsent),
  onClosing: (listener) => subscribe(EVENT.closing, listener),
  updates: () => ipcRenderer.invoke(REQUEST.updates),
  onUpdates: (listener) => subscribe(EVENT.updates, listener),
  update: (action) => ipcRenderer.invoke(REQUEST.update, action),
  chooseUpdates: (choices) => ipcRenderer.invoke(REQUEST.chooseUpdates, choices),
  storeCopies: () => ipcRenderer.invoke(REQUEST.storeCopies),
  removeStoreCopies: () => ipcRenderer.invoke(REQUEST.removeStoreCopies),
  goBack: () => ipcRenderer.invoke(REQUEST.goBack),
  appInfo: () => ipcRenderer.invoke(REQUEST.appInfo),
  appMetrics: () => ipcRenderer.invoke(REQUEST.appMetrics),
  logs: (request) => ipcRenderer.invoke(REQUEST.logs, request),
  diagnostics: () => ipcRenderer.invoke(REQUEST.diagnostics),
  saveDiagnostics: (names) => ipcRenderer.invoke(REQUEST.saveDiagnostics, names),
  showLogs: () => ipcRenderer.invoke(REQUEST.showLogs),
};

contextBridge.exposeInMainWorld('specwright', api);
