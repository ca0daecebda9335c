import type { UpdateChannel } from '../../preload/desktop-api.ts';
import { t } from '../../preload/texts/t.ts';
import { type Feed, isNews, proveFeed, readFeed } from './feed.ts';
import { type Fetch, smallFile } from './http.ts';
import { UpdateProblem } from './refusal.ts';
import { compareVersions } from './version.ts';

/** Where updates come from, and what proves them: settings of the build. */
export interface UpdateSource {
  readonly folder: URL;
  readonly keys: readonly string[];
  readonly product: string;
}

const MAX_FEED_BYTES = 256 * 1024;
const MAX_SIGNATURE_BYTES = 4096;

/** The name of a feed, as electron-builder writes it. */
export function feedName(channel: 'latest' | 'beta', platform: string, arch: string): string {
  if (platform === 'win32') return `${channel}.yml`;
  if (platform === 'darwin') return `${channel}-mac.yml`;
  return `${channel}-linux${arch === 'x64' ? '' : `-${arch}`}.yml`;
}

/** A release of the beta channel never holds a stable one back. */
export function feedsOf(channel: UpdateChannel, platform: string, arch: string): string[] {
  const names = channel === 'beta' ? (['beta', 'latest'] as const) : (['latest'] as const);
  return names.map((name) => feedName(name, platform, arch));
}

interface Look {
  readonly fetch: Fetch;
  readonly source: UpdateSource;
  readonly signal: AbortSignal;
}

/** One feed, proved; undefined where the place has none of that name. @throws UpdateProblem */
async function readProved(
  { fetch, source, signal }: Look,
  name: string,
): Promise<Feed | undefined> {
  const address = (file: string) => new URL(file, source.folder);
  const bytes = await smallFile(fetch, address(name), MAX_FEED_BYTES, signal);
  if (bytes === undefined) return undefined;
  const signature = await smallFile(fetch, address(`${name}.sig`), MAX_SIGNATURE_BYTES, signal);
  // Proved before it is read: nobody else's text reaches the reader.
  proveFeed(bytes, signature?.toString('latin1'), source.keys);
  const { parse } = await import('yaml');
  let value: unknown;
  try {
    value = parse(bytes.toString('utf8'), { maxAliasCount: 0 });
  } catch {
    value = undefined;
  }
  return readFeed(value, { product: source.product, name, keys: source.keys });
}

export interface Found {
  /** Undefined when nothing is newer. */
  readonly feed: Feed | undefined;
  /** The dates of the feeds that were proved. */
  readonly seen: Readonly<Record<string, string>>;
}

/**
 * Looks into every feed of a channel for the newest version.
 * @throws UpdateProblem when one of them is wrong, or there is none
 */
export async function checkFeeds(
  look: Look,
  names: readonly string[],
  known: {
    readonly current: string;
    readonly channel: UpdateChannel;
    readonly seen: Readonly<Record<string, string>>;
  },
): Promise<Found> {
  const seen: Record<string, string> = {};
  let found: Feed | undefined;
  for (const name of names) {
    const feed = await readProved(look, name);
    if (feed === undefined) continue;
    // The stable feed is behind whoever tries previews; only their own must not be.
    const channel = name.startsWith('latest') ? 'stable' : known.channel;
    const news = isNews(feed, { current: known.current, seen: known.seen[name], channel });
    seen[name] = feed.releasedAt;
    if (news && (found === undefined || compareVersions(feed.version, found.version) > 0)) {
      found = feed;
    }
  }
  if (Object.keys(seen).length === 0) {
    throw new UpdateProblem(
      'no_feed',
      t('The place of the updates has none for this system and channel. Try again later.'),
    );
  }
  return { feed: found, seen };
}
