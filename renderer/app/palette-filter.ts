import { t } from '../../preload/texts/t.ts';

/** Something the palette can go to or do. */
export interface PaletteItem {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly detail?: string;
  /** Words that find it beside those that are shown. */
  readonly keywords?: readonly string[];
  readonly shortcut?: string | undefined;
  readonly run: () => void;
}

/** A group of what was found. */
export interface PaletteGroup {
  readonly group: string;
  readonly items: readonly PaletteItem[];
}

/** How many of each kind are shown: before anything is typed, and afterwards. */
const UNASKED = 4;
const FOUND = 12;

/**
 * The groups of commands. All are shown before anything is typed: the palette teaches what there
 * is.
 */
const WHOLE = new Set([
  t('Go to'),
  t('File'),
  t('Draft'),
  t('Artifact'),
  t('Run'),
  t('View'),
  t('Application'),
]);

function rankOf(item: PaletteItem, words: readonly string[]): number {
  const title = item.title.toLowerCase();
  const rest = [item.detail ?? '', item.group, ...(item.keywords ?? [])].join(' ').toLowerCase();
  if (!words.every((word) => title.includes(word) || rest.includes(word))) {
    return -1;
  }
  const [first = ''] = words;
  return title.startsWith(first) ? 0 : title.includes(first) ? 1 : 2;
}

/** What a text finds: every word must occur; groups whose best match is better come first. */
export function findItems(items: readonly PaletteItem[], text: string): readonly PaletteGroup[] {
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = items.flatMap((item) => {
    const rank = rankOf(item, words);
    return rank < 0 ? [] : [{ item, rank: words.length === 0 ? 0 : rank }];
  });
  const groups = [...Map.groupBy(ranked, ({ item }) => item.group)].map(([group, found]) => {
    const most = words.length > 0 ? FOUND : WHOLE.has(group) ? found.length : UNASKED;
    const sorted = found.toSorted((a, b) => a.rank - b.rank);
    return {
      group,
      best: sorted[0]?.rank ?? 0,
      items: sorted.slice(0, most).map(({ item }) => item),
    };
  });
  return groups
    .toSorted((a, b) => a.best - b.best)
    .map(({ group, items: kept }) => ({ group, items: kept }));
}
