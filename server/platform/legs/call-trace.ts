import type { CallMcpTool, CallModel, CallTool, PendingEffect } from '../../engine/effect.ts';
import type { RunEvent } from '../../engine/event.ts';
import { type Around, spanAround } from '../../engine/open-spans.ts';
import type { RunState } from '../../engine/state.ts';
import { NO_EVENT_FIELDS } from '../../engine/trace.ts';
import { parseUsage } from '../../engine/usage.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { PlatformDeps } from '../deps.ts';
import { redactText, scrubPaths } from '../redaction.ts';
import type { PlatformEvent } from '../stored-states/run-rows.ts';

/** Tells of the calls of models and tools in the trace of their run (contract/platform.md 3.9). */
export interface CallTrace {
  /** The call is about to be made; false when it is none that is told of, or was told of before. */
  began(effect: PendingEffect, state: RunState): boolean;
  /** The call came back with this. */
  ended(effect: PendingEffect, event: RunEvent): void;
  /** Nobody waits for these calls any more. */
  givenUp(effectIds: readonly string[]): void;
}

type CallDeps = Pick<PlatformDeps, 'ids' | 'clock' | 'config'>;
type TracedCall = CallModel | CallTool | CallMcpTool;

interface Begun {
  readonly call: TracedCall;
  readonly around: Around;
  readonly event_id: string;
  readonly span_id: string;
  /** As `performance.now`. */
  readonly at: number;
}

const GIVEN_UP = 'The call was given up.';

function isTraced(effect: PendingEffect): effect is TracedCall {
  return (
    effect.kind === 'call_model' || effect.kind === 'call_tool' || effect.kind === 'call_mcp_tool'
  );
}

/** What all events of a call say; texts that went in and came out stand elsewhere. */
function callFields(call: TracedCall) {
  const { agent_name, step_id } = call;
  if (call.kind !== 'call_model') return { agent_name, step_id, tool_name: call.tool };
  const { provider: model_provider, model: model_name, runtime_mode } = call.binding;
  return { agent_name, step_id, model_provider, model_name, runtime_mode };
}

function callMetadata(call: TracedCall): JsonObject {
  switch (call.kind) {
    case 'call_model':
      return { iteration: call.iteration, attempt: call.attempt, phase: call.phase };
    case 'call_tool':
      return { call_id: call.call_id };
    case 'call_mcp_tool':
      return { call_id: call.call_id, server: call.server };
  }
}

function answerMetadata(event: RunEvent): JsonObject {
  if (event.type !== 'effect_succeeded' || event.result.kind !== 'model') return {};
  const usage = parseUsage(event.result.answer.usage);
  return usage === undefined ? {} : { usage: { ...usage } };
}

class LegCalls implements CallTrace {
  readonly #deps: CallDeps;
  readonly #runId: string;
  readonly #note: (event: PlatformEvent) => void;
  readonly #begun = new Map<string, Begun>();

  constructor(deps: CallDeps, runId: string, note: (event: PlatformEvent) => void) {
    this.#deps = deps;
    this.#runId = runId;
    this.#note = note;
  }

  began(effect: PendingEffect, state: RunState): boolean {
    const { ids, config } = this.#deps;
    if (!config.traceCalls || !isTraced(effect) || this.#begun.has(effect.id)) return false;
    const begun = {
      ...{ call: effect, around: spanAround(state, effect.id) },
      ...{ event_id: ids.uuid(), span_id: ids.uuid(), at: performance.now() },
    };
    this.#begun.set(effect.id, begun);
    this.#write(begun, 'started', {
      event_id: begun.event_id,
      parent_event_id: begun.around.event_id,
      metadata: callMetadata(effect),
    });
    return true;
  }

  ended(effect: PendingEffect, event: RunEvent): void {
    const error = event.type === 'effect_failed' ? event.error.message : null;
    this.#end(effect.id, error, answerMetadata(event));
  }

  givenUp(effectIds: readonly string[]): void {
    for (const id of effectIds) this.#end(id, GIVEN_UP, {});
  }

  #end(id: string, error: string | null, metadata: JsonObject): void {
    const begun = this.#begun.get(id);
    if (begun === undefined) return;
    this.#begun.delete(id);
    const duration_ms = Math.round(performance.now() - begun.at);
    this.#write(begun, error === null ? 'completed' : 'failed', {
      event_id: this.#deps.ids.uuid(),
      parent_event_id: begun.event_id,
      metadata: { ...callMetadata(begun.call), duration_ms, ...metadata },
      error: error === null ? null : scrubPaths(redactText(error)),
    });
  }

  #write(
    { call, around, span_id }: Begun,
    phase: 'started' | 'completed' | 'failed',
    fields: Partial<PlatformEvent> & Pick<PlatformEvent, 'event_id'>,
  ): void {
    const what = call.kind === 'call_model' ? 'model' : 'tool';
    this.#note({
      ...NO_EVENT_FIELDS,
      ...callFields(call),
      ...fields,
      type: `${what}_${phase}`,
      run_id: this.#runId,
      timestamp: toTimestamp(this.#deps.clock.now()),
      span_id,
      parent_span_id: around.span_id,
      workflow_name: around.workflow_name,
    });
  }
}

/** Tells of the calls that one leg makes; `note` adds an event to what is stored next. */
export function createCallTrace(
  deps: CallDeps,
  runId: string,
  note: (event: PlatformEvent) => void,
): CallTrace {
  return new LegCalls(deps, runId, note);
}
