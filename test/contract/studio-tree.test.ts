import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  auditRows,
  freshStudios,
  P,
  refused,
  SPEC,
  sha,
  studio,
  write,
} from '../support/studio-world.ts';

freshStudios();

const tree = async () => (await studio.call('GET', `${P}/tree`)).body;
const refs = async () => (await tree()).entries.map((entry: { ref: string }) => entry.ref);
const digest = async () =>
  (await studio.call('GET', `${P}/drafts/exposure`)).body.exposure_digest as string;
const create = (at: string, text = SPEC) =>
  studio.call('POST', `${P}/tree/files`, { path: at, kind: 'spec', text });

test('AS-011, AS-018: the tree tells what is there at once, and what of it is a spec', async () => {
  write('a.yaml', SPEC);
  write('flow.json', '{\n  "version": "v1",\n  "agent": {"name": "a"}\n}\n');
  write('docs/readme.md', '# version: v1\n');
  write('data/values.yaml', 'version: 3\nagent: x\n');
  write('node_modules/x/a.yaml', SPEC);
  write('.git/a.yaml', SPEC);
  write('über/größe.yaml', SPEC);
  writeFileSync(path.join(studio.root, 'latin.yaml'), Buffer.from([0xff, 0xfe, 0x41]));
  symlinkSync('/etc', path.join(studio.root, 'etc'));
  symlinkSync(path.join(studio.root, 'a.yaml'), path.join(studio.root, 'link.yaml'));
  const { entries, truncated } = await tree();
  expect(truncated).toBe(false);
  expect(entries.map(({ ref, spec }: { ref: string; spec: boolean }) => [ref, spec])).toEqual([
    ['a.yaml', true],
    ['data/values.yaml', false],
    ['docs/readme.md', false],
    ['flow.json', true],
    ['über/größe.yaml', true],
  ]);
});

test('one call registers every spec that was found, at the exposure that was seen (AS-011, AS-028)', async () => {
  for (const ref of ['a.yaml', 'd/b.yaml', 'c.yaml']) write(ref, SPEC);
  const put = (paths: string[], exposure_digest: string) =>
    studio.call('POST', `${P}/tree/registrations`, {
      paths,
      capabilities: 'read_write',
      exposure_digest,
    });
  refused(await put(['a.yaml'], 'old'), 409, 'exposure_changed');
  const made = await put(
    ['a.yaml', 'd/b.yaml', '../x.yaml', '/etc/passwd', 'gone.yaml', '.studio/drafts/x.yaml'],
    await digest(),
  );
  expect(made.body).toEqual({
    registered: ['a.yaml', 'd/b.yaml'],
    refused: ['../x.yaml', '/etc/passwd', '.studio/drafts/x.yaml', 'gone.yaml'],
  });
  expect((await put(['a.yaml', 'c.yaml'], await digest())).body.registered).toEqual(['c.yaml']);
  const drafts = (await studio.call('GET', `${P}/drafts`)).body;
  expect(drafts.map((draft: { ref: string }) => draft.ref)).toEqual([
    'a.yaml',
    'c.yaml',
    'd/b.yaml',
  ]);
  expect((await auditRows()).filter((row) => row.action === 'register_draft')).toHaveLength(3);
});

test('a file is created at a path of the tree and nowhere else', async () => {
  const made = await create('flows/new.yaml');
  expect([made.status, made.body]).toEqual([
    201,
    { ref: 'flows/new.yaml', text: SPEC, revision: sha(SPEC) },
  ]);
  refused(await create('flows/new.yaml', 'x'), 409, 'draft_exists', { path: 'flows/new.yaml' });
  symlinkSync('/tmp', path.join(studio.root, 'out'));
  for (const at of ['../x.yaml', '/tmp/x.yaml', 'a\\b.yaml', 'c:x.yaml', 'hook', '', 'nul.yaml']) {
    refused(await create(at), 422, 'request_invalid');
  }
  refused(await create('out/x.yaml'), 500, 'draft_write_failed');
  expect(existsSync('/tmp/x.yaml')).toBe(false);
});

test('what changes on disk gives the tree another version, what does not keeps it', async () => {
  write('d/a.yaml', SPEC);
  const version = async () => (await studio.call('GET', `${P}/tree/version`)).body;
  const changes = async (act: () => void) => {
    const before = (await tree()).version;
    expect(await version()).toEqual({ version: before, watched: true });
    act();
    await expect.poll(async () => (await version()).version).not.toBe(before);
  };
  await changes(() => write('d/b.yaml', SPEC));
  await changes(() => write('d/b.yaml', `${SPEC}# more\n`));
  await changes(() => write('new/c.yaml', SPEC));
  await changes(() => write('new/d.yaml', SPEC));
  await changes(() => renameSync(path.join(studio.root, 'new'), path.join(studio.root, 'other')));
  await changes(() => rmSync(path.join(studio.root, 'd'), { recursive: true }));
  expect(await refs()).toEqual(['other/c.yaml', 'other/d.yaml']);
  renameSync(studio.root, `${studio.root}-away`);
  refused(await studio.call('GET', `${P}/tree`), 409, 'project_root_unavailable');
  expect((await version()).watched).toBe(false);
  mkdirSync(studio.root);
  write('back.yaml', SPEC);
  expect(await refs()).toEqual(['back.yaml']);
  await changes(() => write('again.yaml', SPEC));
});

const trash = async () => (await studio.call('GET', `${P}/trash`)).body.entries;
const remove = (ref: string, expected_revision: string) =>
  studio.call('POST', `${P}/trash`, { ref, expected_revision });
const restore = (id: string, body: object = {}) =>
  studio.call('POST', `${P}/trash/${id}/restorations`, body);

test('a deleted file comes back byte for byte with its rights and its registration', async () => {
  const text = '\ufeffversion: v1\r\nagent:\r\n  name: ä\r\n';
  await create('d/a.yaml', text);
  chmodSync(path.join(studio.root, 'd/a.yaml'), 0o640);
  refused(await remove('d/a.yaml', 'old'), 409, 'draft_stale');
  const gone = await remove('d/a.yaml', sha(text));
  expect(gone.body).toMatchObject({
    ref: 'd/a.yaml',
    revision: sha(text),
    kind: 'spec',
    deleted_by: 'Local owner',
  });
  expect(readdirSync(path.join(studio.root, 'd'))).toEqual([]);
  expect((await studio.call('GET', `${P}/drafts`)).body).toEqual([]);
  expect(await trash()).toEqual([gone.body]);
  const back = await restore(gone.body.id);
  expect(back.body).toEqual({ ref: 'd/a.yaml', revision: sha(text) });
  expect(readFileSync(path.join(studio.root, 'd/a.yaml'), 'utf8')).toBe(text);
  expect((await studio.call('GET', `${P}/drafts/d/a.yaml`)).body.text).toBe(text);
  expect(await trash()).toEqual([]);
  refused(await restore(gone.body.id), 404, 'trash_entry_not_found');
  expect((await auditRows()).map((row) => row.action)).toEqual(
    expect.arrayContaining(['delete_draft', 'restore_draft']),
  );
});

test('what stands in the place of a deleted file stays, and another path can be named', async () => {
  await create('a.yaml');
  const { id } = (await remove('a.yaml', sha(SPEC))).body;
  write('a.yaml', 'other');
  refused(await restore(id), 409, 'draft_exists', { path: 'a.yaml' });
  symlinkSync('/tmp', path.join(studio.root, 'out'));
  for (const ref of ['../x.yaml', '/tmp/x.yaml'])
    refused(await restore(id, { ref }), 404, 'draft_not_found');
  refused(await restore(id, { ref: 'out/x.yaml' }), 500, 'draft_write_failed');
  expect((await restore(id, { ref: 'b.yaml' })).body.ref).toBe('b.yaml');
  expect(readFileSync(path.join(studio.root, 'a.yaml'), 'utf8')).toBe('other');
});

test('a deleted file is kept for 30 days and not a day longer, or until an owner removes it', async () => {
  await create('a.yaml');
  await create('b.yaml');
  const a = (await remove('a.yaml', sha(SPEC))).body;
  const b = (await remove('b.yaml', sha(SPEC))).body;
  expect(Date.parse(a.ends_at) - Date.parse(a.deleted_at)).toBe(30 * 86_400_000);
  expect((await studio.call('DELETE', `${P}/trash/${b.id}`)).status).toBe(204);
  refused(await studio.call('DELETE', `${P}/trash/${b.id}`), 404, 'trash_entry_not_found');
  studio.clock.ms += 30 * 86_400_000 - 60_000;
  expect(await trash()).toHaveLength(1);
  studio.clock.ms += 120_000;
  await studio.restart();
  expect(await trash()).toEqual([]);
  refused(await restore(a.id), 404, 'trash_entry_not_found');
});

test('a read-only folder keeps its file, and nothing says that it was deleted', async () => {
  await create('d/a.yaml');
  chmodSync(path.join(studio.root, 'd'), 0o555);
  const root = process.getuid?.() === 0;
  try {
    const answer = await remove('d/a.yaml', sha(SPEC));
    if (!root) {
      refused(answer, 500, 'draft_write_failed');
      expect(await trash()).toEqual([]);
      expect((await studio.call('GET', `${P}/drafts/d/a.yaml`)).status).toBe(200);
    }
  } finally {
    chmodSync(path.join(studio.root, 'd'), 0o755);
  }
});

test('AS-030: a draft whose file went elsewhere is found again by its bytes', async () => {
  write('a.yaml', SPEC);
  await create('b/mine.yaml', `${SPEC}# mine\n`);
  renameSync(path.join(studio.root, 'b/mine.yaml'), path.join(studio.root, 'moved.yaml'));
  const moved = await studio.call('GET', `${P}/tree/moved?ref=b/mine.yaml`);
  expect(moved.body).toEqual({
    revision: sha(`${SPEC}# mine\n`),
    candidates: [
      { ref: 'moved.yaml', same_text: true },
      { ref: 'a.yaml', same_text: false },
    ],
  });
});
