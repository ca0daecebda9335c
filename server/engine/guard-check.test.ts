import { expect, test } from 'vitest';
import type { CheckText } from './effect.ts';
import {
  checkTextNow,
  findingOf,
  GUARD_STEPS,
  keywordLook,
  looksOf,
  patternLook,
} from './guard-check.ts';
import { toRunFields } from './run-fields.ts';
import { apply, createdRun, drive, nextTime, settle, testSetup } from './testing/drive.ts';
import { programOf } from './testing/sample-programs.ts';

const MANY = Array.from({ length: 300 }, (_, i) => `(?:a|aa)*a{90}b${i}`);
const TEXT = 'a'.repeat(20_000);

function spec(guardrails: readonly object[], stage = 'input'): string {
  return JSON.stringify({
    version: 'v1',
    agent: { name: 'root' },
    workflow: {
      type: 'sequential',
      steps: [{ id: 's', kind: 'agent', ref: 'a', timeout_seconds: 4 }],
    },
    components: { agents: { a: { name: 'a', guardrails: { [stage]: guardrails } } } },
  });
}

function regex(id: string, patterns: readonly string[]) {
  return { id, type: 'regex', action: 'block', config: { patterns } };
}

function asked(guardrails: readonly object[], text: string) {
  const run = createdRun(programOf(spec(guardrails)), testSetup(text));
  apply(run, { type: 'start', at: nextTime(run) });
  const checks = run.queue.filter((effect): effect is CheckText => effect.kind === 'check_text');
  return { run, checks };
}

test('11.4: looks of a turn that take long are an effect, and fail closed with their code', () => {
  const { run, checks } = asked([regex('many', MANY)], TEXT);
  expect(checks).toMatchObject([{ guardrail: 'many', looks: 'regex', steps: GUARD_STEPS }]);
  settle(run, {});
  expect(run.state.error).toMatchObject({ type: 'GuardrailViolation' });
  expect(run.state.error?.message).toContain("'many' failed: guardrail_limit_exceeded: ");
});

test('11.4: guardrails of one stage share their steps, however the patterns are spread', () => {
  const { run } = asked(
    MANY.map((pattern, i) => regex(`g${i}`, [pattern])),
    TEXT,
  );
  let steps = 0;
  for (;;) {
    const check = run.queue.find((effect) => effect.kind === 'check_text');
    if (check?.kind !== 'check_text') break;
    run.queue.splice(run.queue.indexOf(check), 1);
    const looks = check.words.map(patternLook);
    const finding = checkTextNow(looks, check.text, check.steps);
    steps += finding.steps;
    apply(run, {
      type: 'effect_succeeded',
      at: nextTime(run),
      effect_id: check.id,
      result: { kind: 'value', value: JSON.parse(JSON.stringify(finding)) },
    });
  }
  expect(steps).toBeLessThanOrEqual(GUARD_STEPS);
  expect(run.state.error?.message).toContain('guardrail_limit_exceeded');
});

test.each([
  ['input', null],
  ['output', null],
  ['workflow', 's'],
])('11.4: a %s guardrail that only warns says that it was not checked', (stage, step) => {
  const slow = { ...regex('slow', ['(a|aa)+\\1$']), action: 'warn' };
  const found = { ...regex('found', ['!']), action: 'warn' };
  const guarded = { [stage]: [found, slow] };
  const root = { name: 'root', ...(stage === 'workflow' ? { guardrails: guarded } : {}) };
  const agent = { name: 'a', ...(stage === 'workflow' ? {} : { guardrails: guarded }) };
  const program = programOf(
    JSON.stringify({
      version: 'v1',
      agent: root,
      workflow: { type: 'sequential', steps: [{ id: 's', kind: 'agent', ref: 'a' }] },
      components: { agents: { a: agent } },
    }),
  );
  const run = drive(program, testSetup(`${'a'.repeat(200)}!`), {});
  expect(run.state.status).toBe('completed');
  const { guardrail_warnings: warnings } = toRunFields(run.state).metadata;
  expect(warnings).toContainEqual({
    guardrail_id: 'slow',
    stage,
    step_id: 's',
    reason:
      "guardrail_limit_exceeded: Regex guardrail could not be decided within its limit: ['(a|aa)+\\\\1$']. The text was not checked.",
  });
  const ended = run.trace.find(({ type }) => type === 'run_completed');
  const told = step === null ? { unchecked_guardrails: ['slow'] } : {};
  expect(ended?.metadata).toMatchObject(told);
});

test('11.4: the time limit of a step ends looks that are under way', () => {
  const { run, checks } = asked([regex('many', MANY)], TEXT);
  const timer = run.queue.find((effect) => effect.kind === 'start_timer');
  const outcome = apply(run, {
    type: 'timer_fired',
    at: nextTime(run),
    effect_id: timer?.id ?? '',
  });
  expect(outcome.abandoned).toContain(checks[0]?.id);
  expect(run.state.error?.message).toContain('timed out after 4s');
});

test('11.4: what is decided within the turn asks for nothing', () => {
  const quick = [regex('q', ['\\bpassword\\b', '\\d{3}-\\d{2}-\\d{4}'])];
  const program = programOf(spec(quick));
  expect(drive(program, testSetup('all is well'), {}).state.status).toBe('completed');
  const caught = drive(program, testSetup('id 123-45-6789'), {}).state.error;
  expect(caught?.message).toContain('Regex guardrail matched');
  expect(asked(quick, 'all is well').checks).toEqual([]);
});

test('11.4: keywords of a stage count as well, long ones more than once', () => {
  const words = Array.from({ length: 5_000 }, (_, i) => keywordLook(`word${i}`));
  const all = checkTextNow(words, 'x'.repeat(100_000), GUARD_STEPS);
  expect(all.undecided.length).toBeGreaterThan(0);
  expect(all.steps).toBeLessThanOrEqual(GUARD_STEPS);
  const long = keywordLook(`b${'a'.repeat(90_000)}`);
  const one = checkTextNow([long], 'a'.repeat(1_000_000), GUARD_STEPS);
  expect(one.undecided).toHaveLength(1);
  expect(checkTextNow([keywordLook('NO')], 'no way', 1000).found).toEqual(['NO']);
});

test('11.4: what the steps do not suffice for is undecided, not absent', () => {
  expect(checkTextNow(looksOf({ looks: 'keyword', words: ['a', 'b'] }), 'a', 2)).toEqual({
    found: [],
    undecided: ['a', 'b'],
    steps: 2,
  });
  const none = checkTextNow(looksOf({ looks: 'regex', words: ['a'] }), 'a'.repeat(100_000), 1);
  expect(none).toEqual({ found: [], undecided: ['a'], steps: 1 });
});

test('a finding whose lists are missing found nothing; one without steps is none', () => {
  expect(findingOf({ steps: 3 })).toEqual({ found: [], undecided: [], steps: 3 });
  expect(findingOf({ found: ['a'] })).toBeUndefined();
});

test('11.4: a text too long for a keyword does not pass, and the reason names the keyword', () => {
  const word = `b${'a'.repeat(200_000)}`;
  const keyword = { id: 'k', type: 'keyword', action: 'block', config: { keywords: [word] } };
  const { run, checks } = asked([keyword], 'a'.repeat(300_000));
  expect(checks).toMatchObject([{ guardrail: 'k', looks: 'keyword' }]);
  settle(run, {});
  expect(run.state.error?.message).toContain(
    "'k' failed: guardrail_limit_exceeded: Keyword guardrail could not be decided within its limit: ['baaa",
  );
});

test('a look whose answer is something else ends the run, and never lets the text through', () => {
  const answer = { kind: 'value', value: true } as const;
  const { run, checks } = asked([regex('many', MANY)], TEXT);
  const at = nextTime(run);
  const effect_id = checks[0]?.id ?? '';
  apply(run, { type: 'effect_succeeded', at, effect_id, result: answer });
  expect(run.state.status).toBe('failed');
  const said = { kind: 'model', answer: { text: 'PASS', tool_calls: [] } } as const;
  const spoken = asked([regex('many', MANY)], TEXT);
  const id = spoken.checks[0]?.id ?? '';
  apply(spoken.run, { type: 'effect_succeeded', at, effect_id: id, result: said });
  expect(spoken.run.state.error?.message).toBe('A guardrail was answered by something else.');
  const again = asked([regex('many', MANY)], TEXT);
  const error = { message: 'gone' };
  apply(again.run, { type: 'effect_failed', at, effect_id: again.checks[0]?.id ?? '', error });
  expect(again.run.state.status).toBe('failed');
});
