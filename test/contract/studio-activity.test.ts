import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  authored,
  freshStudios,
  inStore,
  P,
  refused,
  register,
  SPEC,
  studio,
  TIME,
  write,
} from '../support/studio-world.ts';

freshStudios();

const confirm = async () => {
  const { body } = await studio.call('GET', `${P}/drafts/exposure`);
  return studio.call('POST', `${P}/exposure/confirm`, { exposure_digest: body.exposure_digest });
};
const since = async () => (await studio.call('GET', `${P}/exposure/confirmation`)).body;
const read = async (query = '') => (await studio.call('GET', `${P}/activity${query}`)).body;
const actions = async (query = '') =>
  (await read(query)).entries.map((entry: { action: string }) => entry.action);

describe('the last confirmation (studio.md 18)', () => {
  test('is remembered with its files: what is new and what is gone since (AS-094, AS-098)', async () => {
    expect(await since()).toBe(null);
    write('old.yaml', SPEC);
    write('kept.yaml', SPEC);
    await register('old.yaml');
    await register('kept.yaml');
    await confirm();
    expect(await since()).toMatchObject({ confirmed_by: 'Local owner', added: [], removed: [] });
    write('new.yaml', SPEC);
    await register('new.yaml');
    await studio.call('DELETE', `${P}/drafts/old.yaml/registration`);
    const changed = await since();
    const preflight = (await studio.call('GET', `${P}/exposure/preflight`)).body;
    expect(changed).toMatchObject({
      added: ['new.yaml'],
      removed: ['old.yaml'],
      exposure_digest: preflight.exposure_digest,
    });
    expect(changed.confirmed_at).toMatch(TIME);
    expect(preflight.status).toBe('manifest_changed');
    await confirm();
    expect(await since()).toMatchObject({ added: [], removed: [] });
  });

  test('names the files that another folder in its place does not have (AS-094)', async () => {
    for (const ref of ['a.yaml', 'flows/b.yaml', 'flows/c.yaml', 'd.yaml']) {
      write(ref, SPEC);
      await register(ref);
    }
    await confirm();
    expect((await since()).missing).toEqual([]);
    const away = `${studio.root}-away`;
    renameSync(studio.root, away);
    expect((await since()).missing).toEqual(['a.yaml', 'd.yaml', 'flows/b.yaml', 'flows/c.yaml']);
    mkdirSync(studio.root);
    write('a.yaml', SPEC);
    write('flows/b.yaml', SPEC);
    symlinkSync(path.join(away, 'd.yaml'), path.join(studio.root, 'd.yaml'));
    expect((await studio.call('GET', `${P}/exposure/preflight`)).body.status).toBe('root_changed');
    expect((await since()).missing).toEqual(['d.yaml', 'flows/c.yaml']);
  });

  test('of an older program has no list, and says so', async () => {
    await authored('a.yaml', SPEC);
    await confirm();
    await inStore('UPDATE project_exposure SET privileged_entries = NULL');
    expect(await since()).toMatchObject({ added: null, removed: null });
  });

  test('stays as it was when the folder is another one', async () => {
    write('a.yaml', SPEC);
    await register('a.yaml');
    await confirm();
    renameSync(studio.root, `${studio.root}-old`);
    mkdirSync(studio.root);
    expect((await studio.call('GET', `${P}/exposure/preflight`)).body.status).toBe('root_changed');
    expect(await since()).toMatchObject({ added: [], removed: [] });
  });
});

describe('activity (studio.md 18)', () => {
  test('is the audit log of the project, newest first, page by page', async () => {
    await authored('a.yaml', SPEC);
    await authored('b.yaml', SPEC);
    await confirm();
    const all = await read();
    expect(all.next_cursor).toBe(null);
    expect(all.entries.map((entry: { action: string }) => entry.action)).toEqual([
      'confirm_exposure',
      'register_draft',
      'register_draft',
    ]);
    expect(all.entries[0]).toMatchObject({ principal_id: 'local-owner', outcome: 'allowed' });
    expect(all.entries[1]?.detail).toMatchObject({ ref: 'b.yaml', kind: 'spec' });
    const one = await read('?limit=2');
    expect(one.entries).toEqual(all.entries.slice(0, 2));
    const two = await read(`?limit=2&cursor=${one.next_cursor}`);
    expect([two.entries, two.next_cursor]).toEqual([all.entries.slice(2), null]);
    refused(await studio.call('GET', `${P}/activity?cursor=x`), 422, 'request_invalid');
  });

  test('is filtered by who, what, when and outcome', async () => {
    await authored('a.yaml', SPEC);
    const before = new Date(studio.clock.ms + 1).toISOString();
    studio.clock.ms += 60_000;
    await confirm();
    await inStore("UPDATE project_member SET role = 'editor'");
    refused(await studio.call('POST', `${P}/exposure/confirm`, {}), 403, 'forbidden');
    refused(await studio.call('GET', `${P}/exposure/preflight`), 403, 'forbidden');
    refused(await studio.call('GET', `${P}/activity`), 403, 'forbidden');
    await inStore("UPDATE project_member SET role = 'owner'");
    expect(await actions('?outcome=denied')).toEqual([
      'list_activity',
      'get_exposure_preflight',
      'confirm_exposure',
    ]);
    expect(await actions('?action=confirm_exposure&outcome=allowed')).toEqual(['confirm_exposure']);
    expect(await actions(`?until=${before}`)).toEqual(['register_draft']);
    expect(await actions(`?since=${before}&outcome=allowed`)).toEqual(['confirm_exposure']);
    expect(await actions('?actor=local-owner&limit=1')).toEqual(['list_activity']);
    expect(await actions('?actor=nobody')).toEqual([]);
    const choices = (await studio.call('GET', `${P}/activity/choices`)).body;
    expect(choices).toEqual({
      people: [{ principal_id: 'local-owner', display_name: 'Local owner' }],
      actions: ['confirm_exposure', 'get_exposure_preflight', 'list_activity', 'register_draft'],
    });
  });

  test('names whom an act was done to, and holds no path of the machine and no text', async () => {
    await inStore(
      "INSERT INTO principal VALUES ('ann', 'static', 'studio:static', 'ann', 'Ann', 'active', '2026-11-21T00:00:00.000000+00:00')",
    );
    const made = await studio.call('POST', `${P}/drafts`, {
      name: 'own',
      kind: 'spec',
      text: `${SPEC}# planted-words\n`,
    });
    expect(made.status).toBe(201);
    await confirm();
    await studio.call('PUT', `${P}/members/ann`, { role: 'viewer' });
    await studio.call('POST', `${P}/invitations`, {
      role: 'viewer',
      selector_kind: 'static_username',
      selector_value: 'planted-name',
    });
    const { entries } = await read();
    expect(entries).toHaveLength(4);
    const text = JSON.stringify(entries);
    expect(text).not.toContain(studio.root);
    expect(text).not.toContain('planted');
    const { people } = (await studio.call('GET', `${P}/activity/choices`)).body;
    expect(people).toContainEqual({ principal_id: 'ann', display_name: 'Ann' });
  });
});
