import { createPublicKey, verify } from 'node:crypto';
import { t } from '../../preload/texts/t.ts';
import { isObject } from '../../server/kernel/json.ts';
import { UpdateProblem } from './refusal.ts';
import { compareVersions, isPreview, isVersion } from './version.ts';

/** A package that a feed names; it lies beside the feed. */
export interface FeedFile {
  readonly name: string;
  /** SHA-512, base64. */
  readonly sha512: string;
  readonly bytes: number;
}

/** What a feed offers, once it is proved. */
export interface Feed {
  readonly version: string;
  /** ISO 8601. */
  readonly releasedAt: string;
  /** Markdown. */
  readonly notes: string;
  readonly files: readonly FeedFile[];
}

/** What a feed is held against. */
export interface FeedExpectation {
  readonly product: string;
  /** The feed's own name, such as `latest-linux.yml`: its channel and system. */
  readonly name: string;
  /** Public keys, each base64 of its DER. */
  readonly keys: readonly string[];
}

/** Stands before the bytes that are signed, so that the key's other signatures prove nothing here. */
const PURPOSE = 'specwright update feed 1\n';
const SHA512 = /^[A-Za-z0-9+/]{86}==$/;
const FILE_NAME = /^[A-Za-z0-9][\w.+-]{0,199}$/;
const MAX_PACKAGE_BYTES = 2 ** 31;

function signaturesIn(text: string): Buffer[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(0, 8).map((line) => Buffer.from(line.trim(), 'base64'));
}

function isSignedBy(key: string, bytes: Buffer, signature: Buffer): boolean {
  try {
    const publicKey = createPublicKey({
      key: Buffer.from(key, 'base64'),
      format: 'der',
      type: 'spki',
    });
    return publicKey.asymmetricKeyType === 'ed25519' && verify(null, bytes, publicKey, signature);
  } catch {
    // A key that cannot be read has signed nothing.
    return false;
  }
}

/**
 * Proves that one of the keys signed a feed.
 * @throws UpdateProblem `feed_unsigned`, `signature_wrong`
 */
export function proveFeed(
  feed: Uint8Array,
  signature: string | undefined,
  keys: readonly string[],
): void {
  const signatures = signaturesIn(signature ?? '');
  if (signatures.length === 0) {
    throw new UpdateProblem(
      'feed_unsigned',
      t('The update was refused: nobody signed it. Whoever keeps the updates must sign them.'),
    );
  }
  const bytes = Buffer.concat([Buffer.from(PURPOSE), feed]);
  if (keys.some((key) => signatures.some((one) => isSignedBy(key, bytes, one)))) return;
  throw new UpdateProblem(
    'signature_wrong',
    t(
      'The update was refused: its signature does not match. It was changed on the way, or somebody else made it.',
    ),
  );
}

function broken(): UpdateProblem {
  return new UpdateProblem(
    'feed_broken',
    t('The update was refused: its description cannot be read.'),
  );
}

function readFile(value: unknown): FeedFile {
  const { url, sha512, size } = isObject(value) ? value : {};
  if (typeof url !== 'string' || !FILE_NAME.test(url)) throw broken();
  if (typeof sha512 !== 'string' || !SHA512.test(sha512)) throw broken();
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size <= 0) throw broken();
  if (size > MAX_PACKAGE_BYTES) throw broken();
  return { name: url, sha512, bytes: size };
}

/**
 * Reads what a proved feed says, and that it is the one that was asked for.
 * @throws UpdateProblem `feed_broken`, `feed_foreign`
 */
export function readFeed(value: unknown, { product, name }: FeedExpectation): Feed {
  if (!isObject(value)) throw broken();
  const { version, releaseDate, releaseNotes, files } = value;
  if (value['product'] !== product || value['feed'] !== name) {
    throw new UpdateProblem(
      'feed_foreign',
      t('The update was refused: it is signed, but for another product, channel or system.'),
    );
  }
  if (typeof version !== 'string' || !isVersion(version)) throw broken();
  if (typeof releaseDate !== 'string' || Number.isNaN(Date.parse(releaseDate))) throw broken();
  if (!Array.isArray(files) || files.length > 50) throw broken();
  return {
    version,
    releasedAt: new Date(releaseDate).toISOString(),
    notes: typeof releaseNotes === 'string' ? releaseNotes.slice(0, 100_000) : '',
    files: files.map(readFile),
  };
}

/** What was known before a feed came. */
export interface KnownVersions {
  /** That of the running program. */
  readonly current: string;
  /** The latest `releasedAt` that this feed was ever seen with; undefined at the first look. */
  readonly seen: string | undefined;
  readonly channel: 'stable' | 'beta';
}

/**
 * True for a feed with something newer than the running program.
 * @throws UpdateProblem `feed_stale`, `version_older`
 */
export function isNews(feed: Feed, { current, seen, channel }: KnownVersions): boolean {
  if (seen !== undefined && feed.releasedAt < seen) {
    throw new UpdateProblem(
      'feed_stale',
      t(
        'The update was refused: a description of {releasedAt} was answered, a newer one was seen before. Somebody may be holding updates back.',
        { releasedAt: feed.releasedAt.slice(0, 10) },
      ),
    );
  }
  const order = compareVersions(feed.version, current);
  if (order > 0) return true;
  // Who tried a preview and went back to stable is ahead of it for a while.
  if (order < 0 && !(channel === 'stable' && isPreview(current))) {
    throw new UpdateProblem(
      'version_older',
      t('The update was refused: version {version} is older than this one, {current}.', {
        version: feed.version,
        current,
      }),
    );
  }
  return false;
}
