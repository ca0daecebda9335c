import { readFileSync } from 'node:fs';
import { systemCode } from '../kernel/system-code.ts';
import { HostRefusal } from './host-refusal.ts';

const STANDARD_INPUT = 0;
const MAX_CHARS = 8192;

/** The text of a file that a word or a variable names. @throws HostRefusal when it cannot be read */
export function readNamedFile(file: string | number, namedBy: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = systemCode(error) ?? 'unknown error';
    throw new HostRefusal('configuration', `${namedBy}: the file cannot be read (${code}).`);
  }
}

/**
 * A key that stands in a file, or is written to standard input (`-`): unlike a word of the command
 * line, no other user of the machine sees it.
 * @throws HostRefusal unless it is one line of printable characters
 */
export function keyFromFile(file: string, option: string): string {
  const key = readNamedFile(file === '-' ? STANDARD_INPUT : file, `--${option}`).trim();
  if (key === '' || key.length > MAX_CHARS || !/^[\x21-\x7e]+$/.test(key)) {
    throw new HostRefusal(
      'configuration',
      `--${option}: the file must hold one key: a line of printable characters without spaces.`,
    );
  }
  return key;
}

/** The key of a word, else of the file that another word names. @throws HostRefusal */
export function keyOrFile(
  key: string | undefined,
  file: string | undefined,
  option: string,
): string | undefined {
  if (file === undefined) return key;
  if (key === undefined) return keyFromFile(file, `${option}-file`);
  throw new HostRefusal('configuration', `Give --${option} or --${option}-file, not both.`);
}
