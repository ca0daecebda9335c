import type { RunGraph } from '../../contract/platform/run-reads.ts';
import type { PolicyReport } from '../../contract/platform/specs.ts';
import { type Answer, answerText } from '../../http/answer.ts';
import { joinObjectTexts } from '../../kernel/json-text.ts';
import { tellAudit } from '../audit/tell-audit.ts';
import type { PlatformDeps } from '../deps.ts';
import { parseTexts } from '../redaction.ts';
import { statusOf } from '../run-record/run-view.ts';
import type { ShortRow } from '../run-record/runs-repository.ts';

type ViewDeps = Pick<PlatformDeps, 'specReader' | 'recordAudit' | 'commits' | 'log'>;

/** GET /runs/{id}/graph. */
export async function runGraphView(deps: ViewDeps, row: ShortRow): Promise<Answer<RunGraph>> {
  const { text, facts } = await deps.specReader.frozen('graph', row.created_metadata);
  const sequential = facts['workflow_kind'] === 'sequential';
  const place = {
    run_id: row.id,
    status: statusOf(row),
    current: sequential ? row.current_step_id : row.current_node_id,
    visited: parseTexts(sequential ? row.visited_steps : row.visited_nodes),
  };
  return answerText(joinObjectTexts(text, JSON.stringify(place)));
}

/** GET /runs/{id}/policy-report. */
export async function runPolicyReport(
  deps: ViewDeps,
  row: ShortRow,
  actor: string,
): Promise<Answer<PolicyReport>> {
  const { text, facts } = await deps.specReader.frozen('report', row.created_metadata);
  await tellAudit(deps, {
    event_type: 'spec.policy_reported',
    actor,
    run_id: row.id,
    metadata: { ...facts, source: 'run' },
  });
  return answerText(text);
}
