import type { BrowserWindow } from 'electron';
import { t } from '../preload/texts/t.ts';
import { type CrashCount, createCrashCount } from './crash-count.ts';
import type { Farewell } from './farewell.ts';
import type { Incidents } from './incidents.ts';
import type { LogFile } from './log-file.ts';
import type { OpenRequests } from './open-requests.ts';

export interface FollowDeps {
  readonly farewell: Farewell<BrowserWindow>;
  readonly openRequests: OpenRequests;
  readonly incidents: Incidents;
  readonly log: LogFile;
  readonly now: () => number;
  readonly onShown: () => void;
  /** The window ended too often to be loaded again. */
  readonly giveUp: (window: BrowserWindow) => void;
}

/** Lets a window send what is left before it closes, and loads it again when its process ends. */
export function followWindow(window: BrowserWindow, deps: FollowDeps): void {
  const { farewell, openRequests, incidents } = deps;
  const crashes = createCrashCount();
  const detach = () => {
    openRequests.detach(window);
    incidents.detach(window);
  };
  window.once('show', deps.onShown);
  window.on('close', (event) => {
    if (!farewell.hasUnsent(window)) return;
    event.preventDefault();
    void farewell.settle(window).then(() => {
      if (!window.isDestroyed()) window.close();
    });
  });
  window.webContents.on('did-start-navigation', (details) => {
    if (!details.isMainFrame || details.isSameDocument) return;
    detach();
    farewell.setUnsent(window, false);
  });
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    detach();
    farewell.setUnsent(window, false);
    deps.log.note('error', `The window's process ended: ${reason}`);
    if (reason !== 'clean-exit' && !window.isDestroyed()) bringBack(window, reason, crashes, deps);
  });
  window.once('closed', detach);
}

function bringBack(
  window: BrowserWindow,
  reason: string,
  crashes: CrashCount,
  { incidents, now, giveUp }: FollowDeps,
): void {
  if (crashes.note(now())) {
    giveUp(window);
    return;
  }
  const message = t(
    'This window ended unexpectedly ({reason}) and was loaded again where it was.',
    { reason },
  );
  incidents.add({ of: 'window', message }, window);
  window.webContents.reload();
}
