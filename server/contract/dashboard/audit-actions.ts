/**
 * Every act that the dashboard writes down of a person (contract/dashboard.md 14). One that is refused
 * is written as the capability that it needs.
 */
export const AUDIT_ACTIONS = [
  'launch.run',
  'run.cancel',
  'run.continue',
  'run.recover',
  'run.rerun',
  'hitl.resume',
  'policy.put',
  'budget.put',
  'budget.delete',
  'budget.prices.put',
  'webhook.create',
  'webhook.put',
  'webhook.rotate',
  'webhook.delete',
  'webhook.repeat',
  'settings.access.put',
  'settings.access.environments.put',
  'settings.connections.put',
  'settings.connections.delete',
  'settings.preferences.put',
  'settings.pricing.put',
  'store.prune',
  'store.prune.partial',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];
