import type { Diagnostic } from './diagnostic.ts';
import { editText } from './edit/edit-text.ts';
import type { DocumentEdit } from './edit/edit-value.ts';
import type { OpenDocument } from './open-document.ts';
import type { ParsedDocument } from './parse-yaml.ts';
import type { Path } from './path.ts';
import { schemaAt } from './schema/locate.ts';
import { missingDeclaration } from './stubs.ts';
import type { TextEdit } from './text-edit.ts';

/** A change that answers a finding. */
export interface QuickFix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

const MEANT = /^Did you mean "(.+)"\?$/;

/** "Did you mean …?" becomes the name itself: in place of a key that nothing knows, or of a value. */
function replaceName(document: ParsedDocument, path: Path, name: string): DocumentEdit | undefined {
  const { root } = document.source;
  const isKey = typeof path.at(-1) === 'string' && schemaAt(root, path).field === null;
  if (isKey) return { op: 'rename', path, key: name };
  const scalar = document.source.find(path)?.node.kind === 'scalar';
  return scalar ? { op: 'set', path, value: name } : undefined;
}

/** A scalar as it is written. */
function sourceAt(document: ParsedDocument, path: Path): string | undefined {
  const node = document.source.find(path)?.node;
  return node?.kind === 'scalar' ? document.source.text.slice(node.start, node.end) : undefined;
}

interface Fix {
  readonly title: string;
  readonly edit: DocumentEdit;
}

/** The change of the place that a finding is about. */
function mendingFix(document: ParsedDocument, finding: Diagnostic): Fix | undefined {
  const { code, path, suggestion } = finding;
  const at = path === null ? undefined : document.source.find(path)?.path;
  if (at === undefined) return undefined;
  const name = MEANT.exec(suggestion ?? '')?.[1];
  if (name !== undefined) {
    const edit = replaceName(document, at, name);
    return edit && { title: `Change to "${name}"`, edit };
  }
  if (code === 'W_GRAPH_NODE_ID_MISMATCH') {
    const key = String(at.at(-2));
    return { title: `Set the id to "${key}"`, edit: { op: 'set', path: at, value: key } };
  }
  if (code !== 'E_SCHEMA') return undefined;
  if (suggestion?.startsWith('Put it in quotes') === true) {
    const value = sourceAt(document, at);
    return value === undefined
      ? undefined
      : { title: 'Put it in quotes', edit: { op: 'set', path: at, value } };
  }
  if (suggestion?.startsWith('Remove it') !== true) return undefined;
  return { title: `Remove "${String(at.at(-1))}"`, edit: { op: 'delete', path: at } };
}

/** A stub of the component that a finding misses; only in the current version of the language. */
function declaringFix({ value }: ParsedDocument, finding: Diagnostic): Fix | undefined {
  const missing = value?.['version'] === 'v1' ? missingDeclaration(finding) : undefined;
  if (missing === undefined) return undefined;
  const { what, name, path } = missing;
  return {
    title: `Declare the ${what} "${name}"`,
    edit: { op: 'set', path, value: missing.value },
  };
}

/**
 * The changes that answer a finding about a text, the likeliest first; each one leaves every other
 * byte as it is.
 */
export function quickFixes(open: OpenDocument, finding: Diagnostic): QuickFix[] {
  const { text, format, parsed: document } = open;
  if (document.value === undefined) return [];
  return [mendingFix(document, finding), declaringFix(document, finding)].flatMap((fix) => {
    const edits = fix && editText(text, fix.edit, format);
    return fix === undefined || edits === undefined ? [] : [{ title: fix.title, edits }];
  });
}
