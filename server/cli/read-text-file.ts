import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { systemCode } from '../kernel/system-code.ts';
import { CommandFailure } from './command-failure.ts';

const MAX_BYTES = 32 * 1024 * 1024;

/** A whole file as strict UTF-8. */
export function readTextFile(file: string): string {
  const name = path.basename(file);
  try {
    if (statSync(file).size > MAX_BYTES) throw new CommandFailure(`${name} is too large.`);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    if (error instanceof TypeError) throw new CommandFailure(`${name} is not UTF-8 text.`);
    const code = systemCode(error) ?? 'unknown error';
    throw new CommandFailure(`${file} cannot be read (${code}).`);
  }
}
