import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sha256 } from './sha256.ts';
import { settleTaken, takeFile } from './take-file.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'take-'));
  mkdirSync(path.join(root, 'd'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const at = (ref: string) => path.join(root, ref);
const names = () => readdirSync(at('d')).sort();
const nothing = async () => undefined;

test('a file with the expected bytes goes after they were kept', async () => {
  writeFileSync(at('d/a.yaml'), 'mine');
  const seen: string[] = [];
  const keep = async () => void seen.push(...names());
  expect(await takeFile(root, 'd/a.yaml', sha256('mine'), keep)).toBe(true);
  expect(seen).toEqual([expect.stringMatching(/^\.a\.yaml\.gone-/)]);
  expect(names()).toEqual([]);
});

test('a file, a link or a folder that was swapped in stays as it is', async () => {
  const keep = async () => {
    throw new Error('kept');
  };
  writeFileSync(at('d/a.yaml'), 'theirs');
  expect(await takeFile(root, 'd/a.yaml', sha256('mine'), keep)).toBe(false);
  expect(readFileSync(at('d/a.yaml'), 'utf8')).toBe('theirs');
  writeFileSync(at('outside'), 'mine');
  rmSync(at('d/a.yaml'));
  symlinkSync(at('outside'), at('d/a.yaml'));
  expect(await takeFile(root, 'd/a.yaml', sha256('mine'), keep)).toBe(false);
  expect(lstatSync(at('d/a.yaml')).isSymbolicLink()).toBe(true);
  rmSync(at('d/a.yaml'));
  mkdirSync(at('d/a.yaml'));
  expect(await takeFile(root, 'd/a.yaml', sha256('mine'), keep)).toBe(false);
  expect(names()).toEqual(['a.yaml']);
  rmSync(at('d/a.yaml'), { recursive: true });
  expect(await takeFile(root, 'd/a.yaml', sha256('mine'), keep)).toBe(false);
  mkdirSync(at('e'));
  renameSync(at('outside'), at('e/a.yaml'));
  rmSync(at('d'), { recursive: true });
  symlinkSync(at('e'), at('d'));
  await expect(takeFile(root, 'd/a.yaml', sha256('mine'), nothing)).rejects.toThrow();
  expect(existsSync(at('e/a.yaml'))).toBe(true);
});

test('what could not be kept does not go', async () => {
  writeFileSync(at('d/a.yaml'), 'mine');
  const keep = async () => {
    throw new Error('the store is full');
  };
  await expect(takeFile(root, 'd/a.yaml', sha256('mine'), keep)).rejects.toThrow('full');
  expect(names()).toEqual(['a.yaml']);
});

test('somebody writes the name while its file is away: both stay', async () => {
  writeFileSync(at('d/a.yaml'), 'mine');
  const keep = async () => {
    writeFileSync(at('d/a.yaml'), 'theirs');
    throw new Error('the store is full');
  };
  await expect(takeFile(root, 'd/a.yaml', sha256('mine'), keep)).rejects.toThrow('full');
  const [first = '', second] = names();
  expect([second, names().length]).toEqual([
    expect.stringMatching(/^kept-[0-9a-f]{8}-a\.yaml$/),
    2,
  ]);
  expect(readFileSync(at(`d/${first}`), 'utf8')).toBe('theirs');
});

test('an interruption is finished when the bytes are kept, else undone', async () => {
  const taken = 'd/.a.yaml.gone-0123456789abcdef';
  const going = (gone: boolean) => ({ gone, revision: sha256('mine') });
  writeFileSync(at(taken), 'mine');
  await settleTaken(root, 'd/a.yaml', going(true));
  expect(names()).toEqual([]);
  writeFileSync(at(taken), 'mine');
  await settleTaken(root, 'd/a.yaml', going(false));
  expect(names()).toEqual(['a.yaml']);
  renameSync(at('d/a.yaml'), at(taken));
  writeFileSync(at(taken), 'theirs');
  await settleTaken(root, 'd/a.yaml', going(true));
  expect(readFileSync(at('d/a.yaml'), 'utf8')).toBe('theirs');
  await settleTaken(root, 'gone/a.yaml', going(true));
});
