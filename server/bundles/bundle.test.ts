import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ZipMember, zipOf } from '../../test/support/zip.ts';
import { sha256Hex } from '../kernel/sha256.ts';
import { parseWholeText } from '../spec/yaml/parse-yaml.ts';
import { newKeyPair, readPublicKey, readSigningKey } from './keys.ts';
import { openBundle } from './open-bundle.ts';
import { packProject } from './pack-project.ts';
import { readStoredZip, writeStoredZip } from './stored-zip.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'specwright-bundles-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(name: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), text);
}

const SPEC = `version: v1
agent: {name: desk, model: {provider: openai, name: m, extra: {api_key_ref: DESK_KEY}}, skills: [words]}
workflow: {type: sequential, steps: [{id: tidy, kind: function, ref: tidy}, {id: set, kind: function, ref: set}]}
components:
  functions: {tidy: {implementation: desk.parts.tidy}, set: {implementation: n8n.set}}
tools:
  search: {description: d, mcp: {server: shelf, name: find}}
mcp_servers:
  shelf: {transport: stdio, command: node, args: [tools/shelf.mjs], env: {TOKEN: '\${SHELF_TOKEN}'}}
skills: {words: {source: skills/words}}
`;

function project(): void {
  put(
    'functions/desk/parts.ts',
    "import { low } from './low.ts';\nimport pad from 'pad-it';\nexport const tidy = low;\n",
  );
  put('functions/desk/low.ts', 'export const low = (text: string) => text.toLowerCase();\n');
  put('functions/desk/other.ts', 'export const other = 1;\n');
  put('tools/shelf.mjs', "import './parts.json';\n");
  put('tools/parts.json', '{}');
  put('skills/words/SKILL.md', '---\nname: words\n---\nSay it.\n');
  put('skills/words/.hidden', 'x');
}

async function packed(text = SPEC, extra: Record<string, unknown> = {}) {
  const document = parseWholeText(text, 'yaml').value ?? {};
  return packProject({
    root,
    name: 'desk',
    document,
    layers: [],
    environment: 'dev',
    version: '0.1.0',
    ...extra,
  });
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'opened',
    (error: { code?: string }) => error.code ?? error,
  );

/** The members of a bundle after a hand was laid on them, as any program may write them. */
async function changed(archive: Uint8Array, change: (members: Map<string, Buffer>) => void) {
  const members = new Map(
    [...(await readStoredZip(archive))].map(([name, bytes]) => [name, Buffer.from(bytes)]),
  );
  change(members);
  return zipOf([...members].map(([name, data]) => ({ name, data, stored: true })));
}

describe('what is packed', () => {
  test('exactly what the spec names, and what the other machine needs by name', async () => {
    project();
    const { manifest } = await packed();
    expect(manifest.files.map(({ path, role }) => `${role} ${path}`)).toEqual([
      'function functions/desk/low.ts',
      'function functions/desk/parts.ts',
      'skill skills/words/SKILL.md',
      'spec spec.yaml',
      'file tools/parts.json',
      'file tools/shelf.mjs',
    ]);
    expect(manifest.needs).toEqual({
      secrets: ['DESK_KEY', 'SHELF_TOKEN'],
      credentials: [],
      providers: ['openai'],
      steps: ['n8n.set'],
      functions: ['desk.parts.tidy'],
      packages: ['pad-it'],
      programs: ['node'],
      files: [],
    });
  });

  test('the same bytes for the same project, wherever it stands and whoever packs', async () => {
    project();
    const signingKey = readSigningKey(newKeyPair().privateKey);
    const first = await packed(SPEC, { signingKey });
    const zone = process.env['TZ'];
    process.env['TZ'] = 'Pacific/Kiritimati';
    const elsewhere = mkdtempSync(path.join(tmpdir(), 'specwright-bundles-'));
    rmSync(root, { recursive: true });
    root = elsewhere;
    project();
    const second = await packed(SPEC, { signingKey });
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
    expect(sha256Hex(second.archive)).toBe(sha256Hex(first.archive));
  });

  test.each([
    ['agent.model.extra.api_key', SPEC.replace('api_key_ref: DESK_KEY', 'api_key: hunter2')],
    ['mcp_servers.shelf.env.TOKEN', SPEC.replace(/'\$\{SHELF_TOKEN\}'/, 'abc12345')],
  ])('no value of a secret: %s', async (at, text) => {
    project();
    await expect(packed(text)).rejects.toMatchObject({
      code: 'secret_in_file',
      message: expect.stringContaining(at),
    });
  });

  test('no secret in a function, no private key, nothing outside of the tree', async () => {
    project();
    put('functions/desk/low.ts', 'const password = "hunter2-hunter2";\nexport const low = 1;\n');
    await expect(packed()).rejects.toMatchObject({ code: 'secret_in_file' });
    project();
    put('certs/own.pem', 'x');
    put('certs/own.key', 'x');
    const tls = SPEC.replace(
      'args: [tools/shelf.mjs]',
      'args: [../../etc/passwd], client_cert: certs/own.pem, client_key: certs/own.key, ca_bundle: /etc/hosts',
    );
    const { manifest } = await packed(tls);
    expect(manifest.files.map((file) => file.path)).toContain('certs/own.pem');
    expect(manifest.needs.files).toEqual(['/etc/hosts', 'certs/own.key']);
    expect(manifest.files.some((file) => /passwd|hosts|own\.key/.test(file.path))).toBe(false);
    rmSync(path.join(root, 'tools/shelf.mjs'));
    symlinkSync('/etc/hosts', path.join(root, 'tools/shelf.mjs'));
    put('.env', 'PASS=easy');
    put(
      'keys.txt',
      '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA\n-----END PRIVATE KEY-----\n',
    );
    const hidden = await packed(SPEC.replace('tools/shelf.mjs', './.env'));
    expect(hidden.manifest.needs.files).toEqual(['.env']);
    const withKey = packed(SPEC.replace('tools/shelf.mjs', 'keys.txt'));
    await expect(withKey).rejects.toMatchObject({ code: 'secret_in_file' });
    const linked = await packed();
    expect(linked.manifest.files.some((file) => file.path === 'tools/shelf.mjs')).toBe(false);
    expect(readdirSync(root)).toContain('tools');
  });
});

describe('a bundle on another machine', () => {
  const keys = newKeyPair();
  const other = newKeyPair();
  const signed = () => packed(SPEC, { signingKey: readSigningKey(keys.privateKey) });
  beforeEach(project);

  test('opens when every byte is as it was packed', async () => {
    const { archive, manifest } = await signed();
    const known = await openBundle(archive, readPublicKey(keys.publicKey));
    expect(known.signer).toMatchObject({ keyId: keys.keyId, expected: true });
    expect([...known.files.keys()]).toEqual(manifest.files.map((file) => file.path));
    expect((await openBundle(archive)).signer).toMatchObject({ expected: false });
    expect((await openBundle((await packed()).archive)).signer).toBeNull();
  });

  test('tampering: a changed, added, removed or renamed file, a swapped or edited manifest', async () => {
    const { archive } = await signed();
    const spec = 'tree/spec.yaml';
    const tried = async (change: (members: Map<string, Buffer>) => void) =>
      codeOf(openBundle(await changed(archive, change)));
    expect(await tried(() => undefined)).toBe('opened');
    expect(await tried((all) => all.set(spec, Buffer.from('version: v1\n')))).toBe('file_changed');
    expect(await tried((all) => all.set('tree/more.ts', Buffer.from('')))).toBe('file_not_listed');
    expect(await tried((all) => all.set('more', Buffer.from('')))).toBe('file_not_listed');
    expect(await tried((all) => all.delete(spec))).toBe('file_missing');
    expect(await tried((all) => all.delete('manifest.json'))).toBe('not_a_bundle');
    const foreign = await readStoredZip((await packed(SPEC.replace('desk,', 'evil,'))).archive);
    const manifest = Buffer.from(foreign.get('manifest.json') ?? []);
    const evil = Buffer.from(foreign.get(spec) ?? []);
    expect(await tried((all) => all.set('manifest.json', manifest).set(spec, evil))).toBe(
      'signature_invalid',
    );
    const spaced = (all: Map<string, Buffer>) =>
      all.set(
        'manifest.json',
        Buffer.concat([all.get('manifest.json') ?? Buffer.alloc(0), Buffer.from(' ')]),
      );
    expect(await tried(spaced)).toBe('signature_invalid');
    const stripped = await changed(archive, (all) => all.delete('signature.json'));
    expect(await codeOf(openBundle(stripped, readPublicKey(keys.publicKey)))).toBe('not_signed');
    expect((await openBundle(stripped)).signer).toBeNull();
  });

  test('key confusion: another signer, another kind of key, a signature that names or carries another', async () => {
    const { archive } = await signed();
    expect(await codeOf(openBundle(archive, readPublicKey(other.publicKey)))).toBe(
      'signer_unexpected',
    );
    const resigned = await packed(SPEC, { signingKey: readSigningKey(other.privateKey) });
    expect(await codeOf(openBundle(resigned.archive, readPublicKey(keys.publicKey)))).toBe(
      'signer_unexpected',
    );
    const edited = (change: Record<string, unknown>) =>
      changed(archive, (all) => {
        const signature = JSON.parse(String(all.get('signature.json')));
        all.set('signature.json', Buffer.from(JSON.stringify({ ...signature, ...change })));
      });
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const rsaDer = rsa.publicKey.export({ type: 'spki', format: 'der' });
    const theirs = readPublicKey(other.publicKey).export({ type: 'spki', format: 'der' });
    for (const change of [
      { key_id: other.keyId },
      { public_key: theirs.toString('base64') },
      { public_key: theirs.toString('base64'), key_id: other.keyId },
      { public_key: rsaDer.toString('base64'), key_id: sha256Hex(rsaDer) },
      { public_key: '' },
      { algorithm: 'HMAC-SHA256' },
      { algorithm: 'none' },
      { signature: '' },
      { extra: 1 },
    ]) {
      expect(await codeOf(openBundle(await edited(change)))).toBe('signature_invalid');
    }
    const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' });
    for (const text of [keys.privateKey, String(pem), 'secret', '']) {
      expect(() => readPublicKey(text)).toThrow(/key/);
    }
    expect(() => readSigningKey(keys.publicKey)).toThrow(/private key/);
  });

  const member = (name: string, more: Partial<ZipMember> = {}): ZipMember => ({
    name,
    data: Buffer.from('{}'),
    stored: true,
    ...more,
  });

  test.each([
    ['a way up', [member('../evil')]],
    ['a way up in the middle', [member('tree/../../evil')]],
    ['a root', [member('/etc/evil')]],
    ['a drive', [member('C:evil')]],
    ['a way up of Windows', [member('tree\\..\\evil')]],
    ['a device', [member('tree/con.yaml')]],
    ['a stream', [member('tree/a.yaml:b')]],
    ['an end that Windows drops', [member('tree/a.yaml.')]],
    ['a control character', [member('tree/a\u0000b')]],
    ['another spelling of a letter', [member('tree/e\u0301')]],
    ['a link', [member('tree/a', { unixMode: 0o120777, data: Buffer.from('/etc/passwd') })]],
    ['a folder', [member('tree/a/', { data: Buffer.alloc(0) })]],
    ['something packed', [member('tree/a', { stored: false })]],
    ['a bomb', [member('tree/a', { stored: false, data: Buffer.alloc(32 * 1024 * 1024) })]],
  ])('unsafe: %s', async (_, members) => {
    expect(['unsafe_member', 'not_a_bundle']).toContain(await codeOf(openBundle(zipOf(members))));
  });

  test.each([
    ['a name twice', 'tree/a', 'tree/a'],
    ['a name in other letters', 'tree/a', 'tree/A'],
    ['a name in other signs', 'tree/ﬁ', 'tree/fi'],
    ['two manifests', 'manifest.json', 'manifest.json'],
  ])('double: %s', async (_, one, two) => {
    const archive = zipOf([member(one), member(two)]);
    expect(await codeOf(openBundle(archive))).toBe('duplicate_member');
  });

  test('sizes: a member that says more than it has, more members and more bytes than a bundle may have', async () => {
    const liar = zipOf([member('manifest.json', { size: 5_000_000 })]);
    expect(await codeOf(openBundle(liar))).toBe('not_a_bundle');
    const huge = zipOf([member('manifest.json', { size: 4_000_000_000 })]);
    expect(await codeOf(openBundle(huge))).toBe('bundle_too_large');
    const many = zipOf(Array.from({ length: 2_001 }, (_, index) => member(`tree/${index}`)));
    expect(await codeOf(openBundle(many))).toBe('bundle_too_large');
    const short = (await signed()).archive.slice(0, -30);
    expect(await codeOf(openBundle(short))).toBe('not_a_bundle');
    expect(await codeOf(openBundle(Buffer.from('no archive')))).toBe('not_a_bundle');
    expect(await codeOf(openBundle(Buffer.alloc(0)))).toBe('not_a_bundle');
  });

  test.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['another form', '{"format":"specwright-bundle/2"}'],
    ['a file that leads out', null],
  ])('a manifest that is %s', async (_, text) => {
    const { archive } = await packed();
    const bad = await changed(archive, (all) => {
      const manifest = JSON.parse(String(all.get('manifest.json')));
      manifest.files[0].path = '../out';
      all.set('manifest.json', Buffer.from(text ?? JSON.stringify(manifest)));
    });
    expect(['manifest_invalid', 'unsafe_member']).toContain(await codeOf(openBundle(bad)));
  });

  test('equal members give equal archives', async () => {
    const members = new Map([['a', new Uint8Array([1])]]);
    expect(await writeStoredZip(members)).toEqual(await writeStoredZip(members));
  });
});
