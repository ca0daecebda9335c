import { z } from 'zod';
import { connectionStore } from '../data/chosen-connection.ts';
import { environmentStore } from '../data/chosen-environment.ts';
import { NEWS_KINDS } from '../data/preferences.ts';
import { windowMemory } from '../data/window-memory.ts';
import { createStore } from '../ui/store.ts';
import { type NewsState, NO_NEWS } from './news-model.ts';

/** What was told, and what of it nobody has seen. */
export const newsStore = createStore(NO_NEWS);

/** So many outlive a reload. */
const MOST_KEPT = 50;

const keptNews = z.object({
  kept: z
    .array(
      z.object({
        id: z.string(),
        kind: z.enum(NEWS_KINDS),
        title: z.string(),
        to: z.string(),
        at: z.number(),
      }),
    )
    .max(MOST_KEPT),
  unread: z.int().min(0).max(MOST_KEPT),
});

/** Who reads the news; undefined until that is known, while nothing is written down. */
let reader: string | undefined;

/** Links of one connection, or environment, lead nowhere in another; and news are of one person. */
function place(): string | undefined {
  return reader === undefined
    ? undefined
    : `sw:news:${JSON.stringify([connectionStore.get(), environmentStore.get(), reader])}`;
}

function remembered(): NewsState {
  const key = place();
  const text = key === undefined ? null : (windowMemory()?.getItem(key) ?? null);
  if (text === null) {
    return NO_NEWS;
  }
  try {
    const { kept, unread } = keptNews.parse(JSON.parse(text));
    return { ...NO_NEWS, kept: kept.map((news) => ({ ...news, about: '' })), unread };
  } catch {
    // Of another version, or broken: there is nothing to tell of it.
    return NO_NEWS;
  }
}

/** Titles and links alone: what runs were given and said is not written down. */
function keep({ kept, unread }: NewsState): void {
  const key = place();
  if (key === undefined) {
    return;
  }
  const titles = kept
    .slice(0, MOST_KEPT)
    .map(({ id, kind, title, to, at }) => ({ id, kind, title, to, at }));
  const text = JSON.stringify({ kept: titles, unread: Math.min(unread, titles.length) });
  try {
    windowMemory()?.setItem(key, text);
  } catch {
    // No room: they last as long as the page.
  }
}

newsStore.subscribe(() => keep(newsStore.get()));

const readAnew = (): void => newsStore.set(remembered());
environmentStore.subscribe(readAnew);
connectionStore.subscribe(readAnew);

/** Shows what was told to this person before, here. */
export function openNews(identity: string): void {
  if (identity !== reader) {
    reader = identity;
    readAnew();
  }
}

/** What was kept has been seen. */
export function readNews(): void {
  newsStore.set((state) => (state.unread === 0 ? state : { ...state, unread: 0 }));
}

/** Takes away what was kept; what happens from now on is told. */
export function clearNews(): void {
  newsStore.set((state) => ({ ...state, kept: [], unread: 0 }));
}
