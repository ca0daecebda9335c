// Every form in which a value may stand somewhere, and the search for it.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** What is the same in base64 wherever the value stands among other bytes. */
function base64Cores(value: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]).toString('base64');
    const core = text.slice(before === 0 ? 0 : 4, -4);
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** The value as it is, escaped for JSON once and twice, for addresses and forms, in base64 and hexadecimal. */
export function formsOf(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const twice = JSON.stringify(json).slice(1, -1);
  const query = new URLSearchParams({ v: value }).toString().slice(2);
  const bytes = Buffer.from(value);
  return [
    ...new Set([
      ...[value, json, twice, encodeURIComponent(value), encodeURI(value), query],
      ...base64Cores(value),
      ...[bytes.toString('hex'), Buffer.from(value, 'utf16le').toString('latin1')],
    ]),
  ];
}

/** Names of the planted values that stand in a text in any form. */
export function plantsIn(text: string, plants: Readonly<Record<string, string>>): string[] {
  return Object.entries(plants).flatMap(([name, value]) =>
    formsOf(value).some((form) => text.includes(form)) ? [name] : [],
  );
}

/** `file: name` of every planted value in the name or the bytes of a file below a folder. */
export function plantsBelow(folder: string, plants: Readonly<Record<string, string>>): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const file = path.join(folder, name);
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return [];
    // Both ways of reading bytes: as they are, and for texts of two bytes a letter.
    const bytes = readFileSync(file);
    const text = `${name}${bytes.toString('latin1')}`;
    return plantsIn(text, plants).map((plant) => `${name}: ${plant}`);
  });
}

function procText(pid: string, what: string): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'latin1');
  } catch {
    // It ended while the list was read.
    return '';
  }
}

/** A process and all below it: its words and its variables. */
export function processesBelow(pid: number) {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(
    // The name of the program stands in parentheses and may hold anything.
    all.map((name) => [name, procText(name, 'stat').split(') ').at(-1)?.split(' ')[1] ?? '']),
  );
  const isBelow = (name: string): boolean => {
    const parent = parents.get(name) ?? '';
    return name === String(pid) || (parent !== '' && parent !== '0' && isBelow(parent));
  };
  return all.filter(isBelow).map((name) => ({
    pid: Number(name),
    words: procText(name, 'cmdline'),
    variables: procText(name, 'environ'),
  }));
}
