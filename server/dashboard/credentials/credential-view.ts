import type { CredentialInventory } from '../../contract/dashboard/credentials.ts';
import type { CredentialsAnswer } from '../platform-answers.ts';
import { firstText } from '../read.ts';

const SECTIONS = ['providers', 'extra', 'service_tokens'] as const;

type Inventory = NonNullable<CredentialsAnswer['inventory']>;
type Told = NonNullable<NonNullable<Inventory['providers']>[string]>;
type Entry = CredentialInventory['sections'][number]['entries'][number];

function toEntry(key: string, entry: Told): Entry {
  const present = Boolean(entry.present);
  return {
    name: firstText(entry.name) ?? key,
    env_var: entry.env_var ?? '',
    status: firstText(entry.status) ?? (present ? 'present' : 'missing'),
    present,
    expires_at: entry.expires_at ?? null,
    last_checked: entry.last_checked ?? null,
  };
}

/** Which credentials exist. Values are not copied, whatever the platform sends. */
export function toCredentialInventory(body: CredentialsAnswer): CredentialInventory {
  const sections = SECTIONS.flatMap((section) => {
    const found = body.inventory?.[section];
    if (found === undefined || found === null) return [];
    const entries = Object.entries(found).map(([key, entry]) => toEntry(key, entry ?? {}));
    return { section, entries };
  });
  const all = sections.flatMap((section) => section.entries);
  const present = all.filter((entry) => entry.present).length;
  return { sections, present_count: present, missing_count: all.length - present };
}
