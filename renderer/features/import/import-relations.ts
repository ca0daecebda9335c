import type { SourceFacts } from '../../../server/contract/studio/estate.ts';

/** A readable file of an import, with what it says of others. */
export interface RelatableFile {
  readonly name: string;
  readonly text: string;
  readonly facts: SourceFacts;
}

export interface RelatedFile {
  readonly source_name: string;
  readonly raw: string;
}

/** The request with all related files must stay below the service's limit of 4 MiB. */
const MAX_RELATED_CHARACTERS = 1_500_000;
const MAX_RELATED = 64;

function byWord(files: readonly RelatableFile[]): ReadonlyMap<string, readonly RelatableFile[]> {
  const found = new Map<string, RelatableFile[]>();
  for (const file of files) {
    for (const word of new Set([file.facts.id, file.facts.name])) {
      if (word !== null) {
        found.set(word, [...(found.get(word) ?? []), file]);
      }
    }
  }
  return found;
}

/**
 * Says of a file which others its workflow may call, directly or through another: it names their id
 * or their name. Which calls are meant is for the importer to say.
 */
export function relatedFiles(
  files: readonly RelatableFile[],
): (file: RelatableFile) => RelatedFile[] {
  const named = byWord(files);
  const called = ({ facts }: RelatableFile): readonly RelatableFile[] =>
    facts.calls.flatMap(({ wanted }) => wanted.flatMap((word) => named.get(word) ?? []));
  return (caller) => {
    const found = new Set([caller]);
    let size = 0;
    for (const file of found) {
      for (const next of called(file)) {
        const fits = size + next.text.length <= MAX_RELATED_CHARACTERS && found.size <= MAX_RELATED;
        if (!found.has(next) && fits) {
          found.add(next);
          size += next.text.length;
        }
      }
    }
    found.delete(caller);
    return [...found].map(({ name, text }) => ({ source_name: name, raw: text }));
  };
}
