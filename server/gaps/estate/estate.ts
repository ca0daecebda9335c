import type {
  CallState,
  Estate,
  EstateCall,
  EstateCause,
  EstateCredential,
  FileCause,
  SourceFacts,
} from '../../contract/studio/estate.ts';
import { credentialKey } from './source-facts.ts';

/** A file of an estate: what it says of others, and what its draft still wants. */
export interface EstateFile {
  /** As the user sees it; no two files have the same. */
  readonly path: string;
  /** Null for a file that became no draft. */
  readonly draft: string | null;
  readonly blocking: number;
  readonly facts: SourceFacts;
  readonly causes: readonly FileCause[];
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

type Index = ReadonlyMap<string, readonly string[]>;

function indexBy(files: readonly EstateFile[], key: 'id' | 'name'): Index {
  const index = new Map<string, string[]>();
  for (const { path, facts } of files) {
    const word = facts[key];
    if (word === null) continue;
    const known = index.get(word);
    if (known === undefined) index.set(word, [path]);
    else known.push(path);
  }
  return index;
}

/** An id says which workflow is meant; a name does only where no file has such an id. */
function meantBy(wanted: readonly string[], ids: Index, names: Index): readonly string[] {
  const found = (index: Index): string[] => [
    ...new Set(wanted.flatMap((word) => index.get(word) ?? [])),
  ];
  const byId = found(ids);
  return byId.length > 0 ? byId : found(names);
}

function stateOf(from: string, wanted: readonly string[], to: readonly string[]): CallState {
  const [only, second] = to;
  if (wanted.length === 0) return 'computed';
  if (only === undefined) return 'missing';
  if (second !== undefined) return 'several';
  return only === from ? 'itself' : 'found';
}

function callsOf(files: readonly EstateFile[]): EstateCall[] {
  const ids = indexBy(files, 'id');
  const names = indexBy(files, 'name');
  return files.flatMap(({ path, facts }) =>
    facts.calls.map(({ kind, label, wanted }): EstateCall => {
      const to = meantBy(wanted, ids, names);
      const state = stateOf(path, wanted, to);
      // The last word is the name where a reference has both.
      return { from: path, kind, label, state, to: [...to], wanted: wanted.at(-1) ?? '' };
    }),
  );
}

function credentialsOf(files: readonly EstateFile[]): EstateCredential[] {
  const found = new Map<string, { type: string; name: string; files: string[] }>();
  for (const { path, facts } of files) {
    for (const credential of facts.credentials) {
      const key = credentialKey(credential);
      const { type, name } = credential;
      const known = found.get(key);
      if (known === undefined) found.set(key, { type, name, files: [path] });
      else known.files.push(path);
    }
  }
  return [...found]
    .map(([key, credential]) => ({ key, ...credential }))
    .sort((a, b) => b.files.length - a.files.length || byText(a.key, b.key));
}

function causesOf(files: readonly EstateFile[]): EstateCause[] {
  const found = new Map<string, { cause: FileCause; files: string[]; gaps: number }>();
  const frees = new Map<string, string[]>();
  for (const { path, causes } of files) {
    for (const cause of causes) {
      const known = found.get(cause.id);
      if (known === undefined) found.set(cause.id, { cause, files: [path], gaps: cause.count });
      else {
        known.files.push(path);
        known.gaps += cause.count;
      }
    }
    const [only, second] = causes.filter(({ severity }) => severity === 'blocking');
    if (only !== undefined && second === undefined) {
      frees.set(only.id, [...(frees.get(only.id) ?? []), path]);
    }
  }
  return [...found]
    .map(
      ([
        id,
        {
          cause: { count: _, ...cause },
          ...rest
        },
      ]) => ({
        ...cause,
        ...rest,
        frees: frees.get(id) ?? [],
      }),
    )
    .sort(
      (a, b) =>
        byText(a.severity, b.severity) ||
        b.frees.length - a.frees.length ||
        b.files.length - a.files.length ||
        b.gaps - a.gaps ||
        byText(a.id, b.id),
    );
}

/** Who calls whom, what is shared, and which answer frees most: the map of many files. */
export function estateOf(files: readonly EstateFile[]): Estate {
  const drafts = files.filter(({ draft }) => draft !== null);
  return {
    calls: callsOf(files),
    credentials: credentialsOf(files),
    causes: causesOf(drafts),
  };
}
