import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Feed, isNews, proveFeed, readFeed } from './feed.ts';
import { UpdateProblem } from './refusal.ts';
import { compareVersions, isPreview } from './version.ts';

const pair = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');
const publicText = (key: typeof pair.publicKey) =>
  key.export({ format: 'der', type: 'spki' }).toString('base64');
const bytes = Buffer.from('version: 1.2.0\n');
const signed = (key: typeof pair.privateKey, prefix = 'specwright update feed 1\n') =>
  sign(null, Buffer.concat([Buffer.from(prefix), bytes]), key).toString('base64');

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof UpdateProblem) return error.code;
    throw error;
  }
  return 'taken';
}

describe('proveFeed', () => {
  const prove = (signature: string | undefined, keys = [publicText(pair.publicKey)]) =>
    codeOf(() => proveFeed(bytes, signature, keys));

  test('takes what one of the keys signed, beside signatures of others', () => {
    expect(prove(signed(pair.privateKey))).toBe('taken');
    expect(prove(`${signed(other.privateKey)}\n${signed(pair.privateKey)}\n`)).toBe('taken');
    const keys = ['no key', publicText(other.publicKey), publicText(pair.publicKey)];
    expect(prove(signed(pair.privateKey), keys)).toBe('taken');
  });

  test('refuses nothing, another key, another purpose, changed bytes, no keys at all', () => {
    expect(prove(undefined)).toBe('feed_unsigned');
    expect(prove('\n')).toBe('feed_unsigned');
    expect(prove(signed(other.privateKey))).toBe('signature_wrong');
    expect(prove(signed(pair.privateKey, ''))).toBe('signature_wrong');
    expect(prove(signed(pair.privateKey, 'specwright bundle 1\n'))).toBe('signature_wrong');
    expect(prove('not base64 at all!')).toBe('signature_wrong');
    expect(prove(signed(pair.privateKey), [])).toBe('signature_wrong');
    const changed = Buffer.from('version: 1.2.1\n');
    const key = publicText(pair.publicKey);
    expect(codeOf(() => proveFeed(changed, signed(pair.privateKey), [key]))).toBe(
      'signature_wrong',
    );
  });

  test('a key of another kind signs nothing', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    expect(prove(signed(pair.privateKey), [publicText(rsa.publicKey)])).toBe('signature_wrong');
  });
});

const NAMED = { product: 'specwright', name: 'latest-linux.yml', keys: [] };
const GOOD = {
  product: 'specwright',
  feed: 'latest-linux.yml',
  version: '1.2.0',
  releaseDate: '2026-11-20T10:00:00.000Z',
  releaseNotes: '# New',
  files: [{ url: 'specwright-1.2.0.tar.gz', sha512: `${'A'.repeat(86)}==`, size: 12 }],
};

describe('readFeed', () => {
  test('reads what is offered', () => {
    expect(readFeed(GOOD, NAMED)).toEqual({
      version: '1.2.0',
      releasedAt: '2026-11-20T10:00:00.000Z',
      notes: '# New',
      files: [{ name: 'specwright-1.2.0.tar.gz', sha512: `${'A'.repeat(86)}==`, bytes: 12 }],
    });
  });

  test.each([
    ['another product', { product: 'other' }, 'feed_foreign'],
    ['the feed of another channel', { feed: 'beta-linux.yml' }, 'feed_foreign'],
    ['the feed of another system', { feed: 'latest.yml' }, 'feed_foreign'],
    ['no version', { version: '1.2' }, 'feed_broken'],
    ['no date', { releaseDate: 'soon' }, 'feed_broken'],
    ['no files', { files: 'all' }, 'feed_broken'],
    ['a file elsewhere', { files: [{ ...GOOD.files[0], url: 'https://x/y' }] }, 'feed_broken'],
    ['a file above', { files: [{ ...GOOD.files[0], url: '../y' }] }, 'feed_broken'],
    ['a short hash', { files: [{ ...GOOD.files[0], sha512: 'AAAA' }] }, 'feed_broken'],
    ['a size beyond reason', { files: [{ ...GOOD.files[0], size: 2 ** 40 }] }, 'feed_broken'],
    ['no size', { files: [{ ...GOOD.files[0], size: '12' }] }, 'feed_broken'],
  ])('refuses %s', (_what, part, code) => {
    expect(codeOf(() => readFeed({ ...GOOD, ...part }, NAMED))).toBe(code);
  });

  test('refuses what is no description', () => {
    expect(codeOf(() => readFeed('text', NAMED))).toBe('feed_broken');
  });
});

describe('isNews', () => {
  const feed: Feed = {
    version: '1.2.0',
    releasedAt: '2026-11-20T00:00:00.000Z',
    notes: '',
    files: [],
  };
  const known = { current: '1.1.0', seen: undefined, channel: 'stable' } as const;

  test('newer is news, the same is not, older is refused', () => {
    expect(isNews(feed, known)).toBe(true);
    expect(isNews(feed, { ...known, current: '1.2.0' })).toBe(false);
    expect(codeOf(() => isNews(feed, { ...known, current: '1.3.0' }))).toBe('version_older');
  });

  test('who tried a preview is ahead of stable; a preview behind another is refused', () => {
    expect(isNews(feed, { ...known, current: '1.3.0-beta.1' })).toBe(false);
    const beta = { ...known, channel: 'beta', current: '1.3.0-beta.1' } as const;
    expect(codeOf(() => isNews(feed, beta))).toBe('version_older');
  });

  test('a description from before the one that was seen is refused, whatever it offers', () => {
    const seen = { ...known, seen: '2026-11-21T00:00:00.000Z' };
    expect(codeOf(() => isNews(feed, seen))).toBe('feed_stale');
    expect(isNews(feed, { ...known, seen: feed.releasedAt })).toBe(true);
  });
});

test('versions are ordered as semver.org orders them', () => {
  const order = [
    ...['0.9.9', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta'],
    ...['1.0.0-beta.2', '1.0.0-beta.11', '1.0.0-rc.1', '1.0.0', '1.0.10', '1.2.0', '10.0.0'],
  ];
  for (const [at, version] of order.entries()) {
    for (const [against, other] of order.entries()) {
      expect(Math.sign(compareVersions(version, other))).toBe(Math.sign(at - against));
    }
  }
  expect(compareVersions('1.0.0+a', '1.0.0+b')).toBe(0);
  expect([isPreview('1.0.0-rc.1'), isPreview('1.0.0')]).toEqual([true, false]);
  expect(() => compareVersions('1.0', '1.0.0')).toThrow(TypeError);
});
