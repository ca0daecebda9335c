import { isObject, type Json } from '../../kernel/json.ts';
import { editText } from '../edit/edit-text.ts';
import { childOf, type DocumentEdit } from '../edit/edit-value.ts';
import type { TextEdit } from '../edit/text-edit.ts';
import type { Finding, Mend } from '../values/diagnostic.ts';
import type { Path } from '../values/path.ts';
import type { ParsedDocument } from '../yaml/parse-yaml.ts';
import { schemaAt } from './locate.ts';
import type { OpenDocument } from './open-document.ts';
import { missingDeclaration } from './stubs.ts';

/** A change that answers a finding. */
export interface QuickFix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

/** The name that was meant, in place of a key that nothing knows, or of a value. */
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

/** What stands at a place, for a fix that writes it anew. */
function valueAt({ value }: ParsedDocument, path: Path): Json | undefined {
  let found: Json | undefined = value;
  for (const segment of path) found = found === undefined ? undefined : childOf(found, segment);
  return found;
}

/** The fixes that need nothing but the code of the finding. */
function fixOfCode(code: string, at: Path): Fix | undefined {
  switch (code) {
    case 'W_GRAPH_NODE_ID_MISMATCH': {
      const key = String(at.at(-2));
      return { title: `Set the id to "${key}"`, edit: { op: 'set', path: at, value: key } };
    }
    case 'E_GUARDRAIL_MODE_UNSUPPORTED':
      return { title: 'Remove "mode"', edit: { op: 'delete', path: at } };
    case 'E_GUARDRAIL_ACTION_UNSUPPORTED':
      return { title: 'Set the action to "block"', edit: { op: 'set', path: at, value: 'block' } };
    default:
      return undefined;
  }
}

function quotingFix(document: ParsedDocument, at: Path): Fix | undefined {
  const value = sourceAt(document, at);
  return value === undefined
    ? undefined
    : { title: 'Put it in quotes', edit: { op: 'set', path: at, value } };
}

function listFix(document: ParsedDocument, at: Path): Fix | undefined {
  const value = valueAt(document, at);
  return typeof value === 'string' || isObject(value)
    ? { title: 'Make it a list', edit: { op: 'set', path: at, value: [value] } }
    : undefined;
}

/** The type of the guardrail whose list is at a place; with both lists there is no telling which is meant. */
function typeFix(document: ParsedDocument, at: Path, type: 'keyword' | 'regex'): Fix | undefined {
  const own = type === 'regex' ? 'keywords' : 'patterns';
  if (valueAt(document, [...at.slice(0, -1), own]) !== undefined) return undefined;
  const path = [...at.slice(0, -2), 'type'];
  return { title: `Set the type to "${type}"`, edit: { op: 'set', path, value: type } };
}

function fixOfMend(document: ParsedDocument, mend: Mend, at: Path): Fix | undefined {
  switch (mend.change) {
    case 'rename': {
      const edit = replaceName(document, at, mend.to);
      return edit && { title: `Change to "${mend.to}"`, edit };
    }
    case 'write': {
      const edit: DocumentEdit = { op: 'set', path: at, value: mend.value };
      return { title: `Change "${mend.from}" to "${mend.to}"`, edit };
    }
    case 'quote':
      return quotingFix(document, at);
    case 'make_list':
      return listFix(document, at);
    case 'set_type':
      return typeFix(document, at, mend.type);
    case 'remove':
      return { title: `Remove "${String(at.at(-1))}"`, edit: { op: 'delete', path: at } };
    default:
      return undefined;
  }
}

/** The change of the place that a finding is about. */
function mendingFix(document: ParsedDocument, { code, path, mend }: Finding): Fix | undefined {
  const at = path === null ? undefined : document.source.find(path)?.path;
  if (at === undefined) return undefined;
  return mend === undefined ? fixOfCode(code, at) : fixOfMend(document, mend, at);
}

/** A stub of the component that a finding misses; only in the current version of the language. */
function declaringFix({ value }: ParsedDocument, finding: Finding): Fix | undefined {
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
export function quickFixes(open: OpenDocument, finding: Finding): QuickFix[] {
  const { text, format, parsed: document } = open;
  if (document.value === undefined) return [];
  return [mendingFix(document, finding), declaringFix(document, finding)].flatMap((fix) => {
    const edits = fix && editText(text, fix.edit, format);
    return fix === undefined || edits === undefined ? [] : [{ title: fix.title, edits }];
  });
}
