import { readFileSync } from 'node:fs';
import { replaceFileSync } from '../files/durable-write.ts';
import { isObject } from '../kernel/json.ts';
import { systemCode } from '../kernel/system-code.ts';

/** Where the studio's projects are, by their ids. It says nothing about trust. */
type Places = Readonly<Record<string, string>>;

function read(file: string): Places {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return {};
    throw error;
  }
  const parsed: unknown = JSON.parse(text);
  const pairs = isObject(parsed) ? Object.entries(parsed) : [];
  return Object.fromEntries(
    pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}

/** The folder of a project as the studio noted it. */
export function placeOfProject(file: string, projectId: string): string | undefined {
  const places = read(file);
  return Object.hasOwn(places, projectId) ? places[projectId] : undefined;
}

/** Notes where all projects are, for the platform on the same data folder. */
export function notePlaces(file: string, places: Places): void {
  if (JSON.stringify(read(file)) === JSON.stringify(places)) return;
  replaceFileSync(file, `${JSON.stringify(places)}\n`, { mode: 0o600 });
}
