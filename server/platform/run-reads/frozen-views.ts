import type { RunGraph } from '../../contract/platform/run-reads.ts';
import type { PolicyReport } from '../../contract/platform/specs.ts';
import { graphView } from '../../spec/graph-view.ts';
import { type LoadedSpec, loadSpec } from '../../spec/load-spec.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { parseTexts } from '../redaction.ts';
import { refuse } from '../refuse.ts';
import { statusOf } from '../runs/run-view.ts';
import { compiledSpec, invalidReport, reportView } from '../specs/check-spec.ts';
import { frozenSpecOf } from '../specs/frozen-spec.ts';

/** The run's own spec as it was frozen at its creation. */
function loadFrozen(row: RunsTable): LoadedSpec {
  const frozen = frozenSpecOf(row.created_metadata);
  if (frozen === undefined) {
    throw refuse('invalid_request', { message: 'The run has no spec of its own.' });
  }
  const loaded = loadSpec({
    base: frozen.base,
    overlays: frozen.overlays,
    overrides: frozen.overrides,
    environment: frozen.environment,
    skills: frozen.skillsOverlay,
  });
  if (loaded.spec === undefined && loaded.refusal !== null) {
    throw refuse('invalid_request', { message: loaded.refusal.message });
  }
  return loaded;
}

/** GET /runs/{id}/graph. */
export function runGraphView(row: RunsTable): RunGraph {
  const loaded = loadFrozen(row);
  const graph = graphView(compiledSpec(loaded.spec, loaded.diagnostics));
  const sequential = graph.workflow_kind === 'sequential';
  return {
    ...graph,
    run_id: row.id,
    status: statusOf(row),
    current: sequential ? row.current_step_id : row.current_node_id,
    visited: parseTexts(sequential ? row.visited_steps : row.visited_nodes),
  };
}

/** GET /runs/{id}/policy-report. */
export function runPolicyReport(deps: PlatformDeps, row: RunsTable, actor: string): PolicyReport {
  const loaded = loadFrozen(row);
  const report =
    loaded.spec === undefined ? invalidReport(loaded.diagnostics) : reportView(loaded.spec);
  deps.recordAudit({
    event_type: 'spec.policy_reported',
    actor,
    run_id: row.id,
    metadata: { valid: report.valid, source: 'run' },
  });
  return report;
}
