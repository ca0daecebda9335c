import { applyEdits } from '../../../../server/spec/edit/text-edit.ts';
import {
  definitionsInProject,
  nameInProject,
  type ProjectText,
} from '../../../../server/spec/language/across/project-names.ts';
import { renameInProject } from '../../../../server/spec/language/across/rename-in-project.ts';
import { openDocument } from '../../../../server/spec/language/open-document.ts';
import { formatOfFile } from '../../../../server/spec/yaml/parse-yaml.ts';
import type {
  AcrossAnswer,
  DraftText,
  FileChange,
  NamePlace,
  PlacedName,
} from '../spec-protocol.ts';
import { placedEdits, textRange } from '../text-range.ts';

function opened(texts: readonly DraftText[]): ProjectText[] {
  return texts.map((one) => {
    let document: ReturnType<typeof openDocument> | undefined;
    const open = () => {
      document ??= openDocument(one.text, formatOfFile(one.ref));
      return document;
    };
    return { ...one, open };
  });
}

function placed(
  text: ProjectText | undefined,
  spots: readonly { readonly start: number; readonly end: number }[],
): PlacedName[] {
  if (text === undefined) return [];
  const { source } = text.open();
  return spots.map(({ start, end }) => ({
    ref: text.ref,
    range: textRange({ start: source.positionOf(start), end: source.positionOf(end) }),
  }));
}

/** Where a name is declared, among drafts. */
export function definitionsAcross({ texts, place }: NamePlace): readonly PlacedName[] {
  const all = opened(texts);
  return definitionsInProject(all, place).flatMap(({ ref, spot }) =>
    placed(
      all.find((one) => one.ref === ref),
      [spot],
    ),
  );
}

/** All places of a name, among drafts. */
export function referencesAcross({ texts, place }: NamePlace): readonly PlacedName[] {
  const found = nameInProject(opened(texts), place);
  return found?.files.flatMap(({ text, spots }) => placed(text, spots)) ?? [];
}

/** What changes when a name gets a new one, among drafts. */
export function renameAcross({ texts, place }: NamePlace, name: string): AcrossAnswer {
  const all = opened(texts);
  const outcome = renameInProject(all, place, name);
  if ('problem' in outcome) return outcome;
  const files = outcome.files.flatMap((file): FileChange[] => {
    const text = all.find(({ ref }) => ref === file.ref);
    if (text === undefined) return [];
    const edits = placedEdits(text.open().source, file.edits);
    return [{ ...file, edits, after: applyEdits(text.text, file.edits) }];
  });
  return { ...outcome, files };
}
