import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sha256 } from './sha256.ts';
import { missingFiles, readFile, readFiles, readRevisions } from './tree-files.ts';

/** After so long a file that was read and is left alone is not read again. */
const SETTLED_MS = 150;

let root = '';
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'revisions-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const at = (ref: string): string => path.join(root, ref);

/** What is done to a file by others; the size stays wherever it can. */
const ACTS = {
  nothing: () => undefined,
  rewrite: (file, text) => writeFileSync(file, text),
  'rewrite, with the old time': (file, text) => {
    const { atime, mtime } = statSync(file);
    writeFileSync(file, text);
    utimesSync(file, atime, mtime);
  },
  replace: (file, text) => {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  },
  'replace, with the old time': (file, text) => {
    const { atime, mtime } = statSync(file);
    writeFileSync(`${file}.new`, text);
    utimesSync(`${file}.new`, atime, mtime);
    renameSync(`${file}.new`, file);
  },
  remove: (file) => rmSync(file),
  'link to another': (file, text) => {
    writeFileSync(`${file}.other`, text);
    rmSync(file);
    symlinkSync(`${file}.other`, file);
  },
  'link to its own bytes': (file) => {
    renameSync(file, `${file}.moved`);
    symlinkSync(`${file}.moved`, file);
  },
  folder: (file) => {
    rmSync(file);
    mkdirSync(file);
  },
  'no UTF-8': (file) => writeFileSync(file, Buffer.from([0xff, 0xfe, 0xff])),
  'folder moved away': (file) => renameSync(path.dirname(file), `${path.dirname(file)}.away`),
  'folder made a link': (file) => {
    renameSync(path.dirname(file), `${path.dirname(file)}.away`);
    symlinkSync(`${path.dirname(file)}.away`, path.dirname(file));
  },
} as const satisfies Record<string, (file: string, text: string) => void>;

/** As the files stand, each read by itself. */
async function asTheyStand(refs: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const ref of refs) {
    const content = await readFile(root, ref);
    if (content !== undefined) found.set(ref, content.revision);
  }
  return found;
}

test('whatever becomes of a file is seen by the next look', async () => {
  const names = Object.keys(ACTS) as (keyof typeof ACTS)[];
  const acts = fc.array(fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }), {
    minLength: 6,
    maxLength: 12,
  });
  let turn = 0;
  await fc.assert(
    fc.asyncProperty(acts, fc.boolean(), async (all, isSettled) => {
      turn += 1;
      const refs = all.map((_, n) => `t${turn}/d${n}/f.yaml`);
      for (const ref of refs) {
        mkdirSync(path.dirname(at(ref)), { recursive: true });
        writeFileSync(at(ref), 'old');
      }
      if (isSettled) await sleep(SETTLED_MS);
      expect(await readRevisions(root, refs)).toEqual(await asTheyStand(refs));
      for (let step = 0; step < 3; step += 1) {
        for (const [n, ref] of refs.entries()) {
          const act = all[n]?.[step];
          const isThere = (await readFile(root, ref)) !== undefined;
          if (act !== undefined && isThere) ACTS[act](at(ref), `${step}`.repeat(3));
        }
        expect(await readRevisions(root, refs)).toEqual(await asTheyStand(refs));
      }
    }),
    { numRuns: 15 },
  );
});

test('of writes of one size that follow each other at once every one is seen', async () => {
  const refs = ['a.yaml', 'b.yaml'];
  for (const ref of refs) writeFileSync(at(ref), '000');
  await sleep(SETTLED_MS);
  for (let n = 100; n < 400; n += 1) {
    writeFileSync(at('a.yaml'), `${n}`);
    const found = await readRevisions(root, refs);
    expect([...found]).toEqual([
      ['a.yaml', sha256(`${n}`)],
      ['b.yaml', sha256('000')],
    ]);
  }
});

test('files of many folders are told whole, by revision, by bytes and as missing', async () => {
  const refs = Array.from({ length: 600 }, (_, n) => `d${n % 7}/e${n % 3}/f${n}.yaml`);
  for (const [n, ref] of refs.entries()) {
    mkdirSync(path.dirname(at(ref)), { recursive: true });
    // More than one part: the disk is longer at it than a part may take.
    if (n % 10 > 0) writeFileSync(at(ref), `${n}`.padEnd(50_000, 'x'));
  }
  const there = refs.filter((_, n) => n % 10 > 0);
  const found = await readRevisions(root, refs);
  expect([...found.keys()].sort()).toEqual([...there].sort());
  for (const ref of there) expect(found.get(ref)).toBe(sha256(readFileSync(at(ref))));
  const contents = await readFiles(root, refs.slice(0, 20));
  expect(contents.size).toBe(18);
  expect(contents.get('d1/e1/f1.yaml')?.text).toBe('1'.padEnd(50_000, 'x'));
  expect(await missingFiles(root, refs)).toEqual(refs.filter((_, n) => n % 10 === 0));
});

test('a link, a folder and what lies below either is missing; nothing is missing of nothing', async () => {
  mkdirSync(at('d'));
  writeFileSync(at('d/a.yaml'), 'x');
  symlinkSync(at('d'), at('linked'));
  symlinkSync(at('d/a.yaml'), at('link.yaml'));
  const refs = ['d/a.yaml', 'd', 'linked/a.yaml', 'link.yaml', 'd/a.yaml/b', 'no/a.yaml'];
  expect(await missingFiles(root, refs)).toEqual(refs.slice(1));
  expect([...(await readRevisions(root, refs)).keys()]).toEqual(['d/a.yaml']);
  expect(await missingFiles(root, [])).toEqual([]);
  expect(await missingFiles(at('gone'), ['a.yaml'])).toEqual(['a.yaml']);
});

test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'a file that may not be read any more has no revision',
  async () => {
    writeFileSync(at('a.yaml'), 'x');
    await sleep(SETTLED_MS);
    expect((await readRevisions(root, ['a.yaml'])).size).toBe(1);
    chmodSync(at('a.yaml'), 0);
    expect((await readRevisions(root, ['a.yaml'])).size).toBe(0);
  },
);
