import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadKeyring } from './keyring.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'keys-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the keyring is made once, readable by its owner only, and opens what it sealed', () => {
  const first = loadKeyring(folder, undefined);
  const file = path.join(folder, 'analysis-keyring.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(first.activeId).toMatch(/^local-[0-9a-f]{8}$/);
  const sealed = first.seal('gaps', 'p\0a');
  expect(sealed.startsWith(`kas1.${first.activeId}.`)).toBe(true);
  const second = loadKeyring(folder, undefined);
  expect(second.open(sealed, 'p\0a')).toBe('gaps');
  const other = 'Lücken, 穴, \ud83d\udd73';
  expect(second.open(first.seal(other, 'p\0ä'), 'p\0ä')).toBe(other);
  expect(second.open(sealed, 'p\0b')).toBeUndefined();
  expect(second.open(`${sealed.slice(0, -4)}AAAA`, 'p\0a')).toBeUndefined();
  expect(second.open('plain', 'p\0a')).toBeUndefined();
});

test('a record of a key that is not here is no damage', () => {
  const sealed = loadKeyring(folder, undefined).seal('gaps', 'b');
  const keys = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
  const other = loadKeyring(folder, { keys, activeId: 'k1' });
  expect(() => other.open(sealed, 'b')).toThrow(
    expect.objectContaining({ code: 'analysis_keys_unavailable' }),
  );
});

test('bad keys refuse the start', () => {
  expect(() => loadKeyring(folder, { keys: 'a.b:AAAA', activeId: 'a.b' })).toThrow(/32 bytes/);
  const keys = `k1:${Buffer.alloc(32).toString('base64')}`;
  expect(() => loadKeyring(folder, { keys, activeId: 'k2' })).toThrow(/not among/);
  writeFileSync(path.join(folder, 'analysis-keyring.json'), '{"keys":1}');
  expect(() => loadKeyring(folder, undefined)).toThrow(/cannot be read/);
  expect(readFileSync(path.join(folder, 'analysis-keyring.json'), 'utf8')).toBe('{"keys":1}');
});
