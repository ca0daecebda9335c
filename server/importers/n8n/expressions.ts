import type { Field } from '../graph-ir.ts';
import type { Value } from '../value.ts';

/** A text as n8n reads it: literal, or computed by an expression. */
export type Reading =
  | { readonly computed: false; readonly text: string }
  | { readonly computed: true; readonly text: string; readonly embedded: boolean };

const EXPRESSION_MARKS = ['{{', '}}', '=$json', '$json['];

/** The expression rule (importers 4.6). */
export function readText(text: string): Reading {
  if (text.startsWith('=')) {
    const body = text.slice(1);
    if (!body.includes('{{')) return { computed: false, text: body };
    const trimmed = body.trim();
    const whole = trimmed.startsWith('{{') && trimmed.indexOf('}}') === trimmed.length - 2;
    return { computed: true, text: body, embedded: !whole };
  }
  if (EXPRESSION_MARKS.some((mark) => text.includes(mark))) {
    return { computed: true, text, embedded: true };
  }
  return { computed: false, text };
}

/** A text parameter as a field; blank text is absent, another type is unmapped. */
export function textField(value: Value | undefined): Field<string> {
  if (value === undefined || value === null) return { state: 'absent' };
  if (typeof value !== 'string') {
    return { state: 'unresolved', cause: 'unmapped', display: describe(value), embedded: false };
  }
  const reading = readText(value);
  if (reading.text.trim() === '') return { state: 'absent' };
  if (!reading.computed) return { state: 'resolved', value: reading.text, provenance: 'authored' };
  return {
    state: 'unresolved',
    cause: 'expression',
    display: reading.text,
    embedded: reading.embedded,
  };
}

/** Short display of any value: scalars as they are, structures by size. */
export function describe(value: Value): string {
  if (value instanceof Map) return `{… ${value.size} key(s)}`;
  if (Array.isArray(value)) return `[… ${value.length} item(s)]`;
  return String(value);
}
