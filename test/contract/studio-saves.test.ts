import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { canMakeSmallDisk, makeSmallDisk } from '../support/small-disk.ts';
import {
  auditRows,
  authored,
  freshStudios,
  P,
  refused,
  register,
  SPEC,
  sha,
  studio,
  write,
} from '../support/studio-world.ts';

freshStudios();

const change = (ref: string, text: string, before: string) => ({
  ...{ ref, text },
  expected_revision: sha(before),
});
const save = (...drafts: readonly ReturnType<typeof change>[]) =>
  studio.call('POST', `${P}/drafts/saves`, { drafts });
const held = (ref: string) => readFileSync(path.join(studio.root, ref), 'utf8');

test('several drafts are saved together, each with its history and its audit row', async () => {
  await authored('a.yaml', SPEC);
  await authored('b.yaml', 'agent: {name: b}\n');
  const saved = await save(
    change('a.yaml', 'version: v1\n', SPEC),
    change('b.yaml', 'agent: {name: c}\n', 'agent: {name: b}\n'),
  );
  expect(saved.status, saved.text).toBe(200);
  expect(saved.body).toEqual({
    drafts: [
      { ref: 'a.yaml', revision: sha('version: v1\n') },
      { ref: 'b.yaml', revision: sha('agent: {name: c}\n') },
    ],
  });
  expect([held('a.yaml'), held('b.yaml')]).toEqual(['version: v1\n', 'agent: {name: c}\n']);
  const { versions } = (await studio.call('GET', `${P}/history/b.yaml`)).body;
  expect(versions[0].cause).toBe('save');
  expect((await auditRows()).filter(({ action }) => action === 'save_draft')).toHaveLength(2);
});

test('where one changed meanwhile, all that changed are named and nothing is written', async () => {
  await authored('a.yaml', SPEC);
  await authored('b.yaml', 'b: 1\n');
  await authored('c.yaml', 'c: 1\n');
  write('b.yaml', 'b: 2\n');
  write('c.yaml', 'c: 2\n');
  const answer = await save(
    change('a.yaml', 'version: v1\n', SPEC),
    change('b.yaml', 'b: 3\n', 'b: 1\n'),
    change('c.yaml', 'c: 3\n', 'c: 1\n'),
  );
  refused(answer, 409, 'draft_stale', { paths: ['b.yaml', 'c.yaml'] });
  expect([held('a.yaml'), held('b.yaml')]).toEqual([SPEC, 'b: 2\n']);
});

test('a draft that may only be read, is none, or is named twice lets nothing be written', async () => {
  await authored('a.yaml', SPEC);
  write('r.yaml', 'r: 1\n');
  await register('r.yaml');
  const mine = change('a.yaml', 'version: v1\n', SPEC);
  refused(await save(mine, change('r.yaml', 'r: 2\n', 'r: 1\n')), 403, 'draft_read_only');
  refused(await save(mine, change('gone.yaml', 'x', 'y')), 404, 'draft_not_found');
  refused(await save(mine, mine), 409, 'draft_stale');
  const none = await studio.call('POST', `${P}/drafts/saves`, { drafts: [] });
  refused(none, 422, 'request_invalid');
  expect(held('a.yaml')).toBe(SPEC);
});

test.skipIf(!canMakeSmallDisk())(
  'a write that fails halfway leaves every draft as it was',
  async () => {
    const folder = path.join(studio.root, 'small');
    mkdirSync(folder);
    const disk = makeSmallDisk(1, folder);
    if (disk === undefined) throw new Error('no disk');
    try {
      await authored('a.yaml', SPEC);
      await authored('small/b.yaml', 'b: 1\n');
      disk.remount('ro');
      const answer = await save(
        change('a.yaml', 'version: v1\n', SPEC),
        change('small/b.yaml', 'b: 2\n', 'b: 1\n'),
      );
      refused(answer, 500, 'draft_write_failed', { changed: [] });
      expect([held('a.yaml'), held('small/b.yaml')]).toEqual([SPEC, 'b: 1\n']);
    } finally {
      disk.remove();
    }
  },
);
