import { randomInt } from 'node:crypto';
import { styleText } from 'node:util';
import { showControls } from '../kernel/terminal-text.ts';
import type { Diagnostic } from '../spec/values/diagnostic.ts';

type Style = Parameters<typeof styleText>[0];
type Stream = NodeJS.WriteStream;

/**
 * Stands before each colour sequence of our own on its way to the terminal; nobody outside knows
 * it. A sequence itself, with parameters of four digits, so that tables give it no width.
 */
const MARK = `${randomInt(1000, 10_000)};${randomInt(1000, 10_000)}m`;
const OWN_COLOUR = new RegExp(`\\p{Cc}\\[${MARK}(\\p{Cc}\\[\\d+m)`, 'gu');

function shown(text: string, colour: (marked: string, sequence: string) => string): string {
  let done = 0;
  let result = '';
  for (const match of text.matchAll(OWN_COLOUR)) {
    const [marked, sequence = ''] = match;
    result += showControls(text.slice(done, match.index)) + colour(marked, sequence);
    done = match.index + marked.length;
  }
  return result + showControls(text.slice(done));
}

/**
 * Text of models, specs and remote platforms as it may be laid out and painted: what a terminal
 * would obey is written as `\\uXXXX`.
 */
export function harmless(text: string): string {
  return shown(text, (marked) => marked);
}

function send(stream: Stream, text: string): void {
  stream.write(shown(text, (_marked, sequence) => sequence));
}

/** Text for people on standard output. Everything that a command says goes through here or `sendNote`. */
export function sendText(text: string): void {
  send(process.stdout, text);
}

/** Text for people on standard error. */
export function sendNote(text: string): void {
  send(process.stderr, text);
}

/** A file's text on standard output: byte for byte, but for a terminal without what it would obey. */
export function printDocument(text: string): void {
  if (process.stdout.isTTY) sendText(text);
  else process.stdout.write(text);
}

function painted(style: Style, text: string, stream: Stream): string {
  const plain = harmless(text);
  const coloured = styleText(style, plain, { stream });
  if (coloured === plain) return plain;
  const [before = '', after = ''] = styleText(style, 'x', { stream }).split('x');
  const mark = (codes: string): string =>
    codes.replaceAll(/\p{Cc}\[/gu, (start) => start + MARK + start);
  return `${mark(before)}${plain}${mark(after)}`;
}

/** Colours for a terminal on standard output; plain text elsewhere and under NO_COLOR. */
export function paint(style: Style, text: string): string {
  return painted(style, text, process.stdout);
}

/** As `paint`, for standard error. */
export function paintNote(style: Style, text: string): string {
  return painted(style, text, process.stderr);
}

/** Writes a value as JSON, one document per command. */
export function printJson(value: unknown): void {
  sendText(`${JSON.stringify(value, null, 2)}\n`);
}

/** A line of the result, on standard output. */
export function printLine(text: string): void {
  sendText(`${text}\n`);
}

/** A line that is no part of the result: progress, advice. */
export function printNote(text: string): void {
  sendNote(`${text}\n`);
}

/** What went wrong, on standard error. */
export function printFailure(message: string): void {
  sendNote(`${paintNote('red', '✗')} ${message}\n`);
}

/** A line on standard error that is written over itself on a terminal, and is nothing elsewhere. */
export function progressLine(): { show(text: string): void; end(): void } {
  const { stderr } = process;
  let begun = false;
  return {
    show(text) {
      if (!stderr.isTTY) return;
      begun = true;
      stderr.write(`\r${harmless(text)}`);
    },
    end() {
      if (begun) stderr.write('\r\u001b[K');
    },
  };
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
