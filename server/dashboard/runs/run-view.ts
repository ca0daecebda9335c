import type { RunRow } from '../../contract/dashboard/runs.ts';
import { isJsonObject } from '../../kernel/json.ts';
import { ageText } from '../age.ts';
import type { RunItem } from '../platform-answers.ts';
import { previewOf } from '../preview.ts';
import { firstText, textOrNull } from '../read.ts';
import type { PriceBook } from '../settings/pricing.ts';
import { runIdentity } from './run-identity.ts';
import { type StuckThresholds, stuckReason } from './stuck-rules.ts';
import { usageView } from './usage-view.ts';

/** What a view needs beside the platform's answer. */
export interface ViewContext {
  readonly nowMs: number;
  readonly thresholds: StuckThresholds;
  readonly prices: PriceBook;
}

/** The text of an error object: message, detail or code, else its JSON. */
export function errorText(error: unknown): string | null {
  if (error === null || error === undefined) return null;
  if (typeof error === 'string') return error;
  if (!isJsonObject(error)) return JSON.stringify(error);
  return firstText(error['message'], error['detail'], error['code']) ?? JSON.stringify(error);
}

/** A platform run record as a row of the list. */
export function toRunRow(run: RunItem, context: ViewContext): RunRow {
  const reason = stuckReason(run, context.nowMs, context.thresholds);
  const { error } = run;
  return {
    run_id: firstText(run.id, run.run_id) ?? '',
    status: run.status ?? '',
    workflow_name: run.workflow_name ?? '',
    workflow_kind: run.workflow_kind ?? '',
    agent_name: run.agent_name ?? '',
    current_node_id: run.current_node_id ?? null,
    current_step_index: run.current_step_index ?? null,
    updated_age: ageText(run.updated_at, context.nowMs),
    created_at: textOrNull(run.created_at),
    updated_at: textOrNull(run.updated_at),
    current_step_id: run.current_step_id ?? null,
    blocked: run.status === 'blocked',
    has_error: error !== null && error !== undefined,
    stuck: reason !== undefined,
    stuck_reason: reason ?? null,
    usage: usageView(run, context.prices),
    ...runIdentity(run),
    input_preview: previewOf(run.input_text),
    output_preview: previewOf(run.output_text),
    error_preview: previewOf(errorText(error)),
  };
}
