// The functions that a run takes along, in the container of bundles.
import { expect, test } from 'vitest';
import { type ZipMember, zipOf } from '../../test/support/zip.ts';
import { BUNDLE_FORMAT, CODE_FORMAT } from '../contract/bundle.ts';
import { hashOf } from './hash-of.ts';
import { newKeyPair, readSigningKey, type SignedFormat, signerOf, signManifest } from './keys.ts';
import { openBundle, openCodeBundle } from './open-bundle.ts';
import { readStoredZip } from './stored-zip.ts';
import { type PackedFile, writeCodeBundle } from './write-bundle.ts';

const key = readSigningKey(newKeyPair().privateKey);
const FILES: readonly PackedFile[] = [
  { path: 'functions/b.ts', role: 'function', bytes: Buffer.from('export const b = 1;\n') },
  { path: 'functions/a/data.bin', role: 'function', bytes: Buffer.from([0, 255, 1]) },
];

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'opened',
    (error: { code?: string }) => error.code ?? error,
  );

/** An archive of one file as any program may write it, signed by the key for a purpose. */
function forged(path: string, format: SignedFormat, more: readonly ZipMember[] = []): Buffer {
  const data = Buffer.from('export const it = 1;\n');
  const file = { path, bytes: data.length, sha256: hashOf(data), role: 'function' };
  const manifest = Buffer.from(JSON.stringify({ format: CODE_FORMAT, files: [file] }));
  const signature = Buffer.from(JSON.stringify(signManifest(format, manifest, key)));
  return zipOf(
    [
      { name: 'manifest.json', data: manifest },
      { name: 'signature.json', data: signature },
      { name: `tree/${path}`, data },
      ...more,
    ].map((member) => ({ ...member, stored: true })),
  );
}

test('equal files give equal bytes, in whatever order they were read', async () => {
  const archive = await writeCodeBundle(FILES, key);
  expect(hashOf(await writeCodeBundle([...FILES].reverse(), key))).toBe(hashOf(archive));
  const { signer, files } = await openCodeBundle(archive);
  expect(signer.keyId).toBe(signerOf(key).keyId);
  expect([...files.keys()]).toEqual(['functions/a/data.bin', 'functions/b.ts']);
});

test('what was signed as a draft is no code, and code is no draft', async () => {
  expect(await codeOf(openCodeBundle(forged('functions/a.ts', CODE_FORMAT)))).toBe('opened');
  expect(await codeOf(openCodeBundle(forged('functions/a.ts', BUNDLE_FORMAT)))).toBe(
    'signature_invalid',
  );
  expect(await codeOf(openBundle(await writeCodeBundle(FILES, key)))).toBe('signature_invalid');
});

test.each([
  '../out.ts',
  '/etc/cron',
  'functions/../../out.ts',
  'C:/x.ts',
  'functions/nul',
  'a\\b.ts',
])('a name that leads elsewhere is refused, whoever signed it: %s', async (name) => {
  expect(await codeOf(openCodeBundle(forged(name, CODE_FORMAT)))).toBe('unsafe_member');
});

test('a file that nobody signed, and a signature that was taken off, are refused', async () => {
  const more = [{ name: 'tree/functions/more.ts', data: Buffer.from('x') }];
  expect(await codeOf(openCodeBundle(forged('functions/a.ts', CODE_FORMAT, more)))).toBe(
    'file_not_listed',
  );
  const members = await readStoredZip(await writeCodeBundle(FILES, key));
  const bare = zipOf(
    [...members]
      .filter(([name]) => name !== 'signature.json')
      .map(([name, data]) => ({ name, data: Buffer.from(data), stored: true })),
  );
  expect(await codeOf(openCodeBundle(bare))).toBe('not_signed');
});
