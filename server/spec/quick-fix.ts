import type { Diagnostic } from './diagnostic.ts';
import { editText } from './edit/edit-text.ts';
import type { DocumentEdit } from './edit/edit-value.ts';
import type { OpenDocument } from './open-document.ts';
import type { ParsedDocument } from './parse-yaml.ts';
import type { Path } from './path.ts';
import { schemaAt } from './schema/locate.ts';
import type { TextEdit } from './text-edit.ts';

/** A change that answers a finding. */
export interface QuickFix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

const MEANT = /^Did you mean "(.+)"\?$/;

function pathOf(document: ParsedDocument, written: string): Path | undefined {
  return document.source.find(written)?.path;
}

/** "Did you mean …?" becomes the name itself. */
function replaceName(document: ParsedDocument, path: Path, name: string): DocumentEdit | undefined {
  const last = path.at(-1);
  const node = document.source.find(path)?.node;
  if (typeof last === 'string' && node !== undefined && node.kind !== 'scalar') {
    const known = schemaAt(document.source.root, path).field !== null;
    return known ? undefined : { op: 'rename', path, key: name };
  }
  if (node?.kind !== 'scalar') return undefined;
  const unknownKey =
    typeof last === 'string' && schemaAt(document.source.root, path).field === null;
  return unknownKey ? { op: 'rename', path, key: name } : { op: 'set', path, value: name };
}

/** A scalar as it is written. */
function sourceAt(document: ParsedDocument, path: Path): string | undefined {
  const node = document.source.find(path)?.node;
  return node?.kind === 'scalar' ? document.source.text.slice(node.start, node.end) : undefined;
}

function fixOf(
  document: ParsedDocument,
  { code, path, suggestion }: Diagnostic,
): { title: string; edit: DocumentEdit } | undefined {
  const at = path === null ? undefined : pathOf(document, path);
  if (at === undefined) return undefined;
  const name = MEANT.exec(suggestion ?? '')?.[1];
  if (name !== undefined) {
    const edit = replaceName(document, at, name);
    return edit && { title: `Change to "${name}"`, edit };
  }
  const last = at.at(-1);
  if (code === 'W_GRAPH_NODE_ID_MISMATCH') {
    const key = String(at.at(-2));
    return { title: `Set the id to "${key}"`, edit: { op: 'set', path: at, value: key } };
  }
  if (code === 'E_SCHEMA' && suggestion?.startsWith('Put it in quotes') === true) {
    const value = sourceAt(document, at);
    return value === undefined
      ? undefined
      : { title: 'Put it in quotes', edit: { op: 'set', path: at, value } };
  }
  if (code === 'E_SCHEMA' && suggestion?.startsWith('Remove it') === true) {
    return { title: `Remove "${String(last)}"`, edit: { op: 'delete', path: at } };
  }
  return undefined;
}

/** The changes that answer a finding about a text; each one leaves every other byte as it is. */
export function quickFixes(open: OpenDocument, diagnostic: Diagnostic): QuickFix[] {
  const { text, format, parsed: document } = open;
  if (document.value === undefined) return [];
  const fix = fixOf(document, diagnostic);
  const edits = fix && editText(text, fix.edit, format);
  return fix === undefined || edits === undefined ? [] : [{ title: fix.title, edits }];
}
