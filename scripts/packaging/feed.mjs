// The feed of updates. electron-builder writes one for the packages of one run and forgets those of
// the run before; here every package has a run of its own.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { buildSeconds } from './stage.mjs';

const FEED = /-linux(?:-\w+)?\.yml$/;

function feedsIn(folder) {
  return readdirSync(folder).filter((name) => FEED.test(name));
}

/** Forgets feeds of builds before. */
export function dropFeeds(folder) {
  for (const name of feedsIn(folder)) rmSync(path.join(folder, name));
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
