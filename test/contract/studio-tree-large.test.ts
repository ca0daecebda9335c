// A large folder blocks nobody, uses few watches, and what is not seen of it is told.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { freshStudios, P, SPEC, studio } from '../support/studio-world.ts';

freshStudios();

/** A machine with other work writes 50,000 files slowly. */
const LONG = { timeout: 180_000 };

const name = (file: number) => `f${file}.${file % 10 === 0 ? 'yaml' : 'txt'}`;

/** `folders` of 50 files each, of which 5 are specs. */
function fill(under: string, folders: number): void {
  for (let at = 0; at < folders; at += 1) {
    const folder = path.join(studio.root, under, `d${at}`);
    mkdirSync(folder, { recursive: true });
    for (let file = 0; file < 50; file += 1) writeFileSync(path.join(folder, name(file)), SPEC);
  }
}

/** What an answer cost: processor time of the longest turn, which other work of the machine leaves alone. */
async function longestTurnMs(act: () => Promise<unknown>): Promise<number> {
  const spent = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let [longest, before, over] = [0, spent(), false];
  const turn = () => {
    const now = spent();
    longest = Math.max(longest, now - before);
    before = now;
    if (!over) setImmediate(turn);
  };
  setImmediate(turn);
  await act();
  over = true;
  return longest;
}

/** Read in one turn they would take seconds; 50 ms are meant, on a machine that does nothing else. */
const MOST_MS = 250;

/** Watches that this process holds at the system. */
function watches(): number {
  const counts = readdirSync('/proc/self/fdinfo').map((fd) => {
    try {
      const text = readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8');
      return text.match(/^inotify /gm)?.length ?? 0;
    } catch {
      return 0;
    }
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

const tree = async () => (await studio.call('GET', `${P}/tree`)).body;
const seen = async () => (await studio.call('GET', `${P}/tree/version`)).body;

/** Reads the tree, then as it is read again: everything is known by then. */
async function readTwice() {
  const first = await longestTurnMs(tree);
  const again = await longestTurnMs(tree);
  return { longest: Math.max(first, again), found: await tree() };
}

test(
  '50,000 files in 1,000 folders are told in short turns, each folder by one watch',
  LONG,
  async () => {
    const before = watches();
    fill('flows', 1000);
    fill('node_modules', 20);
    fill('.git', 20);
    const { longest, found } = await readTwice();
    expect(longest).toBeLessThan(MOST_MS);
    expect([found.entries.length, found.truncated]).toEqual([5000, false]);
    expect(found.entries.filter(({ ref }: { ref: string }) => !ref.startsWith('flows/'))).toEqual(
      [],
    );
    if (process.platform === 'linux') expect(watches() - before).toBe(1002);
    expect(await seen()).toEqual({ version: found.version, watched: true });
    writeFileSync(path.join(studio.root, 'flows/d999/new.yaml'), SPEC);
    await expect.poll(async () => (await seen()).version).not.toBe(found.version);
  },
);

test('so are 50,000 files in one folder, and what is not shown is told', LONG, async () => {
  for (let file = 0; file < 50_000; file += 1)
    writeFileSync(path.join(studio.root, name(file)), SPEC);
  const { longest, found } = await readTwice();
  expect(longest).toBeLessThan(MOST_MS);
  expect([found.entries.length, found.truncated]).toEqual([5000, false]);
  fill('more', 1);
  expect((await tree()).truncated).toBe(true);
});
