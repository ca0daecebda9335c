// The feed of updates. electron-builder writes one for the packages of one run and forgets those of
// the run before; here every package has a run of its own.
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { buildSeconds } from './stage.mjs';

const FEED = /^(?!builder-)[\w.]+?(?:-linux(?:-\w+)?|-mac)?\.yml$/;
/** Stands before the bytes that are signed: main/updates/feed.ts. */
const PURPOSE = 'specwright update feed 1\n';

function feedsIn(folder) {
  return readdirSync(folder).filter((name) => FEED.test(name));
}

/** Forgets feeds of builds before. */
export function dropFeeds(folder) {
  for (const name of feedsIn(folder)) {
    rmSync(path.join(folder, name));
    rmSync(path.join(folder, `${name}.sig`), { force: true });
  }
}

/** Lays what the last run wrote with what earlier ones did, dated by the commit. */
export function keepFeeds({ output, feeds }) {
  for (const name of feedsIn(output)) {
    const file = path.join(output, name);
    const written = parse(readFileSync(file, 'utf8'));
    const urls = new Set(written.files.map(({ url }) => url));
    const before = feeds.get(name)?.files.filter(({ url }) => !urls.has(url)) ?? [];
    const feed = {
      ...written,
      files: [...before, ...written.files],
      releaseDate: new Date(buildSeconds() * 1000).toISOString(),
    };
    feeds.set(name, feed);
    writeFileSync(file, stringify(feed, { lineWidth: 0 }));
  }
}

/** The name of the feed of this machine's system, by the channel that a version's word names. */
function feedNameOf({ fullVersion }) {
  const channel = /^[\d.]+-([a-z]+)/.exec(fullVersion)?.[1] ?? 'latest';
  const arch = process.arch === 'x64' ? '' : `-${process.arch}`;
  return `${channel}-linux${arch}.yml`;
}

/** Lays a package that electron-builder did not make into the feed. */
export function addToFeed(build, file) {
  const bytes = readFileSync(file);
  const sha512 = createHash('sha512').update(bytes).digest('base64');
  const url = path.basename(file);
  const name = feedNameOf(build);
  const feed = build.feeds.get(name) ?? { version: build.fullVersion, path: url, sha512 };
  const files = feed.files?.filter((one) => one.url !== url) ?? [];
  const next = {
    ...feed,
    files: [...files, { url, sha512, size: bytes.length }],
    releaseDate: new Date(buildSeconds() * 1000).toISOString(),
  };
  build.feeds.set(name, next);
  writeFileSync(path.join(build.output, name), stringify(next, { lineWidth: 0 }));
}

/** What CHANGELOG.md says of a version. */
function notesOf(changelog, version) {
  const parts = changelog.split(/^## /m).slice(1);
  const wanted = parts.find((part) => part.startsWith(`[${version}]`)) ?? '';
  return wanted.slice(wanted.indexOf('\n') + 1).trim();
}

/**
 * Writes into every feed of a folder what it is for and what is new, and signs it where there is a key.
 * Answers the names of the feeds and whether they were signed.
 */
export function signFeeds({ output, name: product }, { changelog, secretKey }) {
  const names = feedsIn(output);
  for (const name of names) {
    const file = path.join(output, name);
    const feed = parse(readFileSync(file, 'utf8'));
    const releaseNotes = notesOf(changelog, feed.version);
    const text = stringify({ product, feed: name, ...feed, releaseNotes }, { lineWidth: 0 });
    writeFileSync(file, text);
    if (secretKey === undefined) continue;
    const key = createPrivateKey(secretKey);
    if (key.asymmetricKeyType !== 'ed25519')
      throw new Error('the key of updates is no Ed25519 key');
    const signature = sign(null, Buffer.from(PURPOSE + text), key).toString('base64');
    writeFileSync(`${file}.sig`, `${signature}\n`);
  }
  return { names, isSigned: secretKey !== undefined && names.length > 0 };
}

/** The secret key: a PEM in a file, or in the environment of the workflow; undefined without one. */
export function updateKey(file) {
  if (file !== undefined && existsSync(file)) return readFileSync(file, 'utf8');
  const text = process.env.SPECWRIGHT_UPDATE_KEY;
  return text === undefined || text === '' ? undefined : text;
}
