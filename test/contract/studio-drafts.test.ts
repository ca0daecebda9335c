import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  auditRows,
  authored,
  freshStudios,
  importFile,
  P,
  refused,
  register,
  SPEC,
  sha,
  studio,
  TIME,
  write,
} from '../support/studio-world.ts';

freshStudios();

describe('exposure and drafts', () => {
  test('27, 28, 29, 30, 31 AS-011, AS-096, AS-098: the digest follows the registered files (AS-092, AS-093, AS-094, AS-095)', async () => {
    expect((await studio.call('GET', `${P}/drafts`)).body).toEqual([]);
    const found = statSync(studio.root, { bigint: true });
    const identity = sha(`${found.dev}:${found.ino}:${studio.root}`);
    const fresh = await studio.call('GET', `${P}/drafts/exposure`);
    expect(fresh.body).toEqual({
      root_identity: identity,
      exposure_digest: sha(identity),
      privileged_entries: [],
    });
    write('mine.yaml', SPEC);
    write('over.yaml', SPEC);
    await register('over.yaml', { kind: 'overlay' });
    const one = await studio.call('GET', `${P}/exposure/preflight`);
    expect(one.body.status).toBe('unconfirmed');
    const confirm = (digest: string) =>
      studio.call('POST', `${P}/exposure/confirm`, { exposure_digest: digest });
    expect((await confirm(one.body.exposure_digest)).body.status).toBe('confirmed');
    await register('mine.yaml');
    const two = await studio.call('GET', `${P}/exposure/preflight`);
    expect(two.body).toMatchObject({
      status: 'manifest_changed',
      exposure_digest: sha(`${identity}\nmine.yaml\nover.yaml`),
      manifest: [
        { ref: 'mine.yaml', kind: 'spec', privileged: true },
        { ref: 'over.yaml', kind: 'overlay', privileged: true },
      ],
    });
    refused(await confirm('x'), 409, 'exposure_stale', {
      exposure_digest: two.body.exposure_digest,
    });
    await studio.call('POST', `${P}/drafts`, { name: 'own', kind: 'spec', text: SPEC });
    const three = await studio.call('GET', `${P}/exposure/preflight`);
    expect(three.body.manifest).toContainEqual({
      ref: '.studio/drafts/own.yaml',
      kind: 'spec',
      privileged: false,
    });
  });

  test('32: a tree that was replaced answers nothing until an owner confirms it (AS-094, AS-098)', async () => {
    await authored('a.yaml', SPEC);
    const { body } = await studio.call('GET', `${P}/exposure/preflight`);
    await studio.call('POST', `${P}/exposure/confirm`, { exposure_digest: body.exposure_digest });
    renameSync(studio.root, `${studio.root}-old`);
    mkdirSync(studio.root);
    write('a.yaml', SPEC);
    const changed = await studio.call('GET', `${P}/exposure/preflight`);
    expect(changed.body.status).toBe('root_changed');
    refused(await studio.call('GET', `${P}/drafts`), 409, 'exposure_unconfirmed');
    refused(await studio.call('GET', `${P}/drafts/a.yaml`), 409, 'exposure_unconfirmed');
    await studio.call('POST', `${P}/exposure/confirm`, {
      exposure_digest: changed.body.exposure_digest,
    });
    expect((await studio.call('GET', `${P}/drafts/a.yaml`)).status).toBe(200);
  });

  test('33, 34, 35, 36: what may be registered (AS-028, AS-029)', async () => {
    write('a.yaml', SPEC);
    symlinkSync(path.join(studio.root, 'a.yaml'), path.join(studio.root, 'link.yaml'));
    mkdirSync(path.join(studio.root, 'd'));
    symlinkSync(path.join(studio.root, 'd'), path.join(studio.root, 'behind'));
    write('d/b.yaml', SPEC);
    const exposure = (await studio.call('GET', `${P}/drafts/exposure`)).body;
    const put = (ref: string, digest = exposure.exposure_digest, more = {}) =>
      studio.call('POST', `${P}/drafts/register`, { path: ref, exposure_digest: digest, ...more });
    refused(await put('a.yaml', 'old'), 409, 'exposure_changed');
    for (const ref of [
      '../x',
      '/etc/passwd',
      'a\\b',
      'c:x',
      'a\u0001',
      'nul',
      'link.yaml',
      'behind/b.yaml',
      'd',
      'gone.yaml',
      '.studio/drafts/x.yaml',
    ]) {
      refused(await put(ref), 404, 'draft_not_found');
    }
    const made = await put('./a.yaml', undefined, { capabilities: 'read_write' });
    expect([made.status, made.text]).toEqual([201, '']);
    const again = (await studio.call('GET', `${P}/drafts/exposure`)).body.exposure_digest;
    expect((await put('a.yaml', again, { kind: 'overlay', capabilities: 'read' })).status).toBe(
      201,
    );
    const [draft] = (await studio.call('GET', `${P}/drafts`)).body;
    expect(draft).toMatchObject({ ref: 'a.yaml', kind: 'spec', capabilities: 'read_write' });
    expect(draft.registered_at).toMatch(TIME);
  });

  test('37 AS-022: text, revision and headers; CR LF and mark come back byte for byte', async () => {
    const text = '\ufeffversion: v1\r\nagent:\r\n  name: a\r\n';
    await authored('a.yaml', text);
    const read = await studio.call('GET', `${P}/drafts/a.yaml`);
    expect(read.body).toEqual({ ref: 'a.yaml', text, revision: sha(text) });
    expect(read.headers.get('etag')).toBe(`"${sha(text)}"`);
    expect(read.headers.get('cache-control')).toBe('no-store');
    const saved = await studio.call('PUT', `${P}/drafts/a.yaml`, {
      text: `${text}x\r\n`,
      expected_revision: sha(text),
    });
    expect(saved.body).toEqual({ revision: sha(`${text}x\r\n`) });
    expect(readFileSync(path.join(studio.root, 'a.yaml'), 'utf8')).toBe(`${text}x\r\n`);
  });

  test('38, 39, 40, 41 AS-002: a save needs the revision that it saw', async () => {
    const { revision } = await authored('dir/a.yaml', SPEC);
    const save = (text: string, expected: string, ref = 'dir/a.yaml') =>
      studio.call('PUT', `${P}/drafts/${ref}`, { text, expected_revision: expected });
    refused(await save('x', 'old'), 409, 'draft_stale', {
      path: 'dir/a.yaml',
      expected_revision: 'old',
      revision,
    });
    expect(readFileSync(path.join(studio.root, 'dir/a.yaml'), 'utf8')).toBe(SPEC);
    const answers = await Promise.all(['1', '2', '3', '4'].map((text) => save(text, revision)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409]);
    expect(readdirSync(path.join(studio.root, 'dir'))).toEqual(['a.yaml']);
    write('ro.yaml', SPEC);
    await register('ro.yaml');
    refused(await save('x', 'old', 'ro.yaml'), 409, 'draft_stale');
    refused(await save('x', revision, 'ro.yaml'), 403, 'draft_read_only', { path: 'ro.yaml' });
    refused(await save('x', revision, 'new.yaml'), 404, 'draft_not_found');
    expect(existsSync(path.join(studio.root, 'new.yaml'))).toBe(false);
  });

  test('text that is no UTF-8 is refused before anything is written', async () => {
    const { revision } = await authored('a.yaml', SPEC);
    const answer = await studio.call('PUT', `${P}/drafts/a.yaml`, {
      text: 'a\ud800',
      expected_revision: revision,
    });
    refused(answer, 422, 'request_invalid');
    expect(answer.body.details.errors[0]).toMatchObject({
      loc: ['body', 'text'],
      type: 'value_error',
    });
  });

  test('42: dropping forgets the registration and keeps the file', async () => {
    await authored('a/b.yaml', SPEC);
    const drop = () => studio.call('DELETE', `${P}/drafts/a/b.yaml/registration`);
    expect((await drop()).status).toBe(204);
    refused(await drop(), 404, 'draft_not_found');
    expect(existsSync(path.join(studio.root, 'a/b.yaml'))).toBe(true);
  });

  test('43, 95, 100 AS-008, AS-054: not applicable is asserted of authored bytes only (AS-026, AS-027, AS-136)', async () => {
    const base = await authored('a.yaml', SPEC);
    const claim = (ref: unknown, more = {}) =>
      studio.call('POST', `${P}/drafts/assertions`, { ref, ...more });
    refused(await claim(base, { reason: 'because' }), 422, 'request_invalid');
    refused(await claim({ ...base, revision: 'x' }), 409, 'draft_stale', {
      expected_revision: 'x',
    });
    expect((await claim(base)).status).toBe(204);
    expect((await claim(base)).status).toBe(204);
    const [summary] = (await studio.call('GET', `${P}/drafts`)).body;
    expect(summary).toMatchObject({
      can_assert_not_applicable: false,
      not_applicable_asserted: true,
    });
    await studio.call('PUT', `${P}/drafts/a.yaml`, {
      text: `${SPEC}#\n`,
      expected_revision: base.revision,
    });
    const [edited] = (await studio.call('GET', `${P}/drafts`)).body;
    expect(edited).toMatchObject({
      can_assert_not_applicable: true,
      not_applicable_asserted: false,
    });
    const created = await studio.call('POST', `${P}/drafts`, {
      name: 'new',
      kind: 'spec',
      text: SPEC,
    });
    expect([created.status, created.body.ref]).toEqual([201, '.studio/drafts/new.yaml']);
    expect((await claim({ path: created.body.ref, revision: created.body.revision })).status).toBe(
      204,
    );
    const imported = await importFile('two-agents-sequential');
    refused(await claim(imported.draft), 409, 'assertion_refused');
    const moved = await studio.call('POST', `${P}/drafts/moves`, {
      old_ref: imported.draft.path,
      new_ref: 'flows/two.yaml',
      expected_revision: imported.draft.revision,
    });
    expect(moved.body).toEqual({
      analysis_ids: imported.analysis_ids,
      old_ref: imported.draft.path,
      new_ref: 'flows/two.yaml',
    });
    refused(
      await claim({ path: 'flows/two.yaml', revision: imported.draft.revision }),
      409,
      'assertion_refused',
    );
    const rows = (await auditRows()).filter((row) => row.action === 'assert_not_applicable');
    expect(rows.map((row) => [row.principal_id, row.outcome])).toEqual([
      ['local-owner', 'allowed'],
      ['local-owner', 'allowed'],
    ]);
    expect(rows[0]?.at).toMatch(TIME);
  });

  test('44: reassociation refuses in the order of its rules, then carries the analyses over (AS-030)', async () => {
    const imported = await importFile('two-agents-sequential');
    const { path: old_ref, revision } = imported.draft;
    const digest = async () =>
      (await studio.call('GET', `${P}/drafts/exposure`)).body.exposure_digest;
    const move = async (change: Record<string, unknown> = {}) =>
      studio.call('POST', `${P}/drafts/reassociations`, {
        old_ref,
        new_ref: 'n.yaml',
        expected_revision: revision,
        exposure_digest: await digest(),
        ...change,
      });
    refused(await move({ new_ref: old_ref }), 422, 'request_invalid');
    refused(await move({ old_ref: 'other.yaml' }), 404, 'reassociation_source_not_found');
    refused(await move({ expected_revision: 'x' }), 409, 'draft_stale', { path: old_ref });
    refused(await move(), 404, 'draft_not_found');
    write('n.yaml', SPEC);
    refused(await move(), 409, 'draft_stale', { path: 'n.yaml' });
    write('n.yaml', imported.spec_yaml);
    refused(await move({ exposure_digest: 'x' }), 409, 'exposure_stale');
    const done = await move();
    expect([done.status, done.body]).toEqual([
      200,
      { analysis_ids: imported.analysis_ids, new_ref: 'n.yaml', old_ref },
    ]);
    expect((await move({ exposure_digest: 'not looked at' })).status).toBe(200);
    write('other.yaml', imported.spec_yaml);
    await register('other.yaml', { kind: 'overlay' });
    refused(await move({ new_ref: 'other.yaml' }), 409, 'reassociation_target_conflict', {
      expected_kind: 'spec',
      kind: 'overlay',
    });
  });

  test('drafts are created, listed in the tree and deleted in their namespace only', async () => {
    const create = (name: string) =>
      studio.call('POST', `${P}/drafts`, { name, kind: 'overlay', text: 'a: 1\n' });
    const made = await create('one.yml');
    refused(await create('one.yml'), 409, 'draft_exists');
    for (const name of ['', '../x', 'a/b', 'con', 'x'.repeat(97)]) {
      const bad = await create(name);
      refused(bad, 422, 'request_invalid');
      expect(bad.body.details.errors[0].loc).toEqual(['body', 'name']);
    }
    await authored('own.yaml', SPEC);
    write('free.json', '{}');
    write('picture.png', 'x');
    const tree = (await studio.call('GET', `${P}/tree`)).body;
    expect(
      tree.entries.map((entry: { ref: string; registered: boolean; origin: string }) => [
        entry.ref,
        entry.registered,
        entry.origin,
      ]),
    ).toEqual([
      ['.studio/drafts/one.yml', true, 'authored'],
      ['free.json', false, null],
      ['own.yaml', true, 'authored'],
    ]);
    const drop = (ref: string, revision: string) =>
      studio.call('DELETE', `${P}/drafts/${ref}?expected_revision=${revision}`);
    refused(await drop('own.yaml', sha(SPEC)), 403, 'draft_read_only');
    refused(await drop(made.body.ref, 'x'), 409, 'draft_stale');
    expect((await drop(made.body.ref, made.body.revision)).status).toBe(204);
    expect(existsSync(path.join(studio.root, made.body.ref))).toBe(false);
  });
});
