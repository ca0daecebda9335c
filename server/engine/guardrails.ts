import { isObject, type Json } from '../kernel/json.ts';
import { quietCall } from './agent-call.ts';
import { append } from './append-list.ts';
import type { EffectError, EffectResult } from './event.ts';
import { type Failure, failure } from './failure.ts';
import { jsonIn } from './frame-value.ts';
import {
  checkTextNow,
  findingOf,
  GUARD_STEPS,
  type GuardFinding,
  type GuardLook,
} from './guard-check.ts';
import type { Guardrail } from './program.ts';
import { pythonLiteral } from './python-text.ts';
import { LOOK_STEPS_A_PART } from './run-limits.ts';
import type { Frame, GuardFrame, Outcome } from './state.ts';
import type { Turn } from './turn.ts';

interface Verdict {
  readonly passed: boolean;
  readonly reason: string | null;
  readonly revised_text: string | null;
  /** Why the text was not checked: the steps of its stage did not suffice. */
  readonly unchecked?: string;
}

const PASSED: Verdict = { passed: true, reason: null, revised_text: null };
const REDACTED = {
  tool: '[redacted by tool result guardrail]',
  workflow: '[redacted by workflow guardrail]',
} as const;

function rules(turn: Turn, frame: GuardFrame): readonly Guardrail[] {
  const agent = turn.agent(frame.agent);
  switch (frame.stage) {
    case 'input':
      return agent.input_guardrails;
    case 'output':
      return agent.output_guardrails;
    case 'tool':
      return agent.tool_guardrails;
    case 'workflow':
      return turn.spec.workflow_guardrails;
  }
}

function failed(reason: string): Verdict {
  return { passed: false, reason, revised_text: null };
}

/** The word that begins the reason of a text that its guardrail could not decide. */
const LIMIT_CODE = 'guardrail_limit_exceeded';

/** A text that cannot be decided within the steps of its stage does not pass. */
function verdictOf(kind: 'keyword' | 'regex', { found, undecided }: GuardFinding): Verdict {
  if (found.length > 0) {
    const words = pythonLiteral([...found]);
    return failed(
      kind === 'regex' ? `Regex guardrail matched: ${words}` : `Blocked keywords found: ${words}`,
    );
  }
  if (undecided.length === 0) return PASSED;
  const what = kind === 'regex' ? 'Regex guardrail' : 'Keyword guardrail';
  const words = pythonLiteral([...undecided]);
  const unchecked = `${LIMIT_CODE}: ${what} could not be decided within its limit: ${words}`;
  return { ...failed(unchecked), unchecked };
}

function stepsLeft(frame: GuardFrame): number {
  return GUARD_STEPS - (frame.steps ?? 0);
}

function counted(turn: Turn, frame: GuardFrame, { steps }: GuardFinding): GuardFrame {
  turn.charge(steps / LOOK_STEPS_A_PART);
  return { ...frame, steps: (frame.steps ?? 0) + steps };
}

/** What is found within the steps of this turn; undefined when they do not suffice. */
function lookNow(
  turn: Turn,
  frame: GuardFrame,
  looks: readonly GuardLook[],
): GuardFinding | undefined {
  const left = stepsLeft(frame);
  const here = Math.min(left, turn.lookSteps);
  const finding = checkTextNow(looks, frame.text, here);
  turn.lookSteps -= finding.steps;
  return finding.undecided.length > 0 && left > here ? undefined : finding;
}

/** Undefined for an answer that is no verdict: it must not count as passed. */
function functionVerdict(value: Json): Verdict | undefined {
  if (value === true) return PASSED;
  if (value === false) return { passed: false, reason: null, revised_text: null };
  if (!isObject(value) || typeof value['passed'] !== 'boolean') return undefined;
  if (value['passed']) return PASSED;
  const text = (raw: unknown) => (typeof raw === 'string' ? raw : null);
  return {
    passed: false,
    reason: text(value['reason']),
    revised_text: text(value['revised_text']),
  };
}

function agentVerdict(answer: string): Verdict {
  return /^\s*PASS\b/.test(answer) ? PASSED : failed(answer);
}

/** Runs the checks of a stage in order (spec-v1 11.4). */
export function enterGuard(turn: Turn, entered: GuardFrame): void {
  let frame = entered;
  for (;;) {
    const rule = rules(turn, frame)[frame.index];
    if (rule === undefined) {
      turn.succeed(frame, { kind: 'text', text: frame.text });
      return;
    }
    const { check } = rule;
    const finding = 'looks' in check ? lookNow(turn, frame, check.looks) : undefined;
    if (finding === undefined || !('looks' in check)) {
      turn.put(frame);
      ask(turn, frame, rule);
      return;
    }
    const next = judge(turn, counted(turn, frame, finding), rule, verdictOf(check.type, finding));
    if (next === undefined) return;
    frame = next;
  }
}

function ask(turn: Turn, frame: GuardFrame, { id, check }: Guardrail): void {
  if ('looks' in check) {
    turn.request(frame, {
      kind: 'check_text',
      guardrail: id,
      looks: check.type,
      words: check.looks.map((look) => look.text),
      text: frame.text,
      steps: stepsLeft(frame),
      step_id: frame.step_id,
    });
  } else if (check.type === 'function') {
    turn.open(frame, 0, {
      kind: 'function',
      function: check.ref,
      purpose: 'guardrail',
      text: frame.text,
      top_k: null,
      step_id: frame.step_id,
    });
  } else {
    turn.open(frame, 0, quietCall(turn, check.ref, frame.text, frame.step_id));
  }
}

/** Looks that took longer than a turn came to an end. */
export function guardAnswered(turn: Turn, frame: GuardFrame, result: EffectResult): void {
  const rule = rules(turn, frame)[frame.index];
  const finding = result.kind === 'value' ? findingOf(result.value) : undefined;
  if (rule === undefined || !('looks' in rule.check) || finding === undefined) {
    turn.fail(frame, failure('RuntimeError', 'A guardrail was answered by something else.'));
    return;
  }
  const next = judge(
    turn,
    counted(turn, frame, finding),
    rule,
    verdictOf(rule.check.type, finding),
  );
  if (next !== undefined) enterGuard(turn, next);
}

export function guardFailed(turn: Turn, frame: GuardFrame, error: EffectError): void {
  turn.fail(frame, failure('RuntimeError', error.message));
}

/** A function or agent check ended. One that throws stops the run's part like any failure. */
export function guardChildEnded(turn: Turn, frame: GuardFrame, outcome: Outcome): void {
  if (!outcome.ok) {
    turn.fail(frame, outcome.error);
    return;
  }
  const rule = rules(turn, frame)[frame.index];
  if (rule === undefined) return;
  const { value } = outcome;
  const verdict =
    value.kind === 'result' ? agentVerdict(value.result.text) : functionVerdict(jsonIn(value));
  if (verdict === undefined) {
    turn.fail(frame, noVerdict(rule));
    return;
  }
  const next = judge(turn, frame, rule, verdict);
  if (next !== undefined) enterGuard(turn, next);
}

function noVerdict(rule: Guardrail): Failure {
  const text = `Guardrail '${rule.id}' gave no verdict: its function must answer true, false or {passed: true or false}.`;
  return failure('RuntimeError', text, { retryable: false });
}

/** Applies a verdict: the frame with its next check, or undefined when the run's part was stopped. */
function judge(
  turn: Turn,
  frame: GuardFrame,
  rule: Guardrail,
  verdict: Verdict,
): GuardFrame | undefined {
  const next: GuardFrame = { ...frame, index: frame.index + 1 };
  if (verdict.passed) return next;
  const { stage } = frame;
  const late = stage === 'tool' || stage === 'workflow';
  if (rule.action === 'warn') {
    if (verdict.unchecked !== undefined) warnUnchecked(turn, frame, rule, verdict.unchecked);
    else if (late) warn(turn, frame, rule, verdict.reason);
    return next;
  }
  if (rule.action === 'redact' && late) return { ...next, text: REDACTED[stage] };
  if (rule.action === 'revise' && stage !== 'tool' && stage !== 'input') {
    if (verdict.revised_text !== null) return { ...next, text: verdict.revised_text };
  }
  turn.fail(frame, stopped(frame, rule, verdict));
  return undefined;
}

function stopped(frame: GuardFrame, rule: Guardrail, verdict: Verdict): Failure {
  const type = frame.stage === 'tool' ? 'ToolResultGuardrailViolation' : 'GuardrailViolation';
  return failure(type, `Guardrail '${rule.id}' failed: ${verdict.reason ?? 'None'}`);
}

function warn(turn: Turn, frame: GuardFrame, rule: Guardrail, reason: string | null): void {
  turn.run.warnings = append(turn.run.warnings, {
    guardrail_id: rule.id,
    stage: frame.stage,
    step_id: frame.step_id,
    reason,
  });
}

/**
 * A text that a guardrail was to warn about goes on unchecked: the run says so at every stage, and so
 * does the trace of the agent whose text it is.
 */
function warnUnchecked(turn: Turn, frame: GuardFrame, rule: Guardrail, why: string): void {
  warn(turn, frame, rule, `${why}. The text was not checked.`);
  let above: Frame = frame;
  while (above.kind !== 'agent') {
    const parent = turn.parentOf(above);
    if (parent === undefined) return;
    above = parent;
  }
  turn.put({ ...above, unchecked: [...(above.unchecked ?? []), rule.id] });
}
