import { completionsAt } from '../../../server/spec/completion.ts';
import { definitionAt, referencesAt } from '../../../server/spec/definition.ts';
import { formatText } from '../../../server/spec/format.ts';
import { hoverAt } from '../../../server/spec/hover.ts';
import { outlineOf, type OutlineItem as SpecOutlineItem } from '../../../server/spec/outline.ts';
import { formatOfFile } from '../../../server/spec/parse-yaml.ts';
import { renameAt, renameTarget } from '../../../server/spec/rename.ts';
import { createSourceMap } from '../../../server/spec/source-map.ts';
import type {
  CompletionItem,
  HoverAnswer,
  OutlineItem,
  RenameTarget,
  TextEdit,
  TextPlace,
  TextRange,
} from './spec-protocol.ts';
import { textRange } from './text-range.ts';

/** What can be written at a place. */
export function completeText({ text, file, offset }: TextPlace): readonly CompletionItem[] {
  return completionsAt(text, offset, formatOfFile(file)).map((item) => ({
    label: item.label,
    kind: item.kind,
    detail: item.detail,
    documentation: item.documentation,
    insertText: item.insert,
    required: item.required,
    range: textRange(item.range),
  }));
}

/** What the thing at a place means. */
export function hoverText({ text, file, offset }: TextPlace): HoverAnswer | null {
  const hover = hoverAt(text, offset, formatOfFile(file));
  return hover === undefined ? null : { markdown: hover.markdown, range: textRange(hover.range) };
}

/** Where the name at a place is declared. */
export function definitionOf({ text, file, offset }: TextPlace): TextRange | null {
  const range = definitionAt(text, offset, formatOfFile(file));
  return range === undefined ? null : textRange(range);
}

/** Every place that declares or uses the name at a place. */
export function referencesOf({ text, file, offset }: TextPlace): readonly TextRange[] {
  return referencesAt(text, offset, formatOfFile(file)).map(textRange);
}

/** The name at a place, when it is one that can be renamed. */
export function renameTargetOf({ text, file, offset }: TextPlace): RenameTarget | null {
  const target = renameTarget(text, offset, formatOfFile(file));
  return target === undefined ? null : { name: target.name, range: textRange(target.range) };
}

/** The edits that rename the name at a place; none when it cannot be renamed so. */
export function renameEdits(input: TextPlace & { readonly name: string }): readonly TextEdit[] {
  const source = createSourceMap(input.text, undefined);
  return renameAt(input.text, input.offset, input.name, formatOfFile(input.file)).map((edit) => ({
    text: edit.text,
    range: textRange({ start: source.positionOf(edit.start), end: source.positionOf(edit.end) }),
  }));
}

function outlineItem(item: SpecOutlineItem): OutlineItem {
  return {
    name: item.name,
    detail: item.detail,
    kind: item.kind,
    range: textRange(item.range),
    selection: textRange(item.selection),
    children: item.children.map(outlineItem),
  };
}

/** The parts of a document, for the breadcrumbs and "go to symbol". */
export function outlineOfText(input: {
  readonly text: string;
  readonly file: string;
}): readonly OutlineItem[] {
  return outlineOf(input.text, formatOfFile(input.file)).map(outlineItem);
}

/** The text in the one layout, comments kept. */
export function formatWhole(input: { readonly text: string; readonly file: string }): string {
  return formatText(input.text, formatOfFile(input.file));
}
