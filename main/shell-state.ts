import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { ThemePreference } from '../preload/desktop-api.ts';
import { LANGUAGES, type Spoken } from '../preload/texts/language.ts';
import { replaceFile } from '../server/files/durable-write.ts';
import { readBounds, readWindows, type WindowRecord } from './window-record.ts';
import { readZoom } from './zoom-sizes.ts';

/** What the shell remembers between two starts. */
export interface ShellState {
  readonly theme: ThemePreference;
  /** The icon in the notification area is wanted. */
  readonly tray: boolean;
  readonly language: Spoken | 'system';
  /** The windows that are open, or were when the program ended; the one used last stands last. */
  readonly windows: readonly WindowRecord[];
  /** True while the program runs: found at a start, it says that the one before did not end well. */
  readonly running: boolean;
  /** Starts in a row that ended unexpectedly before the program had run for a while. */
  readonly crashes: number;
  /** How large everything is drawn, in percent. */
  readonly zoom: number;
}

const EMPTY: ShellState = {
  ...{ theme: 'system', language: 'system', tray: false },
  ...{ windows: [], running: false, crashes: 0, zoom: 100 },
};

/** The language that a value names; the system's when it names none. */
export function readLanguage(value: unknown): Spoken | 'system' {
  return [...LANGUAGES, 'en-XA' as const].find((one) => one === value) ?? 'system';
}

/** Versions before several windows kept the bounds of one. */
function windowBefore(bounds: unknown, maximized: unknown): readonly WindowRecord[] {
  const kept = readBounds(bounds);
  if (kept === undefined) return [];
  const nowhere = { place: null, project: null, connection: null };
  return [{ id: 'first', bounds: kept, maximized: maximized === true, ...nowhere }];
}

/** Reads a saved state; what it does not understand counts as not saved. */
export function parseShellState(text: string): ShellState {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return EMPTY;
  }
  if (typeof value !== 'object' || value === null) return EMPTY;
  const none = {
    theme: null,
    language: null,
    windows: null,
    running: null,
    crashes: 0,
    zoom: null,
  };
  const before = { bounds: null, maximized: null, tray: null };
  const read = { ...none, ...before, ...value };
  const { theme, language, windows, running, crashes, zoom, tray, bounds, maximized } = read;
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    tray: tray === true,
    language: readLanguage(language),
    windows: Array.isArray(windows) ? readWindows(windows) : windowBefore(bounds, maximized),
    running: running === true,
    crashes: typeof crashes === 'number' && Number.isInteger(crashes) && crashes > 0 ? crashes : 0,
    zoom: readZoom(zoom),
  };
}

export interface ShellStateStore {
  readonly value: ShellState;
  /** Merges, and writes at once behind the caller; a refusing disk is reported through `onProblem`. */
  update(part: Partial<ShellState>): void;
  /** Resolves when all that was updated is on the disk, or was refused. */
  settled(): Promise<void>;
}

/**
 * Opens the state in `file`. The window never waits for the disk: changes that come while a write is
 * under way go into the next one.
 */
export function openShellState(file: string, onProblem: (text: string) => void): ShellStateStore {
  let value = EMPTY;
  let written = '';
  let writing: Promise<void> | undefined;
  try {
    written = readFileSync(file, 'utf8');
    value = parseShellState(written);
  } catch {
    value = EMPTY;
  }
  const write = async (): Promise<void> => {
    try {
      await mkdir(path.dirname(file), { recursive: true });
      for (let text = JSON.stringify(value); text !== written; text = JSON.stringify(value)) {
        await replaceFile(file, text);
        written = text;
      }
    } catch (error) {
      onProblem(`The window's state cannot be saved: ${String(error)}`);
    }
    writing = undefined;
  };
  return {
    get value() {
      return value;
    },
    update(part) {
      value = { ...value, ...part };
      writing ??= write();
    },
    settled: async () => {
      await writing;
    },
  };
}

/** The state of a start that keeps nothing and begins with nothing. */
export function passingShellState(): ShellStateStore {
  let value = EMPTY;
  return {
    get value() {
      return value;
    },
    update(part) {
      value = { ...value, ...part };
    },
    settled: () => Promise.resolve(),
  };
}
