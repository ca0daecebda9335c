import { renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  auditRows,
  authored,
  freshStudios,
  inStore,
  P,
  refused,
  register,
  SPEC,
  sha,
  studio,
  write,
} from '../support/studio-world.ts';

freshStudios();

const save = async (ref: string, text: string, before: string) => {
  const body = { text, expected_revision: sha(before) };
  const answer = await studio.call('PUT', `${P}/drafts/${ref}`, body);
  expect(answer.status, answer.text).toBe(200);
};
const history = async (ref: string) =>
  (await studio.call('GET', `${P}/history/${ref}`)).body.versions;
const read = (id: number) => studio.call('GET', `${P}/versions/${id}`);
const name = (id: number, to: string | null) =>
  studio.call('PUT', `${P}/versions/${id}`, { name: to });
const texts = async (ref: string) => {
  const all: string[] = [];
  for (const { id } of await history(ref)) all.push((await read(id)).body.text);
  return all;
};

test('every save keeps its bytes, with who and when, and what others had put there', async () => {
  const first = '\ufeffversion: v1\r\n# ä\r\n';
  await authored('d/a.yaml', first);
  expect(await history('d/a.yaml')).toEqual([]);
  await save('d/a.yaml', SPEC, first);
  await save('d/a.yaml', SPEC, SPEC);
  write('d/a.yaml', 'theirs\n');
  await save('d/a.yaml', 'mine\n', 'theirs\n');
  const versions = await history('d/a.yaml');
  const told = versions.map((one: Record<string, unknown>) => [
    one['cause'],
    one['saved_by'],
    one['revision'],
  ]);
  expect(told).toEqual([
    ['save', 'Local owner', sha('mine\n')],
    ['found', null, sha('theirs\n')],
    ['save', 'Local owner', sha(SPEC)],
    ['found', null, sha(first)],
  ]);
  expect(await texts('d/a.yaml')).toEqual(['mine\n', 'theirs\n', SPEC, first]);
});

test('a restore is a new save over the revision that was seen', async () => {
  await authored('a.yaml', SPEC);
  await save('a.yaml', 'two\n', SPEC);
  const oldest = (await history('a.yaml')).at(-1).id;
  const restore = (expected_revision: string) =>
    studio.call('POST', `${P}/versions/${oldest}/restorations`, { expected_revision });
  refused(await restore(sha('x')), 409, 'draft_stale', { path: 'a.yaml' });
  expect((await restore(sha('two\n'))).body).toEqual({ revision: sha(SPEC) });
  expect((await studio.call('GET', `${P}/drafts/a.yaml`)).body.text).toBe(SPEC);
  const causes = (await history('a.yaml')).map((one: { cause: string }) => one.cause);
  expect(causes).toEqual(['restore', 'save', 'found']);
  expect((await auditRows()).at(-1)?.action).toBe('save_draft');
});

test('the last 200 versions are kept, and those with a name, and no byte of the others', async () => {
  await authored('a.yaml', 'v0\n');
  await save('a.yaml', 'v1\n', 'v0\n');
  const named = (await history('a.yaml')).at(-1).id;
  expect((await name(named, 'before it all')).status).toBe(204);
  for (let n = 2; n <= 205; n += 1) await save('a.yaml', `v${n}\n`, `v${n - 1}\n`);
  const versions = await history('a.yaml');
  expect(versions).toHaveLength(201);
  expect(versions.at(-1)).toMatchObject({ name: 'before it all', revision: sha('v0\n') });
  expect(versions.at(-2)).toMatchObject({ revision: sha('v6\n') });
  expect(await inStore('SELECT count(*) AS n FROM kept_text')).toEqual([{ n: 201 }]);
  expect((await name(named, null)).status).toBe(204);
  await save('a.yaml', 'last\n', 'v205\n');
  expect(await history('a.yaml')).toHaveLength(200);
  refused(await read(named), 404, 'version_not_found');
}, 60_000);

test('the history follows a draft that is moved, deleted and put back, and ends with the trash', async () => {
  const { revision } = await authored('a.yaml', SPEC);
  await save('a.yaml', 'two\n', SPEC);
  await studio.call('POST', `${P}/drafts/moves`, {
    old_ref: 'a.yaml',
    new_ref: 'd/b.yaml',
    expected_revision: sha('two\n'),
  });
  expect(await texts('d/b.yaml')).toEqual(['two\n', SPEC]);
  const remove = (ref: string) =>
    studio.call('POST', `${P}/trash`, { ref, expected_revision: sha('two\n') });
  const entry = (await remove('d/b.yaml')).body;
  refused(await studio.call('GET', `${P}/history/d/b.yaml`), 404, 'draft_not_found');
  await studio.call('POST', `${P}/trash/${entry.id}/restorations`, { ref: 'c.yaml' });
  expect(await texts('c.yaml')).toEqual(['two\n', SPEC]);
  const gone = (await remove('c.yaml')).body;
  await studio.call('DELETE', `${P}/trash/${gone.id}`);
  for (const table of ['kept_text', 'draft_version', 'trash_entry']) {
    expect(await inStore(`SELECT count(*) AS n FROM ${table}`)).toEqual([{ n: 0 }]);
  }
  expect(revision).toBe(sha(SPEC));
});

test('versions of a draft that is none any more, of other trees and other numbers are not told', async () => {
  await authored('a.yaml', SPEC);
  await save('a.yaml', 'two\n', SPEC);
  const [{ id }] = await history('a.yaml');
  for (const wrong of ['0', '999', '-1', 'x', '1e3', `${id} `]) {
    refused(
      await studio.call('GET', `${P}/versions/${encodeURIComponent(wrong)}`),
      404,
      'version_not_found',
    );
  }
  await studio.call('DELETE', `${P}/drafts/a.yaml/registration`);
  refused(await read(id), 404, 'draft_not_found');
  await register('a.yaml');
  expect((await read(id)).body.text).toBe('two\n');
  const { body } = await studio.call('GET', `${P}/exposure/preflight`);
  await studio.call('POST', `${P}/exposure/confirm`, { exposure_digest: body.exposure_digest });
  renameSync(studio.root, `${studio.root}-old`);
  write('a.yaml', SPEC);
  refused(await read(id), 409, 'exposure_unconfirmed');
});
