import { refuse } from './refusals.ts';

/**
 * Answers the row that a change of exactly one version met (contract/dashboard.md 15). `find` looks
 * for the row of any version, to tell one that changed meanwhile from one that is not there.
 * @throws Refusal `dashboard_state_conflict`, `not_found`
 */
export async function requireChanged<Row>(
  changed: Row | undefined,
  find: () => Promise<unknown>,
): Promise<Row> {
  if (changed !== undefined) return changed;
  throw refuse((await find()) === undefined ? 'not_found' : 'dashboard_state_conflict');
}
