import { t } from '../../preload/texts/t.ts';
import type { RunOrigin } from '../../server/contract/studio/test-runs.ts';
import { draftTitle } from './draft-names.ts';

/** What a name is made of; rows, details and entries of a session have it. */
export interface NamedRun {
  readonly spec_name: string | null;
  readonly workflow_name: string;
  readonly agent_name?: string;
}

/** The agent name that importers give to every spec. */
const IMPORTED = 'imported-agent';

/**
 * The name of a run: the one that its spec gives, else the draft's that it was made of, else the
 * agent's; the word of its kind comes last.
 */
export function runName(run: NamedRun, origin?: RunOrigin): string {
  const agent = run.agent_name === IMPORTED ? '' : run.agent_name;
  const draft = origin === undefined ? '' : draftTitle(origin.draft_ref);
  return run.spec_name || draft || agent || run.workflow_name || t('Run without a name');
}
