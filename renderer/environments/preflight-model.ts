import { z } from 'zod';
import { t } from '../../preload/texts/t.ts';
import type { SpecNeeds } from '../../server/contract/studio/bindings.ts';
import type { PreflightCredentialsView } from '../../server/contract/studio/environments.ts';
import { toldReader } from '../../server/contract/told.ts';

/** Whether a run would get what the spec asks for. */
export type NeedState = 'present' | 'missing' | 'withheld' | 'keyless' | 'unknown';

/** Something that a spec asks its platform for; never a value. */
export interface NeedRow {
  readonly id: string;
  readonly name: string;
  readonly kind: 'provider' | 'secret';
  /** Where the platform looks for it. */
  readonly variable: string | null;
  readonly state: NeedState;
}

/** The kinds in words. */
export const NEED_KINDS: Readonly<Record<NeedRow['kind'], string>> = {
  provider: t('Model provider'),
  secret: t('Secret'),
};

/** Providers that never answer without a key; any other may be one of the own network. */
const KEYED = new Set(['openai', 'openai-agents', 'anthropic', 'google', 'google-adk']);

const readEntry = toldReader(
  z.object({ env_var: z.string(), present: z.boolean(), usable: z.boolean() }),
);

function row(
  kind: NeedRow['kind'],
  name: string,
  section: Readonly<Record<string, object>> | undefined,
): NeedRow {
  const head = { id: `${kind} ${name}`, name, kind };
  const found = section !== undefined && Object.hasOwn(section, name) ? section[name] : undefined;
  if (found === undefined) {
    return { ...head, variable: null, state: 'unknown' };
  }
  const { env_var, present, usable } = readEntry(found);
  const variable = env_var ?? null;
  if (present !== true) {
    const keyless = kind === 'provider' && !KEYED.has(name);
    return { ...head, variable, state: keyless ? 'keyless' : 'missing' };
  }
  return { ...head, variable, state: usable === false ? 'withheld' : 'present' };
}

/** What a spec asks for, and what its platform has of it. */
export function needRows(
  needs: SpecNeeds,
  credentials: PreflightCredentialsView['credentials'],
): readonly NeedRow[] {
  const sections = credentials ?? {};
  return [
    ...needs.providers.map((name) => row('provider', name, sections['providers'])),
    ...needs.secrets.map((name) => row('secret', name, sections['extra'])),
  ];
}

/** Those that a run would miss. */
export function lacking(rows: readonly NeedRow[]): readonly NeedRow[] {
  return rows.filter(({ state }) => state === 'missing' || state === 'withheld');
}
