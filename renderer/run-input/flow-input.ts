import { t } from '../../preload/texts/t.ts';
import { isObject } from '../../server/kernel/json.ts';
import type { TriggerField } from './trigger-form.ts';

/** A trigger that a run of an item flow may begin with. */
export interface FlowTrigger {
  readonly key: string;
  /** Its name in the source. */
  readonly name: string;
  /** What a person fills in to begin with it; none where nothing is asked of it. */
  readonly fields: readonly TriggerField[];
}

function looksLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

/** Why a text that begins like JSON is none; null for JSON and for any other text. */
export function inputProblem(text: string): string | null {
  if (!looksLikeJson(text)) return null;
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return t(
      'This begins like JSON and is not valid: {reason}. Correct it; a text begins with a word.',
      { reason },
    );
  }
}

function itemsOf(text: string): readonly unknown[] {
  if (looksLikeJson(text)) {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  }
  return [text.trim() === '' ? {} : { chatInput: text }];
}

/**
 * The input of a run that begins with a trigger. An object with `items` keeps what it says, a
 * `trigger` too. The text has no problem (`inputProblem`).
 */
export function inputWithTrigger(text: string, trigger: string): string {
  const items = itemsOf(text);
  const [only] = items;
  const isWhole = items.length === 1 && isObject(only) && Array.isArray(only['items']);
  return JSON.stringify(isWhole ? { trigger, ...only } : { trigger, items });
}
