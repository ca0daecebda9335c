import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { UpdateState } from '../../preload/desktop-api.ts';
import { canMakeSmallDisk, makeSmallDisk } from '../../test/support/small-disk.ts';
import {
  type FeedFaults,
  type OfferedUpdate,
  startUpdateFeed,
  type UpdateFeed,
} from '../../test/support/update-feed.ts';
import { feedFolder } from './http.ts';
import type { Installer } from './installer.ts';
import { openUpdateRecord } from './update-record.ts';
import { Updater } from './updater.ts';

let feed: UpdateFeed;
let folder: string;
let states: UpdateState[];
beforeEach(async () => {
  feed = await startUpdateFeed();
  folder = mkdtempSync(path.join(tmpdir(), 'updates-'));
  states = [];
});
afterEach(async () => {
  await feed.stop();
  rmSync(folder, { recursive: true, force: true });
});

const NAME = 'latest-linux.yml';
const bytes = randomBytes(400_000);
const OFFER: OfferedUpdate = {
  version: '1.1.0',
  notes: '# Better',
  packageName: 'specwright-1.1.0.tar.gz',
  bytes,
};

/** Notes what it was asked to do: how a form is installed has tests of its own. */
function notingInstaller(done: string[]): Installer {
  return {
    form: 'tar.gz',
    ending: '.tar.gz',
    asksPassword: false,
    program: '/program',
    prepare: async (file, version) =>
      void done.push(`prepare ${version} ${readFileSync(file).length}`),
    install: async (_file, version) => void done.push(`install ${version}`),
    keeps: async () => true,
    goBack: async (version) => void done.push(`back ${version}`),
    tidy: async (versions) => void done.push(`tidy ${versions.join(' ')}`),
  };
}

function makeUpdater(version = '1.0.0', done: string[] = []): Updater {
  const source = feedFolder(feed.url);
  if (source === undefined) throw new Error('loopback is a place of updates');
  return new Updater({
    version,
    platform: 'linux',
    arch: 'x64',
    means: {
      source: { folder: source, keys: [feed.publicKey], product: 'specwright' },
      installer: notingInstaller(done),
    },
    whyNot: null,
    fetch: (address, init) => fetch(address, init),
    record: openUpdateRecord(path.join(folder, 'updates.json')),
    folder: path.join(folder, 'downloads'),
    stores: {
      list: async () => ({ copies: [], earlier: null, problem: null }),
      goBack: async (to) => void done.push(`stores ${to}`),
      remove: async () => undefined,
    },
    now: () => Date.now(),
    log: () => undefined,
    onState: (state) => states.push(state),
  });
}

const parts = () => readdirSync(path.join(folder, 'downloads'));
const until = (updater: Updater, holds: (state: UpdateState) => boolean) =>
  expect.poll(() => holds(updater.state), { interval: 20, timeout: 20_000 }).toBe(true);

describe('an update', () => {
  test('is found, told, downloaded, proved, made ready, installed and good', async () => {
    feed.offer(NAME, OFFER);
    const done: string[] = [];
    const updater = makeUpdater('1.0.0', done);
    await updater.check();
    expect(updater.state).toMatchObject({
      phase: 'available',
      offer: { version: '1.1.0', notes: '# Better', bytes: bytes.length },
    });
    await updater.download();
    expect(updater.state).toMatchObject({ phase: 'ready', received: bytes.length });
    expect(updater.installsOnQuit).toBe(true);
    expect(await updater.install(false)).toBe('/program');
    expect(done).toEqual([`prepare 1.1.0 ${bytes.length}`, 'install 1.1.0']);

    const next = makeUpdater('1.1.0', done);
    await next.started();
    expect(next.state.after).toMatchObject({ from: '1.0.0', to: '1.1.0', outcome: 'trying' });
    await next.provedGood();
    expect(next.state.after?.outcome).toBe('good');
    expect(done.at(-1)).toBe('tidy 1.0.0 1.1.0');
    expect(parts()).toEqual([]);
    expect(await next.goBack()).toBe('/program');
    expect(done.slice(-2)).toEqual(['stores 1.0.0', 'back 1.0.0']);
  });

  test('a start that never got to its window, and services that do not start, offer the way back', async () => {
    feed.offer(NAME, OFFER);
    const updater = makeUpdater();
    await updater.check();
    await updater.download();
    await updater.install(true);
    const first = makeUpdater('1.1.0');
    await first.started();
    first.provedBad('The studio database has schema version 9.');
    expect(first.state.after).toMatchObject({ outcome: 'bad', problem: /schema version 9/ });
    const second = makeUpdater('1.1.0');
    await second.started();
    expect(second.state.after).toMatchObject({ outcome: 'bad', from: '1.0.0' });
    // Somebody went back by hand: nothing is offered any more.
    const back = makeUpdater('1.0.0');
    await back.started();
    expect(back.state.after).toBeNull();
  });

  test('a paused download goes on where it was, in this start and in the next', async () => {
    feed.offer(NAME, OFFER, { bytesPerSecond: 400_000 });
    const updater = makeUpdater();
    await updater.check();
    const first = updater.download();
    await until(updater, ({ received }) => received > 60_000);
    updater.pause();
    await first;
    expect(updater.state.phase).toBe('paused');
    const [part] = parts();
    const kept = statSync(path.join(folder, 'downloads', String(part))).size;
    expect(kept).toBeGreaterThan(60_000);
    const next = makeUpdater();
    await next.check();
    await next.download();
    expect(next.state.phase).toBe('ready');
    expect(feed.asked.at(-1)).toBe(`specwright-1.1.0.tar.gz bytes=${kept}-`);
    expect(parts()).toEqual(['specwright-1.1.0.tar.gz']);
  });

  test('a connection that breaks off fails, keeps what came, and goes on; also without ranges', async () => {
    for (const noRanges of [false, true]) {
      rmSync(path.join(folder, 'downloads'), { recursive: true, force: true });
      feed.offer(NAME, OFFER, { breakAfter: 100_000 });
      const updater = makeUpdater();
      await updater.check();
      await updater.download();
      expect(updater.state).toMatchObject({ phase: 'failed', problem: { code: 'unreachable' } });
      feed.offer(NAME, OFFER, { noRanges });
      await updater.download();
      expect(updater.state.phase).toBe('ready');
    }
  });

  test.skipIf(!canMakeSmallDisk())(
    'a disk without room is told before anything comes, and asked again',
    async () => {
      const disk = makeSmallDisk(1, folder);
      if (disk === undefined) throw new Error('no small disk');
      feed.offer(NAME, OFFER);
      const updater = makeUpdater();
      await updater.check();
      await updater.download();
      const { phase, problem } = updater.state;
      expect({ phase, code: problem?.code }).toEqual({ phase: 'failed', code: 'disk_full' });
      expect(problem?.message).toMatch(/^The disk has no room for the update, which needs 1 MB/);
      expect(feed.asked.at(-1)).not.toContain('tar.gz');
      disk.remove();
    },
  );
});

describe('refused, with a line that says so, and nothing is left of it', () => {
  const cases: readonly [string, Partial<OfferedUpdate>, FeedFaults, string, RegExp][] = [
    ['no signature', {}, { unsigned: true }, 'feed_unsigned', /nobody signed it/],
    [
      'a feed that was changed',
      {},
      { feedAfter: (text) => text.replace('1.1.0', '1.1.9') },
      'signature_wrong',
      /its signature does not match/,
    ],
    [
      'a feed cut short',
      {},
      { feedAfter: (text) => text.slice(0, 40) },
      'signature_wrong',
      /its signature does not match/,
    ],
    [
      'a feed without end',
      {},
      { feedAfter: () => 'x'.repeat(300_000) },
      'feed_broken',
      /larger than one can be/,
    ],
    [
      'an older version',
      { version: '0.9.0' },
      {},
      'version_older',
      /0\.9\.0 is older than this one/,
    ],
    [
      'the feed of another channel',
      { fields: { feed: 'beta-linux.yml' } },
      {},
      'feed_foreign',
      /another product, channel or system/,
    ],
    [
      'a package elsewhere',
      { fields: { files: [{ url: 'http://127.0.0.1:1/x', sha512: 'x', size: 1 }] } },
      {},
      'feed_broken',
      /cannot be read/,
    ],
    [
      'a redirect',
      {},
      { redirect: 'http://127.0.0.1:1/' },
      'redirected',
      /leads to another address/,
    ],
    [
      'another package of the same size',
      {},
      { packageAfter: randomBytes(bytes.length) },
      'file_wrong',
      /its checksum differs/,
    ],
    [
      'a larger package',
      {},
      { packageAfter: Buffer.concat([bytes, bytes]) },
      'file_too_large',
      /more was sent than was signed/,
    ],
  ];
  test.each(cases)('%s', async (_what, offer, faults, code, words) => {
    feed.offer(NAME, { ...OFFER, ...offer }, faults);
    const done: string[] = [];
    const updater = makeUpdater('1.0.0', done);
    await updater.check();
    await updater.download();
    expect(updater.state).toMatchObject({ phase: 'refused', problem: { code } });
    expect(updater.state.problem?.message).toMatch(words);
    expect(updater.state.problem?.message).toContain('refused');
    expect(await updater.install(true)).toBeUndefined();
    expect(done).toEqual([]);
    updater.dismiss();
    expect(updater.state).toMatchObject({ phase: 'idle', problem: null });
  });

  test('a description from before the one that was seen', async () => {
    feed.offer(NAME, OFFER);
    const updater = makeUpdater();
    await updater.check();
    feed.offer(NAME, { ...OFFER, releasedAt: '2026-11-01T00:00:00.000Z' });
    await updater.check();
    expect(updater.state).toMatchObject({ phase: 'refused', problem: { code: 'feed_stale' } });
  });
});

test('beta takes the newest of both channels; stable never sees a preview', async () => {
  feed.offer(NAME, OFFER);
  feed.offer('beta-linux.yml', { ...OFFER, version: '1.2.0-beta.1' });
  const updater = makeUpdater();
  await updater.check();
  expect(updater.state.offer?.version).toBe('1.1.0');
  updater.choose({ channel: 'beta' });
  expect(updater.state).toMatchObject({ phase: 'idle', channel: 'beta', offer: null });
  await updater.check();
  expect(updater.state.offer?.version).toBe('1.2.0-beta.1');
  feed.offer('beta-linux.yml', { ...OFFER, version: '1.1.0-beta.3' });
  await updater.check();
  expect(updater.state.offer?.version).toBe('1.1.0');
});

test('nobody is asked by itself until a person switches it on, then once a day', async () => {
  feed.offer(NAME, OFFER);
  const updater = makeUpdater();
  await updater.checkIfDue();
  expect(feed.asked).toEqual([]);
  updater.choose({ automatic: true });
  await updater.checkIfDue();
  expect(updater.state.phase).toBe('available');
  const asked = feed.asked.length;
  await makeUpdater().checkIfDue();
  expect(feed.asked.length).toBe(asked);
});

test('a place that does not answer, or has nothing, fails and may be asked again', async () => {
  const updater = makeUpdater();
  await updater.check();
  expect(updater.state).toMatchObject({ phase: 'failed', problem: { code: 'no_feed' } });
  await feed.stop();
  await updater.check();
  expect(updater.state).toMatchObject({ phase: 'failed', problem: { code: 'unreachable' } });
  feed = await startUpdateFeed();
});

test('a record that cannot be read counts as never written', () => {
  const file = path.join(folder, 'updates.json');
  writeFileSync(file, '{"channel":"beta","pending":{"from":1},"seen":{"a":1,"b":"2026"}}');
  expect(openUpdateRecord(file).value).toMatchObject({
    channel: 'beta',
    automatic: false,
    onQuit: true,
    pending: undefined,
    seen: { b: '2026' },
  });
  writeFileSync(file, 'half of');
  expect(openUpdateRecord(file).value.channel).toBe('stable');
  expect(feedFolder('http://updates.example/')).toBeUndefined();
  expect(feedFolder('https://updates.example/stable')?.href).toBe(
    'https://updates.example/stable/',
  );
});
