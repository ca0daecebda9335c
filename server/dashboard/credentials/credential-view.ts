import type {
  CredentialInventory,
  CredentialNeedsView,
} from '../../contract/dashboard/credentials.ts';
import type { getCredentialNeeds } from '../../contract/platform/security.ts';
import type { Answer } from '../../platform-client/answers.ts';
import { required } from '../../platform-client/answers.ts';
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

/**
 * Which credentials exist. Values are not copied, whatever the platform sends.
 * @throws PlatformError `protocol` for an answer without an inventory.
 */
export function toCredentialInventory(body: CredentialsAnswer): CredentialInventory {
  const inventory = required(body.inventory, 'inventory');
  const sections = SECTIONS.flatMap((section) => {
    const found = inventory[section];
    if (found === undefined || found === null) return [];
    const entries = Object.entries(found).map(([key, entry]) => toEntry(key, entry ?? {}));
    return { section, entries };
  });
  const all = sections.flatMap((section) => section.entries);
  const present = all.filter((entry) => entry.present).length;
  return { sections, present_count: present, missing_count: all.length - present };
}

/** Who needs which credential; a platform that does not say it reads as unavailable. */
export function toCredentialNeeds(
  body: Answer<typeof getCredentialNeeds> | undefined,
): CredentialNeedsView {
  return {
    available: body !== undefined,
    runs_looked_at: body?.runs_looked_at ?? 0,
    runs_left_out: body?.runs_left_out ?? 0,
    needs: (body?.needs ?? []).map((need) => ({
      env_var: need.env_var ?? '',
      provider: need.provider ?? null,
      title: need.title ?? null,
      present: need.present === true,
      usable: need.usable === true,
      runs: need.runs ?? 0,
      workflows: (need.workflows ?? []).map(({ name, agent_name, runs, last_run_id }) => ({
        name: name ?? '',
        agent_name: agent_name ?? '',
        runs: runs ?? 0,
        last_run_id: last_run_id ?? '',
      })),
    })),
  };
}
