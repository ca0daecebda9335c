import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { modelCall } from '../../../test/support/model-call.ts';
import type { RecordingChoice } from '../../contract/platform/recordings.ts';
import { listOf } from '../../engine/append-list.ts';
import { createRun } from '../../engine/create-run.ts';
import type { CallModel, CallTool, PendingEffect } from '../../engine/effect.ts';
import type { EffectResult, RunEvent } from '../../engine/event.ts';
import { message } from '../../engine/message.ts';
import type { EffectRunner } from '../run-effects.ts';
import { withRecording } from './recording-effects.ts';

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'recordings-'));
  folder = path.join(root, '.studio', 'recordings');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const signal = new AbortController().signal;
const setup = {
  run_id: 'r0',
  target: 'workflow',
  input_text: '',
  environment: null,
  timeout_seconds: null,
  deadline_at: null,
} as const;
const { state } = createRun(setup, 'running', 0);
const clock = { now: () => Date.UTC(2026, 10, 21) };

function model(id: string, text: string, more: Partial<CallModel> = {}): CallModel {
  return modelCall('openai', {
    id,
    messages: listOf([message('user', text)]),
    extra: { base_url: 'http://127.0.0.1:1/v1', top_p: 0.5 },
    ...more,
  });
}

const tool: CallTool = {
  kind: 'call_tool',
  id: 'x9',
  tool: 'lookup',
  implementation: 'a.b',
  call_id: 'c1',
  arguments: { id: 7, password: 'hunter2' },
  agent_name: 'desk',
  step_id: null,
};

/** Performs by a function of the effect's id; says so in its answer. */
function outside(answer: (effect: PendingEffect) => EffectResult): EffectRunner {
  return {
    answerNow: () => undefined,
    async perform(effect): Promise<RunEvent> {
      return { type: 'effect_succeeded', at: 0, effect_id: effect.id, result: answer(effect) };
    },
  };
}

const says = (text: string) => outside(() => ({ kind: 'model', answer: { text, tool_calls: [] } }));
const nobody = outside(() => {
  throw new Error('somebody was called');
});

function runner(choice: RecordingChoice, runId: string, inner: EffectRunner): EffectRunner {
  return withRecording(inner, { choice, root, runId, clock });
}

const record = (runId: string, inner: EffectRunner, name = 'talk') =>
  runner({ mode: 'record', name }, runId, inner);
const replay = (name = 'talk') => runner({ mode: 'replay', name }, 'r9', nobody);

async function textOf(target: EffectRunner, effect: PendingEffect): Promise<string> {
  const event = await target.perform(effect, signal, state);
  if (event.type === 'effect_failed') return event.error.message;
  if (event.type !== 'effect_succeeded') return event.type;
  return event.result.kind === 'model'
    ? event.result.answer.text
    : JSON.stringify(event.result.value);
}

function text(name = 'talk'): string {
  return readFileSync(path.join(folder, `${name}.jsonl`), 'utf8');
}

describe('record', () => {
  test('lines hold masked requests and outcomes, in one spelling', async () => {
    await record('r1', says('ask a@b.co')).perform(model('x1', 'I am a@b.co'), signal, state);
    await record(
      'r1',
      outside(() => ({ kind: 'value', value: { ok: true } })),
    ).perform(tool, signal, state);
    const [header, first, second] = text()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(header).toEqual({
      format: 'specwright-recording/1',
      name: 'talk',
      run_id: 'r1',
      recorded_at: '2026-11-21T00:00:00.000000+00:00',
    });
    expect(first.request.messages).toEqual([{ role: 'user', content: 'I am [REDACTED_EMAIL]' }]);
    expect(first.request.extra).toEqual({ top_p: 0.5 });
    expect(first.outcome.answer.text).toBe('ask [REDACTED_EMAIL]');
    expect(second.request.arguments).toEqual({ id: 7, password: '[REDACTED]' });
    expect(second.outcome).toEqual({ value: { ok: true } });
  });

  test('a tool of an MCP server is told by server and name there', async () => {
    const { implementation: _, ...call } = tool;
    const remote: PendingEffect = {
      ...call,
      kind: 'call_mcp_tool',
      server: 'shop',
      remote_name: 'find',
    };
    const answering = outside(() => ({ kind: 'value', value: 'found' }));
    await record('r1', answering).perform(remote, signal, state);
    expect(JSON.parse(text().split('\n')[1] ?? '').request).toMatchObject({
      kind: 'call_mcp_tool',
      server: 'shop',
      remote_name: 'find',
    });
    expect(await textOf(replay(), remote)).toBe('"found"');
    expect(await textOf(replay(), { ...remote, server: 'other' })).toContain(
      'it differs in server',
    );
  });

  test('the same conversation gives the same lines: a recording can be compared', async () => {
    await record('r1', says('hi')).perform(model('x1', 'hello'), signal, state);
    await record('r2', says('hi'), 'other').perform(model('x1', 'hello'), signal, state);
    expect(text().split('\n')[1]).toBe(text('other').split('\n')[1]);
  });

  test("a run goes on with its own file after a kill; another run's is replaced", async () => {
    await record('r1', says('one')).perform(model('x1', 'a'), signal, state);
    appendFileSync(path.join(folder, 'talk.jsonl'), '{"fingerprint":"torn');
    await record('r1', says('two')).perform(model('x2', 'b'), signal, state);
    expect(text().trimEnd().split('\n')).toHaveLength(3);
    await record('r2', says('three')).perform(model('x1', 'a'), signal, state);
    expect(text().trimEnd().split('\n')).toHaveLength(2);
    expect(await textOf(replay(), model('x1', 'a'))).toBe('three');
  });

  test('two runs under one name: the one that lost it fails instead of mixing', async () => {
    const first = record('r1', says('one'));
    await first.perform(model('x1', 'a'), signal, state);
    await record('r2', says('two')).perform(model('x1', 'a'), signal, state);
    expect(await textOf(first, model('x2', 'b'))).toContain('recording_taken: ');
  });

  test('a way out of the tree is refused, nothing is written there', async () => {
    const outsideRoot = mkdtempSync(path.join(tmpdir(), 'outside-'));
    mkdirSync(path.join(root, '.studio'));
    symlinkSync(outsideRoot, folder);
    expect(await textOf(record('r1', says('one')), model('x1', 'a'))).toContain(
      'recording_confined: ',
    );
    expect(existsSync(path.join(outsideRoot, 'talk.jsonl'))).toBe(false);
    rmSync(outsideRoot, { recursive: true });
  });

  test('a file that cannot be written fails the call', async () => {
    mkdirSync(path.join(root, '.studio'));
    writeFileSync(folder, 'a file in the way');
    expect(await textOf(record('r1', says('one')), model('x1', 'a'))).toMatch(
      /^recording_failed: /,
    );
  });

  test('the offline runtime, functions and stopped calls are not recorded', async () => {
    const offline = model('x1', 'a', {
      binding: { ...model('x1', '').binding, provider: 'offline' },
    });
    await record('r1', says('one')).perform(offline, signal, state);
    await record('r1', says('one')).perform(model('x1', 'a'), AbortSignal.abort(), state);
    expect(existsSync(folder)).toBe(false);
  });
});

describe('replay', () => {
  test('equal requests are answered in their order, each answer once', async () => {
    const answers = ['first', 'second'];
    const taker = record(
      'r1',
      outside(() => ({ kind: 'model', answer: { text: answers.shift() ?? '', tool_calls: [] } })),
    );
    await taker.perform(model('x1', 'again'), signal, state);
    await taker.perform(model('x2', 'again'), signal, state);
    const player = replay();
    expect(await textOf(player, model('y1', 'again'))).toBe('first');
    expect(await textOf(player, model('y2', 'again'))).toBe('second');
    expect(await textOf(player, model('y3', 'again'))).toContain('holds no further call like');
    expect(await textOf(replay(), model('x2', 'again'))).toBe('second');
  });

  test('a call repeated after a kill counts once, with its last outcome', async () => {
    await record('r1', says('lost')).perform(model('x1', 'a'), signal, state);
    await record('r1', says('kept')).perform(model('x1', 'a'), signal, state);
    const player = replay();
    expect(await textOf(player, model('x1', 'a'))).toBe('kept');
    expect(await textOf(player, model('x2', 'a'))).toContain('recording_miss: ');
  });

  test('failures are repeated with what the engine decides by', async () => {
    const failing: EffectRunner = {
      answerNow: () => undefined,
      perform: async (effect) => ({
        type: 'effect_failed',
        at: 0,
        effect_id: effect.id,
        error: { message: 'slow', type: 'RetryTimeoutError', timed_out: true, retryable: true },
      }),
    };
    await record('r1', failing).perform(model('x1', 'a'), signal, state);
    expect(await replay().perform(model('x1', 'a'), signal, state)).toMatchObject({
      type: 'effect_failed',
      error: { message: 'slow', type: 'RetryTimeoutError', timed_out: true, retryable: true },
    });
  });

  test('a miss names the places that differ, never their content', async () => {
    await record('r1', says('x')).perform(model('x1', 'old words'), signal, state);
    const changed = model('x1', 'new words', { temperature: 0, max_tokens: 5 });
    const said = await textOf(replay(), changed);
    expect(said).toContain('it differs in max_tokens, messages[0].content, temperature');
    expect(said).not.toContain('words');
  });

  test('a file of another version, a broken line and a missing file say so', async () => {
    expect(await textOf(replay(), model('x1', 'a'))).toContain(
      "recording_missing: there is no recording 'talk'",
    );
    await record('r1', says('x')).perform(model('x1', 'a'), signal, state);
    const file = path.join(folder, 'talk.jsonl');
    const whole = text();
    writeFileSync(file, whole.replace('recording/1', 'recording/2'));
    expect(await textOf(replay(), model('x1', 'a'))).toContain('is no recording of this version');
    writeFileSync(file, `${whole}{"a":1}\n`);
    expect(await textOf(replay(), model('x1', 'a'))).toContain('line 3 of recording');
    writeFileSync(file, whole.trimEnd());
    expect(await textOf(replay(), model('x1', 'a'))).toBe('x');
  });

  test('what is not recorded runs as ever', async () => {
    const player = runner({ mode: 'replay', name: 'talk' }, 'r9', says('offline'));
    const step: PendingEffect = {
      kind: 'call_function',
      id: 'x3',
      purpose: 'step',
      function: 'f',
      implementation: 'a.b',
      args: ['t'],
      step_id: null,
    };
    expect(await textOf(player, step)).toBe('offline');
  });
});

test('without a choice the runner is the same', () => {
  const inner = says('x');
  expect(runner({ mode: 'off' }, 'r1', inner)).toBe(inner);
});
