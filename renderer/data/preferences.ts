import { z } from 'zod';
import { LANGUAGES } from '../../preload/texts/language.ts';
import { getPreferences, putPreferences } from '../../server/contract/dashboard/settings.ts';
import { isJsonObject, isObject } from '../../server/kernel/json.ts';
import { readJson, writeJson } from '../desktop/local-store.ts';
import { createStore } from '../ui/store.ts';
import { call } from './api-client.ts';
import { toApiError } from './api-error.ts';
import { connectionStore } from './chosen-connection.ts';

/** Pages that the window may open with; `left` is where it was. */
export const START_PLACES = ['left', 'welcome', 'overview', 'runs', 'tasks', 'failures'] as const;

/** Kinds of news that the window tells by itself. */
export const NEWS_KINDS = ['failed', 'blocked', 'task', 'deadline', 'finished'] as const;

/** What is not understood is read as absent; what another client keeps beside it stays. */
const preferences = z.looseObject({
  theme: z.enum(['light', 'dark', 'auto']).optional().catch(undefined),
  contrast: z.enum(['system', 'more']).optional().catch(undefined),
  /** Command → its keys where they are not the usual ones; null = none. */
  shortcuts: z.record(z.string(), z.string().max(40).nullable()).optional().catch(undefined),
  /** Keys that act without Ctrl or Alt; false = none does. */
  single_keys: z.boolean().optional().catch(undefined),
  /** What a single key does → another key for it; null = none. */
  changed_single_keys: z
    .record(z.string(), z.string().max(8).nullable())
    .optional()
    .catch(undefined),
  start: z.enum(START_PLACES).optional().catch(undefined),
  /** `en-XA` is for tests. */
  language: z
    .enum(['system', ...LANGUAGES, 'en-XA'])
    .optional()
    .catch(undefined),
  clock: z.enum(['local', 'utc']).optional().catch(undefined),
  density: z.enum(['comfortable', 'compact']).optional().catch(undefined),
  /** Kinds of news that are not told. */
  muted: z.array(z.enum(NEWS_KINDS)).optional().catch(undefined),
  /** The operating system tells the news too. */
  desktop_news: z.boolean().optional().catch(undefined),
  /** Columns of the run list; null = the usual ones. */
  run_columns: z.array(z.string()).nullable().optional().catch(undefined),
});

export type NewsKind = (typeof NEWS_KINDS)[number];

/** Kinds that are not told before somebody asks for them: most runs finish. */
export const USUALLY_MUTED: readonly NewsKind[] = ['finished'];
export type Preferences = Readonly<z.output<typeof preferences>>;

const KEY = 'preferences';
/** Whose choices the service has not heard of, since it had not answered yet: chooser → choices. */
const UNSENT = 'unsent-preferences';
const TRIES = 4;

/** Preferences out of what is stored; absent where it is none. */
export function readPreferences(stored: unknown): Preferences {
  const read = preferences.safeParse(stored);
  return read.success ? read.data : {};
}

/** What a person prefers. Until the service has answered it is what this window knew last. */
export const preferencesStore = createStore<Preferences>(
  readPreferences(readJson(KEY, isObject, {})),
);

/** True once the service has said what it keeps: before, or without it, choices are this window's. */
let isKept = false;

/** Who chooses in this window; null = nobody that a service knows, undefined = not known yet. */
let chooser: string | null | undefined;
/** What was chosen while nobody knew who chooses. */
let early: Preferences = {};

function unsentChoices(): Preferences {
  const kept: Readonly<Record<string, unknown>> = { ...readJson(UNSENT, isObject, {}) };
  return typeof chooser === 'string' && Object.hasOwn(kept, chooser)
    ? readPreferences(kept[chooser])
    : {};
}

/** Keeps what the chooser's service has to hear; what others chose here stays. */
function keepUnsent(who: string, choices: Preferences): void {
  const others = Object.entries(readJson(UNSENT, isObject, {})).filter(([name]) => name !== who);
  const own = Object.keys(choices).length === 0 ? [] : [[who, choices] as const];
  writeJson(UNSENT, Object.fromEntries([...others, ...own]));
}

/**
 * Says who chooses in this window. A choice that somebody made before anybody was signed in holds in
 * this browser until then, and changes no account: it may have been another person.
 */
export function setChooser(who: string | null | undefined): void {
  if (who === chooser) {
    return;
  }
  isKept = false;
  chooser = who;
  if (typeof who === 'string' && Object.keys(early).length > 0) {
    keepUnsent(who, { ...unsentChoices(), ...early });
  }
  if (who !== undefined) {
    early = {};
  }
}

let isTelling = false;
let writing: Promise<void> = Promise.resolve();

/** Takes over what the service keeps, and tells it what was chosen before it answered. */
export function takePreferences(stored: unknown): void {
  isKept = true;
  const unsent = unsentChoices();
  const taken = { ...readPreferences(stored), ...unsent };
  preferencesStore.set((before) =>
    JSON.stringify(before) === JSON.stringify(taken) ? before : taken,
  );
  writeJson(KEY, taken);
  const who = chooser;
  if (!isTelling && typeof who === 'string' && Object.keys(unsent).length > 0) {
    isTelling = true;
    writing = writing.then(() => tellUnsent(who, unsent));
  }
}

/** What the service does not take now is told again when the window begins the next time. */
async function tellUnsent(who: string, unsent: Preferences): Promise<void> {
  try {
    await store(unsent);
    keepUnsent(who, {});
  } catch {
    // The choice holds in this window all the same, and nobody waits for it here.
  } finally {
    isTelling = false;
  }
}

/** Writes one change over what is stored now, also when another window wrote in between. */
async function store(change: Preferences): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    const held = await call(getPreferences);
    try {
      const chosen = Object.entries({ ...held.preferences, ...change });
      const wanted: unknown = Object.fromEntries(chosen.filter(([, value]) => value !== undefined));
      const body = {
        preferences: isJsonObject(wanted) ? wanted : {},
        version: held.version,
      };
      takePreferences((await call(putPreferences, { body })).preferences);
      tellOthers(change);
      return;
    } catch (error) {
      if (toApiError(error).code !== 'dashboard_state_conflict' || tried === TRIES) {
        throw error;
      }
    }
  }
}

/** A choice of another window of this browser or program, and which services that window worked with. */
const told = z.object({ connection: z.string().nullable(), change: preferences });

const CHANNEL = 'preferences';

function tellOthers(change: Preferences): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage({ connection: connectionStore.get(), change });
  channel.close();
}

/**
 * Takes over what the person chooses in other windows that work with the same services, and hands it
 * on. Returns the function that stops it.
 */
export function followPreferences(onChange: (change: Preferences) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const read = told.safeParse(data);
    if (read.success && read.data.connection === connectionStore.get()) {
      preferencesStore.set((before) => ({ ...before, ...read.data.change }));
      onChange(read.data.change);
    }
  };
  return () => channel.close();
}

/**
 * Changes preferences: here at once, then at the service, one change after the other.
 * @throws ApiError when the service did not take it; the choice holds in this window all the same
 */
export function savePreferences(change: Preferences): Promise<void> {
  const chosen = { ...preferencesStore.get(), ...change };
  preferencesStore.set(chosen);
  writeJson(KEY, chosen);
  if (!isKept) {
    tellOthers(change);
    if (chooser === undefined) {
      early = { ...early, ...change };
    } else if (chooser !== null) {
      keepUnsent(chooser, { ...unsentChoices(), ...change });
    }
    return Promise.resolve();
  }
  if (typeof chooser === 'string') {
    const older = Object.entries(unsentChoices()).filter(([name]) => !Object.hasOwn(change, name));
    keepUnsent(chooser, Object.fromEntries(older));
  }
  const written = writing.then(() => store(change));
  writing = written.catch(() => undefined);
  return written;
}

/**
 * Forgets every choice, here and at the service; what another client keeps beside them stays.
 * @throws ApiError when the service did not take it
 */
export function forgetPreferences(): Promise<void> {
  const names = Object.keys(preferences.shape);
  return savePreferences(Object.fromEntries(names.map((name) => [name, undefined])));
}
