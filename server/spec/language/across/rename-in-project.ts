import type { TextEdit } from '../../edit/text-edit.ts';
import { nameFault } from '../../values/name-fault.ts';
import type { NameSpot } from '../name-index.ts';
import { collisionOf, renameSpots } from '../rename.ts';
import {
  type NamedIn,
  nameInProject,
  type ProjectPlace,
  type ProjectText,
  type Tie,
} from './project-names.ts';

/** A place that a rename changes: its line, from 1, with the name in it. */
export interface RenamedPlace {
  readonly line: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** What a rename changes in one draft. */
export interface FileRename {
  readonly ref: string;
  readonly tie: Tie;
  readonly edits: readonly TextEdit[];
  readonly places: readonly RenamedPlace[];
  /** Why it cannot be renamed there; null when it can. */
  readonly problem: string | null;
}

/** A rename in all drafts that have the name, or why there is none. */
export type ProjectRename =
  | {
      readonly name: string;
      readonly kind: NameSpot['kind'];
      readonly files: readonly FileRename[];
    }
  | { readonly problem: string };

const FAULT = 'The text has a fault. Mend it first, then every use of the name is known.';

function placesOf({ text }: NamedIn, edits: readonly TextEdit[]): RenamedPlace[] {
  const { source } = text.open();
  return edits.map(({ start, end }) => {
    const { line, column } = source.positionOf(start);
    const from = start - column + 1;
    const stop = text.text.slice(from).search(/\r?\n|$/);
    const shown = text.text.slice(from, from + stop);
    return { line, text: shown, start: column - 1, end: column - 1 + end - start };
  });
}

function fileRename(file: NamedIn, together: readonly NameSpot[], newName: string): FileRename {
  const { text, tie, names } = file;
  const document = text.open();
  const edits = renameSpots(document, names, together, newName);
  const broken = document.parsed.problems.length > 0 ? FAULT : undefined;
  const problem = broken ?? collisionOf(names, together, newName) ?? null;
  return { ref: text.ref, tie, edits, places: placesOf(file, edits), problem };
}

/**
 * Gives the name at a place a new one in the draft and in all that have it by the same meaning, each
 * with its own minimal edits.
 */
export function renameInProject(
  texts: readonly ProjectText[],
  place: ProjectPlace,
  newName: string,
): ProjectRename {
  const found = nameInProject(texts, place, true);
  if (found === undefined) return { problem: 'There is no name to change here.' };
  const { name, together, files } = found;
  const fault = nameFault(newName);
  if (fault !== undefined) return { problem: fault };
  if (name.name === newName) return { problem: 'It is called so already.' };
  const renamed = files.map((file) => fileRename(file, together, newName));
  const here = renamed.find(({ tie }) => tie === 'here');
  if (here?.problem != null) return { problem: here.problem };
  return { name: name.name, kind: name.kind, files: renamed };
}
