import type {
  UpdateAfter,
  UpdateChoices,
  UpdatePhase,
  UpdateState,
} from '../../preload/desktop-api.ts';
import { t } from '../../preload/texts/t.ts';
import { checkFeeds, feedsOf, type UpdateSource } from './check-feeds.ts';
import { downloadPackage, forgetOthers } from './download.ts';
import type { Feed, FeedFile } from './feed.ts';
import type { Fetch } from './http.ts';
import type { Installer } from './installer.ts';
import { UpdateProblem } from './refusal.ts';
import type { StoresPort } from './store-copies.ts';
import type { UpdateRecordFile } from './update-record.ts';

export interface UpdaterDeps {
  readonly version: string;
  readonly platform: string;
  readonly arch: string;
  /** Undefined where this program does not update itself; `whyNot` says why. */
  readonly means: { readonly source: UpdateSource; readonly installer: Installer } | undefined;
  readonly whyNot: string | null;
  readonly fetch: Fetch;
  readonly record: UpdateRecordFile;
  /** Where downloads are kept. */
  readonly folder: string;
  readonly stores: StoresPort;
  /** Milliseconds since the epoch. */
  now(): number;
  log(text: string): void;
  onState(state: UpdateState): void;
}

/** What was found, with the package of this program's form. */
interface Offer {
  readonly feed: Feed;
  readonly file: FeedFile;
}

/** Pieces of a download come faster than a window draws. */
const TELL_EVERY_MS = 200;
const DAY_MS = 86_400_000;

/** Looks for updates, brings them here and puts them in place: one thing at a time, never by itself unless asked to. */
export class Updater {
  readonly #deps: UpdaterDeps;
  #phase: UpdatePhase;
  #offer: Offer | undefined;
  #package: string | undefined;
  #received = 0;
  #told = 0;
  #problem: UpdateProblem | undefined;
  #after: UpdateAfter | null = null;
  #work: AbortController | undefined;

  constructor(deps: UpdaterDeps) {
    this.#deps = deps;
    this.#phase = deps.means === undefined ? 'off' : 'idle';
  }

  get state(): UpdateState {
    const { record, version, whyNot, means } = this.#deps;
    const offer = this.#offer;
    return {
      phase: this.#phase,
      why_not: this.#phase === 'off' ? whyNot : null,
      version,
      channel: record.value.channel,
      automatic: record.value.automatic,
      on_quit: record.value.onQuit,
      checked_at: record.value.checkedAt ?? null,
      offer:
        offer === undefined
          ? null
          : {
              version: offer.feed.version,
              notes: offer.feed.notes,
              released_at: offer.feed.releasedAt,
              bytes: offer.file.bytes,
            },
      received: this.#received,
      asks_password: means?.installer.asksPassword ?? false,
      problem:
        this.#problem === undefined
          ? null
          : { code: this.#problem.code, message: this.#problem.message },
      after: this.#after,
    };
  }

  /** True when ending the program is to install what is ready. */
  get installsOnQuit(): boolean {
    return this.#phase === 'ready' && this.#deps.record.value.onQuit;
  }

  /** Notes a start: whether it is the first of a new version, and how it goes. */
  async started(): Promise<void> {
    const { record, version, means, log } = this.#deps;
    const { pending } = record.value;
    if (pending === undefined) return;
    if (pending.to !== version) {
      // It was not installed, or somebody went back.
      this.#remember({ pending: undefined });
      return;
    }
    const starts = pending.starts + 1;
    this.#remember({ pending: { ...pending, starts } });
    const kept = (await means?.installer.keeps(pending.from)) ?? false;
    const failed = starts > 1;
    if (failed) log(`Start ${starts} after the update to ${version}`);
    this.#after = {
      from: pending.from,
      to: version,
      outcome: failed ? 'bad' : 'trying',
      problem: failed ? t('The start before this one did not get as far as this window.') : null,
      program_kept: kept,
    };
    this.#tell();
  }

  /** The services answer and the window is there: the update is good. */
  async provedGood(): Promise<void> {
    const { means, record, folder } = this.#deps;
    const { pending } = record.value;
    if (this.#after === null || pending === undefined) return;
    this.#after = { ...this.#after, outcome: 'good', problem: null };
    this.#remember({ pending: undefined, before: pending.from });
    this.#tell();
    await means?.installer.tidy([pending.from, pending.to]);
    await forgetOthers(folder, []);
  }

  /** The services of the new version do not start. */
  provedBad(problem: string): void {
    if (this.#after === null || this.#after.outcome === 'good') return;
    this.#after = { ...this.#after, outcome: 'bad', problem };
    this.#tell();
  }

  choose({ channel, automatic, on_quit: onQuit }: UpdateChoices): void {
    const other = channel !== undefined && channel !== this.#deps.record.value.channel;
    this.#remember({
      ...(channel === undefined ? {} : { channel }),
      ...(automatic === undefined ? {} : { automatic }),
      ...(onQuit === undefined ? {} : { onQuit }),
    });
    if (other && !this.#isBusy()) this.#forget();
    this.#tell();
  }

  /** Asks when a person wants it to be asked by itself, once a day. */
  async checkIfDue(): Promise<void> {
    const { record, now } = this.#deps;
    const { automatic, checkedAt } = record.value;
    const last = checkedAt === undefined ? 0 : Date.parse(checkedAt);
    if (!automatic || now() - last < DAY_MS) return;
    if (this.#phase === 'idle' || this.#phase === 'failed') await this.check();
  }

  /** Looks for a newer version. */
  async check(): Promise<void> {
    const { means, record, fetch, version, platform, arch, now } = this.#deps;
    if (means === undefined || this.#isBusy() || this.#phase === 'ready') return;
    this.#forget();
    await this.#doing('checking', async (signal) => {
      const { channel, seen } = record.value;
      const names = feedsOf(channel, platform, arch);
      const look = { fetch, source: means.source, signal };
      const found = await checkFeeds(look, names, { current: version, channel, seen });
      const checkedAt = new Date(now()).toISOString();
      this.#remember({ checkedAt, seen: { ...seen, ...found.seen } });
      if (found.feed === undefined) return 'idle';
      const file = found.feed.files.find(({ name }) => name.endsWith(means.installer.ending));
      if (file === undefined) {
        throw new UpdateProblem(
          'no_feed',
          t('Version {version} is there, but not as a package of the form that this program has.', {
            version: found.feed.version,
          }),
        );
      }
      this.#offer = { feed: found.feed, file };
      return 'available';
    });
  }

  /** Brings the offered package here, or goes on with it, and makes it ready. */
  async download(): Promise<void> {
    const { means, fetch, folder } = this.#deps;
    const offer = this.#offer;
    if (means === undefined || offer === undefined || this.#isBusy() || this.#phase === 'ready') {
      return;
    }
    await this.#doing('downloading', async (signal) => {
      const file = await downloadPackage({
        fetch,
        address: new URL(offer.file.name, means.source.folder),
        file: offer.file,
        folder,
        signal,
        onProgress: (received) => this.#progress(received),
      });
      this.#phase = 'preparing';
      this.#tell();
      await means.installer.prepare(file, offer.feed.version);
      this.#package = file;
      return 'ready';
    });
  }

  /** Stops a download; what is here of it stays. */
  pause(): void {
    if (this.#phase === 'downloading') this.#work?.abort(new Error('paused'));
  }

  /** Takes away what was said of a wrong or failed update, and of one that proved good. */
  dismiss(): void {
    if (this.#phase === 'refused' || this.#phase === 'failed') this.#forget();
    if (this.#after?.outcome === 'good') this.#after = null;
    this.#tell();
  }

  /**
   * Puts what is ready in place; the services have ended. Answers the program to start afterwards.
   * Never rejects: what fails is said at the next look, and the program stays as it is.
   */
  async install(restart: boolean): Promise<string | undefined> {
    const { means, version } = this.#deps;
    const offer = this.#offer;
    const file = this.#package;
    if (means === undefined || offer === undefined || file === undefined) return undefined;
    if (this.#phase !== 'ready') return undefined;
    this.#phase = 'installing';
    this.#tell();
    const to = offer.feed.version;
    try {
      // Noted first: a start of the new version always finds where it came from.
      this.#deps.record.update({ pending: { from: version, to, starts: 0 } });
      await means.installer.install(file, to, restart);
      return means.installer.program;
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  /**
   * Puts the stores and the program of the version before back, while no service runs. Answers the
   * program to start; undefined where only the stores could be put back.
   * @throws UpdateProblem `not_gone_back`
   */
  async goBack(): Promise<string | undefined> {
    const { means, record, stores } = this.#deps;
    const version = this.#after?.from ?? record.value.before ?? (await stores.list()).earlier;
    if (version === null) {
      throw new UpdateProblem('not_gone_back', t('No version before this one is known here.'));
    }
    await stores.goBack(version);
    if (means === undefined || !(await means.installer.keeps(version))) return undefined;
    await means.installer.goBack(version);
    this.#remember({ pending: undefined, before: undefined });
    return means.installer.program;
  }

  #isBusy(): boolean {
    return ['checking', 'downloading', 'preparing', 'installing'].includes(this.#phase);
  }

  #dropOffer(): void {
    this.#offer = undefined;
    this.#package = undefined;
    this.#received = 0;
  }

  #forget(): void {
    this.#dropOffer();
    this.#problem = undefined;
    if (this.#phase !== 'off') this.#phase = 'idle';
  }

  async #doing(
    phase: UpdatePhase,
    work: (signal: AbortSignal) => Promise<UpdatePhase>,
  ): Promise<void> {
    this.#work = new AbortController();
    const { signal } = this.#work;
    this.#phase = phase;
    this.#problem = undefined;
    this.#tell();
    try {
      this.#phase = await work(signal);
    } catch (error) {
      if (signal.aborted) this.#phase = 'paused';
      else this.#fail(error);
    }
    this.#tell();
  }

  #fail(error: unknown): void {
    const problem =
      error instanceof UpdateProblem
        ? error
        : new UpdateProblem(
            'not_installed',
            t('The update failed. The log of the window says more.'),
            error,
          );
    this.#deps.log(`Update: ${problem.code}: ${String(problem.cause ?? problem.message)}`);
    this.#problem = problem;
    this.#phase = problem.isRefusal ? 'refused' : 'failed';
    if (problem.isRefusal) this.#dropOffer();
  }

  #progress(received: number): void {
    this.#received = received;
    const now = this.#deps.now();
    if (Math.abs(now - this.#told) < TELL_EVERY_MS) return;
    this.#told = now;
    this.#tell();
  }

  /** What cannot be written is asked for again at the next start; the update goes on. */
  #remember(part: Parameters<UpdateRecordFile['update']>[0]): void {
    try {
      this.#deps.record.update(part);
    } catch (error) {
      this.#deps.log(`The updates' choices cannot be saved: ${String(error)}`);
    }
  }

  #tell(): void {
    this.#deps.onState(this.state);
  }
}
