import { z } from 'zod';
import { readSafe, safeKeys, writeSafe } from './safe-store.ts';

const keptComposition = z.object({
  /** The page: a base, or the artifact that it begins with. */
  place: z.object({
    projectId: z.string(),
    base: z.string().optional(),
    from: z.string().optional(),
  }),
  composing: z.object({
    base: z.string(),
    overlays: z.array(z.string()).readonly(),
    overrides: z.string(),
  }),
});

/** What is composed and not frozen yet, with the page that holds it. */
export type KeptComposition = z.output<typeof keptComposition>;
/** The page of a composition. */
export type CompositionPlace = Readonly<KeptComposition['place']>;

const PREFIX = 'composing:';

/** Names the page; an artifact says its base itself. */
export function compositionKey({ projectId, base, from }: CompositionPlace): string {
  return JSON.stringify([projectId, from ?? null, from === undefined ? (base ?? null) : null]);
}

function read(key: string): KeptComposition | undefined {
  return keptComposition.safeParse(readSafe(key)).data;
}

/** What was composed on a page and not frozen; undefined where nothing was. */
export function readComposition(place: CompositionPlace): KeptComposition['composing'] | undefined {
  return read(PREFIX + compositionKey(place))?.composing;
}

/**
 * Keeps what is composed across reloads and crashes; null forgets it. `leaving` is true while the
 * page goes.
 */
export function keepComposition(
  place: CompositionPlace,
  composing: KeptComposition['composing'] | null,
  leaving = false,
): void {
  const kept = composing === null ? null : { place, composing };
  writeSafe(PREFIX + compositionKey(place), kept, leaving);
}

/** All that is composed and not frozen. */
export function keptCompositions(): readonly KeptComposition[] {
  return safeKeys(PREFIX).flatMap((key) => read(key) ?? []);
}
