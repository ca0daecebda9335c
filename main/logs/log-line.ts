import type { LogLevel, LogLine } from '../../preload/desktop-api.ts';
import { redactValue } from '../../server/kernel/redact.ts';
import { showControls } from '../../server/kernel/terminal-text.ts';

/** The writer's numbers and words of levels; what is none of them was not written by a logger. */
const LEVELS: ReadonlyMap<unknown, LogLevel> = new Map<unknown, LogLevel>([
  [10, 'info'],
  [20, 'info'],
  [30, 'info'],
  [40, 'warn'],
  [50, 'error'],
  [60, 'error'],
  ['info', 'info'],
  ['warn', 'warn'],
  ['error', 'error'],
]);
/** A line is shown up to here; the file has the rest. */
const MAX_SHOWN = 16 * 1024;

function objectIn(line: string): object | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

const NONE = { level: null, time: null, msg: null, source: null };

function momentOf(time: unknown): string | null {
  return typeof time === 'string' && !Number.isNaN(Date.parse(time)) ? time : null;
}

function parsed(value: object): Omit<LogLine, 'at'> {
  const { level, time, msg, source, ...fields } = { ...NONE, ...value };
  const said = redactValue(typeof msg === 'string' ? msg : '');
  // What no logger wrote is shown whole.
  const noted = LEVELS.has(level) ? fields : value;
  const rest = Object.keys(noted).length === 0 ? '' : JSON.stringify(redactValue(noted));
  const words = typeof said === 'string' ? said : '';
  return {
    time: momentOf(time),
    level: LEVELS.get(level) ?? 'output',
    source: source === 'shell' ? 'shell' : 'services',
    text: showControls(words === '' ? rest : words),
    fields: showControls(words === '' ? '' : rest),
  };
}

/** A line of the log as the window shows it: without secrets, and nothing in it is obeyed. */
export function readLogLine(raw: string, at: number): LogLine {
  const line = raw.length > MAX_SHOWN ? `${raw.slice(0, MAX_SHOWN)} …` : raw;
  const value = objectIn(line);
  if (value !== undefined) return { at, ...parsed(value) };
  const text = redactValue(line);
  return {
    at,
    time: null,
    level: 'output',
    source: 'services',
    text: showControls(typeof text === 'string' ? text : ''),
    fields: '',
  };
}
