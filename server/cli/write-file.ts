import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { CommandFailure } from './command-failure.ts';

function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

/**
 * Replaces a file whole, or leaves the old one and nothing beside it. A link stays a link; without a
 * `mode` an older file's permissions stay. What is no file, such as `/dev/stdout`, is written to.
 * @throws CommandFailure
 */
export function writeFile(file: string, text: string, mode?: number): void {
  try {
    const older = statSync(file, { throwIfNoEntry: false });
    if (older === undefined) {
      mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
      replaceFile(path.resolve(file), text, mode);
    } else if (older.isFile()) replaceFile(realpathSync(file), text, mode ?? older.mode & 0o777);
    else writeFileSync(file, text);
  } catch (error) {
    throw new CommandFailure(`${file} cannot be written (${reasonOf(error)}).`);
  }
}

function replaceFile(target: string, text: string, mode: number | undefined): void {
  const beside = path.join(path.dirname(target), `.${randomUUID()}.new`);
  try {
    writeFileSync(beside, text, { flag: 'wx', mode: mode ?? 0o644, flush: true });
    if (mode !== undefined) chmodSync(beside, mode);
    renameSync(beside, target);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
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
