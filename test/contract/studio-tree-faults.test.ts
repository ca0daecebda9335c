// Faults of a project's folder: each ends in a clear refusal, nothing is lost or half written.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { DraftSummary } from '../../server/contract/studio/drafts.ts';
import { onPostgres } from '../support/chosen-store.ts';
import { canMakeSmallDisk, makeSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import type { StudioUnderTest } from '../support/studio-app.ts';
import {
  another,
  fixture,
  freshStudios,
  P,
  platform,
  refused,
  register,
  SPEC,
  sha,
  studio,
  write,
} from '../support/studio-world.ts';

freshStudios();

const save = (ref: string, text: string, seen: string, under = studio) =>
  under.call('PUT', `${P}/drafts/${encodeURI(ref)}`, { text, expected_revision: sha(seen) });
const read = (ref: string, under = studio) => under.call('GET', `${P}/drafts/${encodeURI(ref)}`);
const versions = async (ref: string, under = studio) => {
  const { body } = await under.call('GET', `${P}/history/${encodeURI(ref)}`);
  return body.versions.map(({ revision }: { revision: string }) => revision) as string[];
};
const onDisk = (ref: string, under = studio) => readFileSync(path.join(under.root, ref), 'utf8');
/** Nothing beside the files that somebody meant to be there. */
const names = (under = studio) => readdirSync(under.root, { recursive: true }).map(String).sort();

async function open(ref: string, text: string, under = studio) {
  write(ref, text, under);
  await register(ref, { capabilities: 'read_write' }, under);
}

test.each(['renamed over', 'written in place'] as const)(
  'what an editor on disk writes during a save is on disk or in the history: %s',
  { timeout: 60_000 },
  async (how) => {
    const file = path.join(studio.root, 'a.yaml');
    const long = (name: string) => `${SPEC}# ${name} ${'x'.repeat(700_000)}\n`;
    await open('a.yaml', long('first'));
    const codes = new Set<number>();
    for (let round = 0; round < 30; round += 1) {
      const seen = onDisk('a.yaml');
      const theirs = long(`theirs ${round}`);
      const saving = save('a.yaml', long(`ours ${round}`), seen);
      await delay(round % 15);
      if (how === 'renamed over') {
        writeFileSync(`${file}~`, theirs);
        renameSync(`${file}~`, file);
      } else {
        writeFileSync(file, theirs);
      }
      const answer = await saving;
      codes.add(answer.status);
      if (answer.status !== 200) refused(answer, 409, 'draft_stale');
      const now = onDisk('a.yaml');
      if (now !== theirs) {
        expect(sha(now)).toBe(answer.body.revision);
        expect(await versions('a.yaml'), `round ${round}`).toContain(sha(theirs));
      }
      expect(names()).toEqual(['a.yaml']);
    }
    expect([...codes].every((code) => code === 200 || code === 409)).toBe(true);
  },
);

test('two windows that save at the same moment: one is told, neither text is lost', async () => {
  await open('a.yaml', SPEC);
  const texts = Array.from({ length: 8 }, (_, n) => `${SPEC}# ${n}\n`);
  const answers = await Promise.all(texts.map((text) => save('a.yaml', text, SPEC)));
  const won = answers.findIndex(({ status }) => status === 200);
  expect(onDisk('a.yaml')).toBe(texts[won]);
  for (const [n, answer] of answers.entries()) {
    if (n !== won) refused(answer, 409, 'draft_stale', { revision: sha(texts[won] ?? '') });
  }
});

test('a folder that is gone says so, is not made anew, and goes on when it is back', async () => {
  await open('flows/a.yaml', SPEC);
  const away = `${studio.root}-away`;
  renameSync(studio.root, away);
  refused(await studio.call('GET', `${P}/tree`), 409, 'project_root_unavailable');
  refused(await studio.call('GET', `${P}/git`), 409, 'project_root_unavailable');
  refused(await read('flows/a.yaml'), 409, 'project_root_unavailable');
  refused(await save('flows/a.yaml', 'x', SPEC), 409, 'project_root_unavailable');
  for (const [way, body] of [
    ['tree/files', { path: 'flows/b.yaml', kind: 'spec', text: SPEC }],
    ['trash', { ref: 'flows/a.yaml', expected_revision: sha(SPEC) }],
    ['drafts/moves', { old_ref: 'flows/a.yaml', new_ref: 'b.yaml', expected_revision: sha(SPEC) }],
    ['drafts', { name: 'b', kind: 'spec', text: SPEC }],
  ] as const) {
    refused(await studio.call('POST', `${P}/${way}`, body), 409, 'project_root_unavailable');
  }
  const imported = { raw: fixture('agent-as-tool-and-tool-kinds'), alias: 'default' };
  refused(await studio.call('POST', `${P}/import/n8n`, imported), 409, 'project_root_unavailable');
  expect(existsSync(studio.root)).toBe(false);
  const listed = (await studio.call('GET', `${P}/drafts`)).body;
  expect(listed).toMatchObject([{ ref: 'flows/a.yaml', revision: null }]);
  renameSync(away, studio.root);
  expect((await read('flows/a.yaml')).body.text).toBe(SPEC);
  expect((await save('flows/a.yaml', `${SPEC}# y\n`, SPEC)).status).toBe(200);
  expect(names()).toEqual(['flows', 'flows/a.yaml']);
});

test('a file where a folder should be is refused, and stays', async () => {
  writeFileSync(path.join(studio.root, '.studio'), 'theirs');
  const made = await studio.call('POST', `${P}/drafts`, { name: 'b', kind: 'spec', text: SPEC });
  refused(made, 500, 'draft_write_failed');
  writeFileSync(path.join(studio.root, 'flows'), 'theirs');
  const at = { path: 'flows/b.yaml', kind: 'spec', text: SPEC };
  refused(await studio.call('POST', `${P}/tree/files`, at), 500, 'draft_write_failed');
  expect([onDisk('.studio'), onDisk('flows')]).toEqual(['theirs', 'theirs']);
  expect(names()).toEqual(['.studio', 'flows']);
});

test('names that differ by their accents alone: the composed one is used, the other is told', async () => {
  const composed = 'caf\u00e9.yaml';
  const decomposed = 'cafe\u0301.yaml';
  write(composed, `${SPEC}# composed\n`);
  write(decomposed, `${SPEC}# decomposed\n`);
  // A disk that takes both for one name has one file.
  const both = readdirSync(studio.root).length === 2;
  const { entries, unusable } = (await studio.call('GET', `${P}/tree`)).body;
  expect(entries.map(({ ref }: { ref: string }) => ref)).toEqual([composed]);
  expect(unusable).toEqual(both ? [decomposed] : []);
  await register(decomposed, { capabilities: 'read_write' });
  const before = `${SPEC}# ${both ? '' : 'de'}composed\n`;
  expect((await read(decomposed)).body).toMatchObject({ ref: composed, text: before });
  expect((await save(decomposed, `${SPEC}# saved\n`, before)).status).toBe(200);
  expect(onDisk(composed)).toBe(`${SPEC}# saved\n`);
  if (both) expect(onDisk(decomposed)).toBe(`${SPEC}# decomposed\n`);
});

test('a name that no draft can have is told with its folder', async () => {
  write('flows/a.yaml', SPEC);
  for (const name of ['aux.yaml', 'tab\there.yaml']) write(`flows/${name}`, SPEC);
  write('con/a.yaml', SPEC);
  const { entries, unusable } = (await studio.call('GET', `${P}/tree`)).body;
  expect(entries.map(({ ref }: { ref: string }) => ref)).toEqual(['flows/a.yaml']);
  expect(unusable.sort()).toEqual(['con', 'flows/aux.yaml', 'flows/tab\there.yaml']);
});

test('names that differ by case alone are two drafts where the disk says so', async () => {
  write('a.yaml', `${SPEC}# small\n`);
  write('A.yaml', `${SPEC}# large\n`);
  await register('a.yaml', { capabilities: 'read_write' });
  if (readdirSync(studio.root).length === 1) return;
  await register('A.yaml', { capabilities: 'read_write' });
  expect((await save('a.yaml', SPEC, `${SPEC}# small\n`)).status).toBe(200);
  expect([onDisk('a.yaml'), onDisk('A.yaml')]).toEqual([SPEC, `${SPEC}# large\n`]);
});

test('a spec of 1 MiB is listed, read, saved and kept; a longer one is refused whole', async () => {
  const of = (bytes: number, fill = 'x') => `${SPEC}# `.padEnd(bytes - 1, fill).concat('\n');
  const whole = of(1_048_576);
  await open('large.yaml', whole);
  const { entries } = (await studio.call('GET', `${P}/tree`)).body;
  expect(entries).toMatchObject([{ ref: 'large.yaml', size: 1_048_576, spec: true }]);
  expect((await read('large.yaml')).body.text).toBe(whole);
  const next = of(1_048_576, 'y');
  expect((await save('large.yaml', next, whole)).status).toBe(200);
  expect(onDisk('large.yaml')).toBe(next);
  expect(await versions('large.yaml')).toEqual([sha(next), sha(whole)]);
  const longer = await save('large.yaml', of(5_000_000), next);
  refused(longer, 413, 'request_too_large');
  expect(onDisk('large.yaml')).toBe(next);
});

test('the list tells by its next answer what others did to files that it knew', async () => {
  const refs = ['here.yaml', 'gone.yaml', 'link.yaml', 'over.yaml', 'same.yaml'];
  const textOf = (letter: string): string => `${SPEC}# ${letter}\n`;
  for (const ref of refs) await open(ref, textOf('a'));
  const listed = async (): Promise<(string | null)[]> =>
    (await studio.call('GET', `${P}/drafts`)).body.map((draft: DraftSummary) => draft.revision);
  // So that the next list keeps what it read.
  await delay(150);
  expect(await listed()).toEqual(refs.map(() => sha(textOf('a'))));
  const at = (ref: string): string => path.join(studio.root, ref);
  const { atime, mtime } = statSync(at('same.yaml'));
  write('here.yaml', textOf('b'));
  rmSync(at('gone.yaml'));
  renameSync(at('link.yaml'), at('moved.yaml'));
  symlinkSync('moved.yaml', at('link.yaml'));
  write('new.yaml', textOf('c'));
  renameSync(at('new.yaml'), at('over.yaml'));
  write('same.yaml', textOf('d'));
  utimesSync(at('same.yaml'), atime, mtime);
  const [b, c, d] = ['b', 'c', 'd'].map((letter) => sha(textOf(letter)));
  expect(await listed()).toEqual([null, b, null, c, d]);
  write('here.yaml', textOf('e'));
  expect(await listed()).toEqual([null, sha(textOf('e')), null, c, d]);
});

describe.skipIf(!canMakeSmallDisk())('on a small disk (needs the right to mount one)', () => {
  function disk(megabytes: number): SmallDisk {
    const made = makeSmallDisk(megabytes);
    if (made === undefined) throw new Error('no small disk');
    onTestFinished(() => {
      made.remount('rw');
      made.remove();
    });
    return made;
  }
  function fill(folder: string): () => void {
    const ballast = path.join(folder, 'ballast');
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(ballast, Buffer.alloc(bavail * bsize));
    return () => rmSync(ballast);
  }
  /** A studio whose tree stands on that disk. */
  async function onThat(small: SmallDisk): Promise<StudioUnderTest & { tree: string }> {
    const tree = path.join(small.folder, 'tree');
    mkdirSync(tree);
    const made = await another(platform.url, { projectRoot: tree });
    onTestFinished(() => made.stop());
    return Object.assign(Object.create(made), { root: tree, tree });
  }

  /** Every way to write, against a tree that takes none: refused, and all as it was. */
  async function everyWayFails(under: StudioUnderTest): Promise<void> {
    const before = names(under);
    const big = `${SPEC}# ${'x'.repeat(200_000)}\n`;
    refused(await save('a.yaml', big, SPEC, under), 500, 'draft_write_failed');
    for (const [way, body] of [
      ['tree/files', { path: 'b.yaml', kind: 'spec', text: big }],
      ['drafts', { name: 'b', kind: 'spec', text: big }],
      ['import/n8n', { raw: fixture('agent-as-tool-and-tool-kinds'), alias: 'default' }],
    ] as const) {
      refused(await under.call('POST', `${P}/${way}`, body), 500, 'draft_write_failed');
    }
    expect(names(under)).toEqual(before);
    expect((await read('a.yaml', under)).body).toMatchObject({ text: SPEC });
    expect(await versions('a.yaml', under)).not.toContain(sha(big));
  }

  test('a full tree: nothing half written, and it goes on when there is room', async () => {
    const small = disk(4);
    const under = await onThat(small);
    mkdirSync(path.join(under.root, '.studio/drafts'), { recursive: true });
    await open('a.yaml', SPEC, under);
    const free = fill(small.folder);
    await everyWayFails(under);
    free();
    expect((await save('a.yaml', `${SPEC}# y\n`, SPEC, under)).status).toBe(200);
  });

  test('a read-only tree: all is read, nothing is written, for the super-user too', async () => {
    const small = disk(4);
    const under = await onThat(small);
    await open('a.yaml', SPEC, under);
    small.remount('ro');
    await everyWayFails(under);
    const { body } = await under.call('GET', `${P}/tree`);
    expect(body.entries).toMatchObject([{ ref: 'a.yaml' }]);
    for (const [way, body] of [
      ['trash', { ref: 'a.yaml', expected_revision: sha(SPEC) }],
      ['drafts/moves', { old_ref: 'a.yaml', new_ref: 'b.yaml', expected_revision: sha(SPEC) }],
    ] as const) {
      refused(await under.call('POST', `${P}/${way}`, body), 500, 'draft_write_failed');
    }
    expect((await under.call('GET', `${P}/trash`)).body.entries).toEqual([]);
    small.remount('rw');
    const trashed = { ref: 'a.yaml', expected_revision: sha(SPEC) };
    expect((await under.call('POST', `${P}/trash`, trashed)).status).toBe(201);
  });

  // The room of a database is that of its own disk.
  test.skipIf(onPostgres)(
    'no room for the store: a save is refused and the file is as it was',
    async () => {
      const small = disk(8);
      const databaseFile = path.join(small.folder, 'studio.db');
      const under = await another(platform.url, { databaseFile });
      onTestFinished(() => under.stop());
      await open('a.yaml', SPEC, under);
      const free = fill(small.folder);
      let text = SPEC;
      let failed = 0;
      for (let n = 0; n < 40 && failed < 3; n += 1) {
        // Random, so that nothing packs it.
        const noise = Buffer.from(sha(`${n}`).repeat(4000)).toString('base64');
        const next = `${SPEC}# ${n} ${noise}\n`;
        const answer = await save('a.yaml', next, text, under);
        if (answer.status === 200) text = next;
        else {
          failed += 1;
          refused(answer, 503, 'store_unavailable');
        }
        expect(onDisk('a.yaml', under)).toBe(text);
      }
      expect(failed).toBe(3);
      free();
      expect((await save('a.yaml', `${SPEC}# z\n`, text, under)).status).toBe(200);
    },
  );
});
