import { styleText } from 'node:util';
import type { Diagnostic } from '../spec/diagnostic.ts';

type Style = Parameters<typeof styleText>[0];

/** Colours for a terminal on standard output; plain text elsewhere and under NO_COLOR. */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

/** As `paint`, for standard error. */
export function paintNote(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stderr });
}

/** Writes a value as JSON, one document per command. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** A line of the result, on standard output. */
export function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** A line that is no part of the result: progress, advice. */
export function printNote(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** What went wrong, on standard error. */
export function printFailure(message: string): void {
  process.stderr.write(`${paintNote('red', '✗')} ${message}\n`);
}

/** `name: value` lines, aligned; null and undefined are left out. */
export function printFacts(facts: Readonly<Record<string, unknown>>): void {
  const shown = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  for (const [name, value] of shown) {
    printLine(`${paint('dim', `${name}:`.padEnd(width + 1))} ${shortText(value)}`);
  }
}

/** A value on one line: text as it is, everything else as JSON. */
export function shortText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const STATUS_COLOURS: Readonly<Record<string, Style>> = {
  completed: 'green',
  blocked: 'yellow',
  running: 'blue',
  queued: 'blue',
  failed: 'red',
  timed_out: 'red',
  expired: 'red',
};

/** A run's status in its colour. */
export function paintStatus(status: string): string {
  const colour = STATUS_COLOURS[status];
  return colour === undefined ? status : paint(colour, status);
}

const MARKS = { error: '✗', warning: '!', info: 'i' } as const;
const COLOURS = { error: 'red', warning: 'yellow', info: 'blue' } as const;

/** One line per finding, with its place and what to do. */
export function printDiagnostics(diagnostics: readonly Diagnostic[], to = printLine): void {
  for (const { code, severity, message, path, suggestion } of diagnostics) {
    const place = path === null ? '' : ` at ${path}`;
    const advice = suggestion === null ? '' : ` (${suggestion})`;
    const mark = paint(COLOURS[severity], MARKS[severity]);
    to(`${mark} ${code}${place}: ${message}${advice}`);
  }
}
