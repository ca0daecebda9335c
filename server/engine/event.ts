import type { Json, JsonObject } from '../kernel/json.ts';
import type { RunError } from './failure.ts';
import type { ToolCall } from './message.ts';

/** What a model answered. `usage` is the provider's object as received; it is read by `parseUsage`. */
export interface ModelAnswer {
  readonly text: string;
  readonly tool_calls: readonly ToolCall[];
  readonly usage?: Json;
  /** What a reader of the answer must know, such as that it was cut; joins the run's metadata. */
  readonly warning?: string;
  /** The answer comes from a recording: no model was asked. */
  readonly replayed?: true;
}

/** What an effect gave back: `model` answers call_model, `value` answers functions, tools and MCP. */
export type EffectResult =
  | { readonly kind: 'model'; readonly answer: ModelAnswer }
  | { readonly kind: 'value'; readonly value: Json };

/** Why an effect failed. `type` is one of the names of platform.md 6.3; others become RuntimeError. */
export interface EffectError {
  readonly message: string;
  readonly type?: string;
  readonly timed_out?: boolean;
  readonly retryable?: boolean;
  /** A provider asked to wait at least so long before the next attempt. */
  readonly retry_after_seconds?: number;
}

type HumanDecisionKind = 'approved' | 'rejected' | 'edited' | 'selected' | 'provided';

/** A person's answer (platform.md 3.8). */
export interface HumanDecision {
  readonly decision: HumanDecisionKind;
  readonly content?: string | null;
  readonly selected_option?: string | null;
}

/** What a person is asked before a run begins. */
export interface HoldQuestion {
  readonly title: string;
  readonly prompt: string;
  readonly context: JsonObject;
}

interface At {
  /** When it happened: milliseconds since the epoch. The engine has no other clock. */
  readonly at: number;
}

/** Everything that can happen to a run. An event that does not apply in the present state changes nothing. */
export type RunEvent =
  | (At & {
      readonly type: 'start';
      /** A person is asked first; absent = the run begins. */
      readonly hold?: HoldQuestion;
    })
  | (At & {
      readonly type: 'effect_succeeded';
      readonly effect_id: string;
      readonly result: EffectResult;
    })
  | (At & {
      readonly type: 'effect_failed';
      readonly effect_id: string;
      readonly error: EffectError;
    })
  | (At & { readonly type: 'timer_fired'; readonly effect_id: string })
  | (At & { readonly type: 'human_decided'; readonly decision: HumanDecision })
  /** The task sweep met the deadline: on_timeout decides (fail, continue, escalate). */
  | (At & { readonly type: 'task_expired' })
  /** Continue of a failed run (platform.md 6.4). A blocked one is continued with `human_decided`. */
  | (At & {
      readonly type: 'continued';
      /** True when secrets in the texts that it goes on from were masked. */
      readonly masked?: boolean;
    })
  /** A run that stopped goes on under another spec, at the place that it was carried over to. */
  | (At & { readonly type: 'recovered'; readonly masked?: boolean })
  | (At & {
      readonly type: 'cancelled';
      readonly reason?: string;
      /** True when the cancel route asked. */
      readonly requested?: boolean;
    })
  | (At & { readonly type: 'deadline_passed' })
  /** The platform ends the run: dead letter, spec that does not compile, restart of the service. */
  | (At & {
      readonly type: 'failed';
      readonly error: RunError;
      /** Added to the metadata of the run_failed checkpoint, such as `{dead_letter: true}`. */
      readonly metadata?: { readonly [key: string]: Json };
    });
