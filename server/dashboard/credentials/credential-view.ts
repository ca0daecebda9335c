import type { CredentialInventory } from '../../contract/dashboard/credentials.ts';
import { firstText, isJsonObject, objectOf, type Source, text, textOrNull } from '../read.ts';

const SECTIONS = ['providers', 'extra', 'service_tokens'] as const;

type Entry = CredentialInventory['sections'][number]['entries'][number];

function toEntry(key: string, value: unknown): Entry {
  const entry = objectOf(value);
  const present = Boolean(entry['present']);
  return {
    name: firstText(entry['name']) ?? key,
    env_var: text(entry['env_var']),
    status: firstText(entry['status']) ?? (present ? 'present' : 'missing'),
    present,
    expires_at: textOrNull(entry['expires_at']),
    last_checked: textOrNull(entry['last_checked']),
  };
}

/** Which credentials exist. Values are not copied, whatever the platform sends. */
export function toCredentialInventory(body: Source): CredentialInventory {
  const inventory = objectOf(body['inventory']);
  const sections = SECTIONS.flatMap((section) => {
    const entries = inventory[section];
    if (!isJsonObject(entries)) return [];
    return {
      section,
      entries: Object.entries(entries).map(([key, value]) => toEntry(key, value)),
    };
  });
  const all = sections.flatMap((section) => section.entries);
  const present = all.filter((entry) => entry.present).length;
  return { sections, present_count: present, missing_count: all.length - present };
}
