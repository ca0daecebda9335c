import { readFileSync } from 'node:fs';
import path from 'node:path';
import { app, net } from 'electron';
import type {
  ServicesState,
  StoreCopies,
  UpdateAction,
  UpdateChoices,
  UpdateState,
} from '../../preload/desktop-api.ts';
import { t } from '../../preload/texts/t.ts';
import { chooseMeans } from './choose-installer.ts';
import { UpdateProblem } from './refusal.ts';
import { createStoresPort } from './store-copies.ts';
import { openUpdateRecord } from './update-record.ts';
import { Updater } from './updater.ts';

/** What the shell gives the updates, and asks them. */
export interface UpdateDeskDeps {
  readonly node: string;
  readonly entry: string;
  readonly dataFolder: string;
  readonly stopServices: () => Promise<void>;
  readonly startServices: () => void;
  /** Words that the program was started with, for the next start. */
  readonly words: readonly string[];
  log(text: string): void;
  onState(state: UpdateState): void;
}

export interface UpdateDesk {
  /** The window is there and asks. */
  state(): UpdateState;
  act(action: UpdateAction): void;
  choose(choices: UpdateChoices): void;
  copies(): Promise<StoreCopies>;
  removeCopies(): Promise<StoreCopies>;
  /** Ends the program when it went back; else says why it did not. */
  goBack(): Promise<string>;
  /** The services changed: those of a new version prove it. */
  servicesChanged(state: ServicesState): void;
  /** The services have ended and the program is about to. */
  beforeExit(): Promise<void>;
}

const FIRST_LOOK_MS = 30_000;
const LOOK_EVERY_MS = 3_600_000;
/** A file or an address was opened then; opening it again is not asked for. */
const OPENED = /\.(?:json|ya?ml|zip)$|^specwright:/i;

function manifest(): unknown {
  return JSON.parse(readFileSync(path.join(app.getAppPath(), 'package.json'), 'utf8'));
}

/** Updates of this program, from start to end. */
export async function openUpdateDesk(deps: UpdateDeskDeps): Promise<UpdateDesk> {
  const { log } = deps;
  const folder = path.join(app.getPath('userData'), 'updates');
  const version = app.getVersion();
  const { source, installer, whyNot } = await chooseMeans({
    packaged: app.isPackaged,
    platform: process.platform,
    version,
    executable: process.execPath,
    resourcesFolder: process.resourcesPath,
    appImage: process.env['APPIMAGE'],
    manifest: manifest(),
  });
  const stores = createStoresPort(deps);
  const updater = new Updater({
    version,
    platform: process.platform,
    arch: process.arch,
    means: source === undefined ? undefined : { source, installer },
    whyNot,
    fetch: (address, init) => net.fetch(address, init),
    record: openUpdateRecord(path.join(app.getPath('userData'), 'updates.json')),
    folder: path.join(folder, 'downloads'),
    stores,
    now: () => Date.now(),
    log,
    onState: deps.onState,
  });
  await updater.started();
  let isSeen = false;
  let areReady = false;
  let restarts = false;
  let isGoingBack = false;
  const settle = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => log(`Updates: ${String(error)}`));
  };
  const prove = (): void => {
    if (isSeen && areReady) settle(updater.provedGood());
  };
  const startAgain = (program: string | undefined): void => {
    const args = deps.words.filter((word) => !OPENED.test(word));
    app.relaunch({ args, ...(program === undefined ? {} : { execPath: program }) });
  };
  const look = (): void => settle(updater.checkIfDue());
  setTimeout(look, FIRST_LOOK_MS);
  setInterval(look, LOOK_EVERY_MS);

  const ACTIONS: Readonly<Record<UpdateAction, () => void>> = {
    check: () => settle(updater.check()),
    download: () => settle(updater.download()),
    pause: () => updater.pause(),
    dismiss: () => updater.dismiss(),
    restart() {
      if (updater.state.phase !== 'ready') return;
      restarts = true;
      app.quit();
    },
  };
  return {
    state() {
      isSeen = true;
      prove();
      return updater.state;
    },
    act: (action) => ACTIONS[action](),
    choose: (choices) => updater.choose(choices),
    copies: () => stores.list(),
    async removeCopies() {
      try {
        await stores.remove();
      } catch (error) {
        return { ...(await stores.list()), problem: String(error) };
      }
      return stores.list();
    },
    async goBack() {
      await deps.stopServices();
      let program: string | undefined;
      try {
        program = await updater.goBack();
      } catch (error) {
        deps.startServices();
        if (error instanceof UpdateProblem) return error.message;
        throw error;
      }
      // Without a kept program the person installs one: this one would bring the stores up to date.
      if (program !== undefined) startAgain(program);
      isGoingBack = true;
      app.quit();
      return '';
    },
    servicesChanged({ phase, problem }) {
      areReady = phase === 'ready';
      if (areReady) prove();
      else if (phase === 'crashed') updater.provedBad(problem ?? t('The services did not start.'));
    },
    async beforeExit() {
      if (isGoingBack || !(restarts || updater.installsOnQuit)) return;
      const program = await updater.install(restarts);
      if (restarts && (program !== undefined || updater.state.phase !== 'installing')) {
        startAgain(program);
      }
    },
  };
}
