import { t } from '../../preload/texts/t.ts';
import type { AuditAction } from '../../server/contract/dashboard/audit-actions.ts';
import type { AuditEventType } from '../../server/contract/platform/audit-types.ts';

/** What happened on a platform. */
const EVENTS: Readonly<Record<AuditEventType, string>> = {
  'run.created': t('Run created'),
  'run.cancelled': t('Run cancelled'),
  'run.continued': t('Run continued'),
  'run.recovered': t('Run continued with a mended spec'),
  'run.rerun': t('Run begun again'),
  'run.stopped': t('Run stopped by the platform'),
  'run.timed_out': t('Run timed out'),
  'run.dead_lettered': t('Run given up'),
  'run.skills_overlay': t('Skills of a run changed'),
  'spec.run': t('Spec run'),
  'spec.validated': t('Spec checked'),
  'spec.compiled': t('Spec compiled'),
  'spec.explained': t('Spec explained'),
  'spec.graph': t('Graph of a spec read'),
  'spec.policy_reported': t('Spec held against a policy'),
  'human.decision': t('Task decided'),
  'human.expired': t('Task expired'),
  'human.escalated': t('Task escalated'),
  'human.continued': t('Task answered by its deadline'),
  'human.continue_failed': t('Answer by the deadline failed'),
  'policy.changed': t('Policy changed'),
  'budget.changed': t('Budget saved'),
  'budget.removed': t('Budget removed'),
  'prices.changed': t('Prices changed'),
  'credential.inventory_accessed': t('List of credentials read'),
  'webhook.created': t('Receiver of events added'),
  'webhook.changed': t('Receiver of events changed'),
  'webhook.rotated': t('Receiver of events given a new secret'),
  'webhook.deleted': t('Receiver of events removed'),
  'webhook.repeated': t('Events sent again'),
  'webhook.disabled': t('Receiver of events switched off'),
};

/** What somebody wanted to do; whether they did, the outcome says. */
const ACTIONS: Readonly<Record<AuditAction, string>> = {
  'launch.run': t('Start a run'),
  'run.cancel': t('Stop a run'),
  'run.continue': t('Continue a run'),
  'run.recover': t('Continue a run with a mended spec'),
  'run.rerun': t('Begin a run again'),
  'hitl.resume': t('Answer a task'),
  'policy.put': t('Change a policy'),
  'budget.put': t('Save a budget'),
  'budget.delete': t('Remove a budget'),
  'budget.prices.put': t('Change the prices of budgets'),
  'webhook.create': t('Add a receiver of events'),
  'webhook.put': t('Change a receiver of events'),
  'webhook.rotate': t('Give a receiver of events a new secret'),
  'webhook.delete': t('Remove a receiver of events'),
  'webhook.repeat': t('Send events again'),
  'settings.access.put': t('Change what roles may do'),
  'settings.access.environments.put': t('Change the environments of roles'),
  'settings.connections.put': t('Save an environment'),
  'settings.connections.delete': t('Remove an environment'),
  'settings.preferences.put': t('Change own preferences'),
  'settings.pricing.put': t('Change the prices of models'),
  'store.prune': t('Prune the store'),
  'store.prune.partial': t('Prune the store, broken off'),
};

/** What a role may be allowed to do: a refused act is written down as what it needed. */
export const CAPABILITIES: readonly { readonly name: string; readonly label: string }[] = [
  { name: 'run.control', label: t('Stop and continue runs, answer human tasks') },
  { name: 'launch', label: t('Start runs of a spec') },
  { name: 'policy.write', label: t('Change policies') },
  { name: 'annotate', label: t('Write notes on runs') },
  { name: 'filter.write', label: t('Save filters') },
  { name: 'audit.read', label: t('Read the audit') },
  { name: 'credentials.read', label: t('See which credentials there are') },
  { name: 'settings.write', label: t('Change settings, connections, budgets and receivers') },
];

/** How an act of a person went. */
export const OUTCOME_WORDS = {
  ok: t('done'),
  error: t('failed'),
  denied: t('denied'),
} as const;

const KNOWN_EVENTS: ReadonlyMap<string, string> = new Map(Object.entries(EVENTS));
const KNOWN_ACTS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(ACTIONS),
  ...CAPABILITIES.map(({ name, label }) => [name, label] as const),
]);

/** The type of an audit event in words; one of another program as it is written. */
export function eventWords(type: string): string {
  return KNOWN_EVENTS.get(type) ?? type;
}

/** What a person wanted to do, in words. */
export function actWords(action: string): string {
  return KNOWN_ACTS.get(action) ?? action;
}

/** Words and code of an event, for a choice that is looked through by either. */
export function eventChoice(type: string): { readonly value: string; readonly label: string } {
  const words = eventWords(type);
  return { value: type, label: words === type ? type : `${words} · ${type}` };
}
