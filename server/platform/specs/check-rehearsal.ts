import { rehearsal } from '../../contract/platform/rehearsals.ts';
import type { Json } from '../../kernel/json.ts';
import type { PlatformConfig } from '../config.ts';
import { refuse } from '../refuse.ts';

/**
 * Refuses a rehearsal that cannot be read, and every one in an environment that is marked as production
 * (`SERV_PRODUCTION_ENVIRONMENTS`).
 * @throws Refusal rehearsal_refused, invalid_request.
 */
export function checkRehearsal(
  { productionEnvironments }: Pick<PlatformConfig, 'productionEnvironments'>,
  given: Json | undefined,
  environment: string | null,
): void {
  if (given === undefined || given === null) return;
  if (environment !== null && productionEnvironments.includes(environment))
    throw refuse('rehearsal_refused', { details: { environment } });
  const read = rehearsal.safeParse(given);
  if (read.success) return;
  const [first] = read.error.issues;
  const place = ['metadata', 'rehearsal', ...(first?.path ?? [])].join('.');
  throw refuse('invalid_request', {
    message: `${place} must be {steps, tools} with {by: pinned|mocked, items} or {by: recorded, recording} for each name.`,
  });
}
