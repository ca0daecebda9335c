import type { Diagnostic } from '../spec/diagnostic.ts';

/** Writes a value as JSON, one document per command. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

export function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printFailure(message: string): void {
  process.stderr.write(`✗ ${message}\n`);
}

const MARKS = { error: '✗', warning: '!', info: 'i' } as const;

/** One line per finding, with its place and what to do. */
export function printDiagnostics(diagnostics: readonly Diagnostic[]): void {
  for (const { code, severity, message, path, suggestion } of diagnostics) {
    const place = path === null ? '' : ` at ${path}`;
    const advice = suggestion === null ? '' : ` (${suggestion})`;
    printLine(`${MARKS[severity]} ${code}${place}: ${message}${advice}`);
  }
}
