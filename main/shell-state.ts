import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ThemePreference } from '../preload/desktop-api.ts';
import { replaceFileSync } from '../server/files/durable-write.ts';

export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What the shell remembers between two starts. */
export interface ShellState {
  readonly bounds: Bounds | undefined;
  readonly maximized: boolean;
  readonly theme: ThemePreference;
}

const EMPTY: ShellState = { bounds: undefined, maximized: false, theme: 'system' };

function readBounds(value: unknown): Bounds | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { x, y, width, height } = { x: null, y: null, width: null, height: null, ...value };
  const whole = (n: unknown): n is number => typeof n === 'number' && Number.isInteger(n);
  if (!whole(x) || !whole(y) || !whole(width) || !whole(height)) return undefined;
  return width >= 400 && height >= 300 ? { x, y, width, height } : undefined;
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
  const { bounds, maximized, theme } = { bounds: null, maximized: null, theme: null, ...value };
  return {
    bounds: readBounds(bounds),
    maximized: maximized === true,
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
  };
}

/** True when enough of the window lies on one of the screens to be grabbed. */
export function isOnScreen(bounds: Bounds, screens: readonly Bounds[]): boolean {
  return screens.some((screen) => {
    const right = Math.min(bounds.x + bounds.width, screen.x + screen.width);
    const bottom = Math.min(bounds.y + bounds.height, screen.y + screen.height);
    return (
      right - Math.max(bounds.x, screen.x) >= 100 && bottom - Math.max(bounds.y, screen.y) >= 60
    );
  });
}

export interface ShellStateStore {
  readonly value: ShellState;
  /** Merges and writes; a refusing disk is reported through `onProblem`. */
  update(part: Partial<ShellState>): void;
}

export function openShellState(file: string, onProblem: (text: string) => void): ShellStateStore {
  let value = EMPTY;
  try {
    value = parseShellState(readFileSync(file, 'utf8'));
  } catch {
    value = EMPTY;
  }
  return {
    get value() {
      return value;
    },
    update(part) {
      value = { ...value, ...part };
      try {
        mkdirSync(path.dirname(file), { recursive: true });
        replaceFileSync(file, JSON.stringify(value));
      } catch (error) {
        onProblem(`The window's state cannot be saved: ${String(error)}`);
      }
    },
  };
}
