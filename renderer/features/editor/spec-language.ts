import { formatText } from '../../../server/spec/edit/format.ts';
import { completionsAt } from '../../../server/spec/language/completion.ts';
import { definitionAt, referencesAt } from '../../../server/spec/language/definition.ts';
import { hoverAt } from '../../../server/spec/language/hover.ts';
import type { OpenDocument } from '../../../server/spec/language/open-document.ts';
import {
  outlineOf,
  type OutlineItem as SpecOutlineItem,
} from '../../../server/spec/language/outline.ts';
import { quickFixes } from '../../../server/spec/language/quick-fix.ts';
import type { AttachedRegistry } from '../../../server/spec/language/registry.ts';
import { renameAt, renameTarget } from '../../../server/spec/language/rename.ts';
import type {
  CompletionItem,
  Fix,
  HoverAnswer,
  OutlineItem,
  RenameAnswer,
  RenameTarget,
  TextRange,
} from './spec-protocol.ts';
import { placedEdits, textRange } from './text-range.ts';

interface RegistryPlace {
  readonly offset: number;
  readonly registry?: AttachedRegistry | null;
}

/** What can be written at a place. */
export function completeText(
  document: OpenDocument,
  { offset, registry }: RegistryPlace,
): readonly CompletionItem[] {
  return completionsAt(document, offset, registry ?? null).map((item) => ({
    label: item.label,
    kind: item.kind,
    snippet: item.snippet,
    detail: item.detail,
    documentation: item.documentation,
    insertText: item.insert,
    required: item.required,
    range: textRange(item.range),
  }));
}

/** What the thing at a place means. */
export function hoverText(
  document: OpenDocument,
  { offset, registry }: RegistryPlace,
): HoverAnswer | null {
  const hover = hoverAt(document, offset, registry ?? null);
  return hover === undefined ? null : { markdown: hover.markdown, range: textRange(hover.range) };
}

/** Where the name at a place is declared. */
export function definitionOf(document: OpenDocument, offset: number): TextRange | null {
  const range = definitionAt(document, offset);
  return range === undefined ? null : textRange(range);
}

/** Every place that declares or uses the name at a place. */
export function referencesOf(document: OpenDocument, offset: number): readonly TextRange[] {
  return referencesAt(document, offset).map(textRange);
}

/** The name at a place, when it is one that can be renamed. */
export function renameTargetOf(document: OpenDocument, offset: number): RenameTarget | null {
  const target = renameTarget(document, offset);
  return target === undefined ? null : { name: target.name, range: textRange(target.range) };
}

/** The edits that rename the name at a place, or why it cannot be renamed so. */
export function renameEdits(document: OpenDocument, offset: number, name: string): RenameAnswer {
  const outcome = renameAt(document, offset, name);
  return 'problem' in outcome ? outcome : { edits: placedEdits(document.source, outcome.edits) };
}

function outlineItem(item: SpecOutlineItem): OutlineItem {
  return {
    name: item.name,
    detail: item.detail,
    kind: item.kind,
    path: item.path,
    range: textRange(item.range),
    selection: textRange(item.selection),
    children: item.children.map(outlineItem),
  };
}

/** The parts of a document, for the breadcrumbs and "go to symbol". */
export function outlineOfText(document: OpenDocument): readonly OutlineItem[] {
  return outlineOf(document).map(outlineItem);
}

/** The changes that answer the findings on some lines. */
export function fixesOnLines(document: OpenDocument, from: number, to: number): readonly Fix[] {
  return document
    .findings()
    .filter(({ range }) => range.start.line <= to && from <= range.end.line)
    .flatMap((diagnostic) =>
      quickFixes(document, diagnostic).map(({ title, edits }, index) => ({
        title,
        preferred: index === 0,
        code: diagnostic.code,
        at: textRange(diagnostic.range),
        edits: placedEdits(document.source, edits),
      })),
    );
}

/** The text in the one layout, comments kept. */
export function formatWhole({ text, format }: OpenDocument): string {
  return formatText(text, format);
}
