import { t } from '../../../preload/texts/t.ts';
import type {
  CredentialInventory,
  CredentialNeed,
  CredentialNeedsView,
} from '../../../server/contract/dashboard/credentials.ts';
import { modelKeyName } from '../../../server/contract/gateway/model-keys.ts';
import type { Tone } from '../../ui/status-badge.tsx';

/** One secret, under all the names that a platform lists it by. */
export interface CredentialRow {
  readonly variable: string;
  readonly names: readonly string[];
  readonly present: boolean;
  /** False: it is there and not given to the specs that ask for it. */
  readonly usable: boolean;
  readonly expiresAt: string | null;
  readonly need: CredentialNeed | undefined;
  /** A person can store it here under its name. */
  readonly settable: boolean;
}

export interface CredentialSection {
  readonly section: string;
  readonly rows: readonly CredentialRow[];
}

type Entry = CredentialInventory['sections'][number]['entries'][number];

/** Without the kind that the platform writes before a name: the section says it. */
function plainName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

const SERVICE_TOKENS = 'service_tokens';
const EXTRA = 'extra';

function rowOf(
  section: string,
  entries: readonly Entry[],
  need: CredentialNeed | undefined,
): CredentialRow {
  const variable = entries[0]?.env_var ?? need?.env_var ?? '';
  const present = entries.some((entry) => entry.present) || (need?.present ?? false);
  const names = entries.map(({ name }) => plainName(name));
  return {
    variable,
    names: names.length > 0 ? names : [need?.title ?? variable],
    present,
    usable: need?.usable ?? present,
    expiresAt: entries.find(({ expires_at }) => expires_at !== null)?.expires_at ?? null,
    need,
    // A credential of an imported workflow has several fields; the editor asks for them.
    settable:
      section !== SERVICE_TOKENS &&
      (need?.title ?? null) === null &&
      modelKeyName.safeParse(variable).success,
  };
}

/** The secrets by section, each once, with who needs them; those that only specs name among the others. */
export function credentialSections(
  inventory: CredentialInventory,
  needs: CredentialNeedsView | undefined,
): readonly CredentialSection[] {
  const byName = new Map(needs?.needs.map((need) => [need.env_var, need]));
  const sections = inventory.sections.map(({ section, entries }) => ({
    section,
    rows: [...Map.groupBy(entries, ({ env_var }) => env_var)].map(([name, group]) =>
      rowOf(section, group, byName.get(name)),
    ),
  }));
  const listed = new Set(sections.flatMap(({ rows }) => rows.map(({ variable }) => variable)));
  const others = [...byName.values()]
    .filter(({ env_var }) => !listed.has(env_var))
    .map((need) => rowOf(EXTRA, [], need));
  const known = sections.some(({ section }) => section === EXTRA);
  return [...sections, ...(known ? [] : [{ section: EXTRA, rows: [] }])]
    .map((each) => (each.section === EXTRA ? { ...each, rows: [...each.rows, ...others] } : each))
    .filter(({ rows }) => rows.length > 0);
}

/** How a secret stands: missing is a matter only where something asks for it. */
export function credentialState({ present, usable, need }: CredentialRow): {
  readonly tone: Tone;
  readonly text: string;
} {
  if (present && !usable) {
    return { tone: 'warning', text: t('present, not given to specs') };
  }
  if (present) {
    return { tone: 'success', text: t('present') };
  }
  return need === undefined
    ? { tone: 'neutral', text: t('not set') }
    : { tone: 'warning', text: t('missing and needed') };
}
