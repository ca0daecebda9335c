import { readFileSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { z } from 'zod';
import { StartRefusal } from '../kernel/start-refusal.ts';

const OTHERS = 0o077;

function problemOf({ path, message }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}

/**
 * Reads a JSON file that only its owner may read.
 * @throws StartRefusal that names the setting and what to do; never a value of the file
 */
export function readPrivateJson<S extends z.ZodType>(
  file: string,
  setting: string,
  schema: S,
): z.output<S> {
  const refuse = (what: string) => new StartRefusal(`${setting}: ${what}`);
  if (!isAbsolute(file)) throw refuse('name the file by its whole path.');
  let mode: number;
  let text: string;
  try {
    ({ mode } = statSync(file));
    text = readFileSync(file, 'utf8');
  } catch {
    throw refuse('the file cannot be read.');
  }
  if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
    throw refuse('others may read the file; run "chmod 600" on it.');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse('the file is no JSON.');
  }
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw refuse(`${read.error.issues.map(problemOf).join('; ')}.`);
}
