import { t } from '../../../preload/texts/t.ts';
import { readJson, writeJson } from '../../desktop/local-store.ts';
import { createStore, type Store } from '../../ui/store.ts';

export const CONVERSIONS = ['extended', 'strict'] as const;
export type Conversion = (typeof CONVERSIONS)[number];

/** What a conversion does, in one sentence. */
export const CONVERSION_WORDS: Readonly<Record<Conversion, { label: string; about: string }>> = {
  extended: {
    label: t('Extended'),
    about: t(
      'Carries over as much as can be: known steps run here, expressions and shapes are repaired, and each repair is told as a gap to review.',
    ),
  },
  strict: {
    label: t('Strict'),
    about: t(
      'Carries over only what has an exact counterpart and repairs nothing; all else becomes a gap that you decide about.',
    ),
  },
};

/** Sources that have one conversion only: strict is for those with recorded outcomes. */
const STRICT_SOURCES: ReadonlySet<string> = new Set(['n8n', 'dify']);

const KEY = 'import-conversion';

function isConversion(value: unknown): value is Conversion {
  return CONVERSIONS.some((known) => known === value);
}

const store: Store<Conversion> = createStore<Conversion>(
  readJson<Conversion>(KEY, isConversion, 'extended'),
);

/** How this window imports, until somebody chooses otherwise. */
export const conversionStore: Pick<Store<Conversion>, 'get' | 'subscribe' | 'set'> = {
  get: store.get,
  subscribe: store.subscribe,
  set: (next) => {
    store.set(next);
    writeJson(KEY, store.get());
  },
};

/** The conversion that a source is imported by when this one is chosen. */
export function conversionOf(source: string, chosen: Conversion): Conversion {
  return STRICT_SOURCES.has(source) ? chosen : 'extended';
}
