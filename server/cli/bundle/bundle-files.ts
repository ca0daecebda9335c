import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { BundleRefusal } from '../../bundles/refusal.ts';
import { replaceFileSync } from '../../files/durable-write.ts';
import { systemCode } from '../../kernel/system-code.ts';
import { CommandFailure } from '../command-failure.ts';

const MAX_BYTES = 128 * 1_048_576;

/** The bytes of a bundle. @throws CommandFailure */
export function readBundleFile(file: string): Uint8Array {
  try {
    if (statSync(file).size > MAX_BYTES) throw new CommandFailure(`${file} is too large.`);
    return readFileSync(file);
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(`${file} cannot be read (${systemCode(error) ?? 'unknown error'}).`);
  }
}

/** Writes a bundle whole. @throws CommandFailure */
export function writeBundleFile(file: string, bytes: Uint8Array): void {
  try {
    replaceFileSync(path.resolve(file), bytes, {});
  } catch (error) {
    throw new CommandFailure(
      `${file} cannot be written (${systemCode(error) ?? 'unknown error'}).`,
    );
  }
}

/** Says a refusal of a bundle as the command's failure. */
export async function told<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BundleRefusal) throw new CommandFailure(`${error.code}: ${error.message}`);
    throw error;
  }
}
