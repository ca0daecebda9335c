// biome-ignore lint/style/noRestrictedImports: what is no file, such as /dev/stdout, is written to.
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { replaceFileSync } from '../files/durable-write.ts';
import { systemCode } from '../kernel/system-code.ts';
import { CommandFailure } from './command-failure.ts';

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
      replaceFileSync(path.resolve(file), text, { mode });
    } else if (older.isFile()) replaceFileSync(file, text, { mode });
    else writeFileSync(file, text);
  } catch (error) {
    throw new CommandFailure(
      `${file} cannot be written (${systemCode(error) ?? 'unknown error'}).`,
    );
  }
}

/** Writes a file that must not be there yet. @throws CommandFailure */
export function writeNewFile(file: string, text: string, mode?: number): void {
  try {
    writeFileSync(file, text, mode === undefined ? { flag: 'wx' } : { flag: 'wx', mode });
  } catch (error) {
    const reason = systemCode(error) ?? 'unknown error';
    const said = reason === 'EEXIST' ? 'exists already' : `cannot be written (${reason})`;
    throw new CommandFailure(`${file} ${said}.`);
  }
}
