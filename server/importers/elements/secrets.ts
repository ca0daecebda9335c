import { looksSecret } from '../../kernel/secret-names.ts';
import type { SourceRef } from '../analysis.ts';
import type { Loss } from '../graph-ir.ts';
import { findHiddenSecrets } from '../hidden-secrets.ts';
import { hasText, type Value } from '../value.ts';
import type { Element } from './document.ts';

interface Found {
  readonly path: string;
  readonly text: string;
}

/** True for a member that only names a credential of the source. */
export type NamesCredential = (key: string, value: Value) => boolean;

function plainOf(value: Value, names: NamesCredential): Value {
  if (Array.isArray(value)) return value.map((item) => plainOf(item, names));
  if (!(value instanceof Map)) return value;
  const kept = [...value].filter(([key, item]) => !names(key, item));
  return new Map(kept.map(([key, item]) => [key, plainOf(item, names)]));
}

function underNames(value: Value, path: string, out: Found[]): Found[] {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) underNames(item, `${path}[${index}]`, out);
  } else if (value instanceof Map) {
    for (const [key, item] of value) {
      const at = `${path}.${key}`;
      if (looksSecret(key) && hasText(item) && !item.includes('{{')) {
        out.push({ path: at, text: item.trim() });
      } else underNames(item, at, out);
    }
  }
  return out;
}

/** A whole file, and what to call it. */
export interface SecretPlace {
  readonly root: Value;
  readonly ref: SourceRef;
}

/**
 * Credentials as plain text, each told and guarded against: in the settings of elements, and wherever
 * else a file may have one.
 */
export function secretLosses(
  elements: readonly Element[],
  file: SecretPlace,
  literals: Set<string>,
  names: NamesCredential,
): Loss[] {
  const out: Loss[] = [];
  const tell = (ref: SourceRef, found: readonly Found[]): void => {
    for (const { path, text } of new Map(found.map((hit) => [hit.text.trim(), hit])).values()) {
      literals.add(text.trim());
      const detail = `"${ref.source_label}" holds a credential as plain text at ${path}; it was left out.`;
      out.push({ ref, kind: 'inline_secret', detail });
    }
  };
  for (const { ref, settings } of elements) {
    const plain = plainOf(settings, names);
    tell(ref, [...underNames(plain, 'settings', []), ...findHiddenSecrets(plain, 'settings')]);
  }
  const everywhere = findHiddenSecrets(plainOf(file.root, names), file.ref.locator);
  tell(
    file.ref,
    everywhere.filter(({ text }) => !literals.has(text.trim())),
  );
  return out;
}
