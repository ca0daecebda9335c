import { isObject, type Json } from '../kernel/json.ts';
import type { SearchResult } from '../spec/regex/search-pattern.ts';
import { quietCall } from './agent-call.ts';
import { append } from './append-list.ts';
import { type Failure, failure } from './failure.ts';
import type { Guardrail, GuardrailCheck, GuardrailPattern } from './program.ts';
import { pythonLiteral } from './python-text.ts';
import type { GuardFrame, Outcome } from './state.ts';
import type { Turn } from './turn.ts';

interface Verdict {
  readonly passed: boolean;
  readonly reason: string | null;
  readonly revised_text: string | null;
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

/** A text that a pattern cannot decide within its steps does not pass. */
function patternVerdict(patterns: readonly GuardrailPattern[], text: string): Verdict {
  const results = patterns.map((pattern) => ({ text: pattern.text, result: pattern.search(text) }));
  const of = (wanted: SearchResult) =>
    results.filter(({ result }) => result === wanted).map((item) => item.text);
  const found = of('found');
  if (found.length > 0) return failed(`Regex guardrail matched: ${pythonLiteral(found)}`);
  const open = of('undecided');
  if (open.length === 0) return PASSED;
  return failed(`Regex guardrail could not be decided within its limit: ${pythonLiteral(open)}`);
}

/** The verdict of a check that needs nobody else; undefined for function and agent checks. */
function ownVerdict(check: GuardrailCheck, text: string): Verdict | undefined {
  if (check.type === 'keyword') {
    const lower = text.toLowerCase();
    const found = check.keywords.filter((word) => lower.includes(word.toLowerCase()));
    return found.length === 0 ? PASSED : failed(`Blocked keywords found: ${pythonLiteral(found)}`);
  }
  return check.type === 'regex' ? patternVerdict(check.patterns, text) : undefined;
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
    const verdict = ownVerdict(rule.check, frame.text);
    if (verdict === undefined) {
      turn.put(frame);
      ask(turn, frame, rule.check);
      return;
    }
    const next = judge(turn, frame, rule, verdict);
    if (next === undefined) return;
    frame = next;
  }
}

function ask(turn: Turn, frame: GuardFrame, check: GuardrailCheck): void {
  if (check.type === 'function') {
    turn.open(frame, 0, {
      kind: 'function',
      function: check.ref,
      purpose: 'guardrail',
      text: frame.text,
      top_k: null,
      step_id: frame.step_id,
    });
  } else if (check.type === 'agent') {
    turn.open(frame, 0, quietCall(turn, check.ref, frame.text, frame.step_id));
  }
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
    value.kind === 'result'
      ? agentVerdict(value.result.text)
      : functionVerdict(value.kind === 'value' ? value.value : null);
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
    if (late) warn(turn, frame, rule, verdict);
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

function warn(turn: Turn, frame: GuardFrame, rule: Guardrail, verdict: Verdict): void {
  turn.run.warnings = append(turn.run.warnings, {
    guardrail_id: rule.id,
    stage: frame.stage,
    step_id: frame.step_id,
    reason: verdict.reason,
  });
}
