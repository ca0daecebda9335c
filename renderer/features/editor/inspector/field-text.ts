import { t } from '../../../../preload/texts/t.ts';
import type { Json } from '../../../../server/kernel/json.ts';
import type { FieldKind, FormField } from '../../../../server/spec/language/inspect/form.ts';

/** What a typed text says: a value, nothing, or why it says neither. */
export type ReadField =
  | { readonly value: Json }
  | { readonly clear: true }
  | { readonly problem: string };

function parsed(text: string): { readonly value: Json } | undefined {
  try {
    const value: Json = JSON.parse(text);
    return { value };
  } catch {
    return undefined;
  }
}

/** A value as it stands in a field: a text as itself unless it reads as something else. */
export function fieldText(kind: FieldKind, value: Json): string {
  if (value === null) return '';
  if (kind === 'texts' && Array.isArray(value)) return value.join('\n');
  if (kind === 'json') return JSON.stringify(value, null, 2);
  if (typeof value !== 'string') return JSON.stringify(value);
  return kind === 'any' && (value === '' || parsed(value) !== undefined)
    ? JSON.stringify(value)
    : value;
}

function readNumber(text: string, whole: boolean): ReadField {
  const value = Number(text);
  if (!Number.isFinite(value)) return { problem: t('Give a number.') };
  return whole && !Number.isInteger(value) ? { problem: t('Give a whole number.') } : { value };
}

/** What a typed text says for a field; an empty one takes the field away. */
export function readField({ kind }: Pick<FormField, 'kind'>, text: string): ReadField {
  if (text.trim() === '' && kind !== 'long') return { clear: true };
  if (text === '') return { clear: true };
  switch (kind) {
    case 'number':
    case 'integer':
      return readNumber(text, kind === 'integer');
    case 'boolean':
      return { value: text === 'true' };
    case 'texts':
      return { value: text.split('\n').filter((line) => line !== '') };
    case 'any':
      return parsed(text) ?? { value: text };
    case 'json':
      return parsed(text) ?? { problem: t('This is no JSON yet.') };
    default:
      return { value: text };
  }
}
