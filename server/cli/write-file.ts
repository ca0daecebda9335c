import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CommandFailure } from './command-failure.ts';

function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

/** Replaces a file whole, or leaves the old one. @throws CommandFailure */
export function writeFile(file: string, text: string, mode = 0o644): void {
  try {
    mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
    const temporary = `${file}.${process.pid}.new`;
    writeFileSync(temporary, text, { mode, flush: true });
    renameSync(temporary, file);
  } catch (error) {
    throw new CommandFailure(`${file} cannot be written (${reasonOf(error)}).`);
  }
}

/** Writes a file that must not be there yet. @throws CommandFailure */
export function writeNewFile(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    const reason = reasonOf(error);
    const said = reason === 'EEXIST' ? 'exists already' : `cannot be written (${reason})`;
    throw new CommandFailure(`${file} ${said}.`);
  }
}
