import type { ImportFile } from './import-model.ts';
import { workflowNames } from './workflow-names.ts';

export interface RelatedFile {
  readonly source_name: string;
  readonly raw: string;
}

/** The request with all related files must stay below the service's limit of 4 MiB. */
const MAX_RELATED_CHARACTERS = 1_500_000;
const MAX_RELATED = 64;

/** Words by which other workflows may call this one. */
function wordsOf(text: string): string[] {
  const { id, name } = workflowNames(text);
  return [id, name].filter((value) => value !== null);
}

const CALLS = /executeWorkflow"|toolWorkflow"/;

/**
 * For each n8n file the others whose workflows it may call, directly or through another: it names
 * their id or their name. Which calls are meant is for the importer to say.
 */
export function relatedFiles(files: readonly ImportFile[]): Map<ImportFile, RelatedFile[]> {
  const callers = files.filter(({ text }) => CALLS.test(text));
  if (callers.length === 0) {
    return new Map();
  }
  const named = files.map((file) => ({ file, words: wordsOf(file.text).map(quoted) }));
  const direct = new Map(
    callers.map((caller) => [
      caller,
      named
        .filter(({ file, words }) => file !== caller && words.some((w) => caller.text.includes(w)))
        .map(({ file }) => file),
    ]),
  );
  return new Map(callers.map((caller) => [caller, reach(caller, direct)]));
}

function quoted(word: string): string {
  return JSON.stringify(word);
}

function reach(
  caller: ImportFile,
  direct: ReadonlyMap<ImportFile, readonly ImportFile[]>,
): RelatedFile[] {
  const found = new Set<ImportFile>([caller]);
  let size = 0;
  for (const file of found) {
    for (const next of direct.get(file) ?? []) {
      const fits = size + next.text.length <= MAX_RELATED_CHARACTERS && found.size <= MAX_RELATED;
      if (!found.has(next) && fits) {
        found.add(next);
        size += next.text.length;
      }
    }
  }
  found.delete(caller);
  return [...found].map(({ name, text }) => ({ source_name: name, raw: text }));
}
