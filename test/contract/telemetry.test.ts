// What a collector of traces gets (contract/platform.md 12, SERV_OTEL_…), on the wire.
import { describe, expect, test } from 'vitest';
import type { Answer, Loose, TestPlatform } from '../support/platform.ts';
import { TINY } from '../support/specs.ts';
import {
  collector,
  deskSpec,
  freshTelemetry,
  model,
  named,
  open,
  spansUntil,
  web,
} from '../support/telemetry-world.ts';

freshTelemetry();

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const SAMPLED = { traceparent: `00-${TRACE}-${CALLER}-01`, tracestate: 'vendor=here' };
/** Words that nobody may find unless texts were asked for, and a secret that nobody may find ever. */
const ASKED = 'gears-for-a.b@x.co';
const SECRET = 'hunter2hunter2';

function script(): void {
  model.reply(
    {
      toolCalls: [{ name: 'search', arguments: { query: ASKED, password: SECRET } }],
      usage: { input: 20, output: 5 },
    },
    { text: 'found-it', usage: { input: 30, output: 6 } },
    { text: 'all-done', usage: { input: 7, output: 3 } },
  );
}

async function answerPerson(p: TestPlatform, run: Answer): Promise<Answer> {
  const task = await p.get(`/v1/human-tasks/${run.body.continuation_id}`);
  return p.post(`/v1/human-tasks/${run.body.continuation_id}/resume`, {
    request_id: task.body.request.id,
    decision: 'approved',
  });
}

async function wholeRun(p: TestPlatform, headers: Record<string, string> = SAMPLED) {
  script();
  const body = { input: 'where', spec: deskSpec(), session_id: 'talk-1' };
  const run = await p.post('/v1/runs', body, { headers });
  expect(run.body.status, run.text).toBe('blocked');
  const done = await answerPerson(p, run);
  expect(done.body.status).toBe('completed');
  return run.body.run_id as string;
}

describe.each([false, true])('with an execution thread: %s', (thread) => {
  test('a run with steps, calls and a person is one trace below its caller', async () => {
    const p = await open({ OTEL_SERVICE_NAME: 'orders' }, { thread });
    const runId = await wholeRun(p);
    await spansUntil('run orders');
    const ofRun = collector.spans.filter(({ trace }) => trace === TRACE);
    const tree = ofRun.map(({ name, parent }) => [
      name,
      ofRun.find(({ id }) => id === parent)?.name ?? (parent === CALLER ? 'the caller' : parent),
    ]);
    expect(tree.toSorted()).toEqual(
      [
        ['POST /v1/runs', 'the caller'],
        ['run orders', 'POST /v1/runs'],
        ['invoke_workflow orders', 'run orders'],
        ['invoke_workflow orders', 'run orders'],
        ['invoke_agent finder', 'invoke_workflow orders'],
        ['chat m-1', 'invoke_agent finder'],
        ['tools/call search', 'invoke_agent finder'],
        ['chat m-1', 'invoke_agent finder'],
        ['step shout', 'invoke_workflow orders'],
        ['human check', 'run orders'],
        ['invoke_agent writer', 'invoke_workflow orders'],
        ['chat m-2', 'invoke_agent writer'],
      ].toSorted(),
    );
    for (const { attributes, resource, state } of ofRun.slice(1)) {
      expect(resource).toMatchObject({ 'service.name': 'orders' });
      if ('http.route' in attributes) continue;
      expect(attributes['specwright.run.id']).toBe(runId);
      expect(state).toBe('vendor=here');
    }
    expect(named('run orders').attributes).toMatchObject({
      'specwright.run.status': 'completed',
      'gen_ai.workflow.name': 'orders',
      'gen_ai.conversation.id': 'talk-1',
      'gen_ai.usage.input_tokens': 57,
      'gen_ai.usage.output_tokens': 14,
    });
    expect(named('chat m-2')).toMatchObject({
      kind: 3,
      failed: false,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'm-2',
        'gen_ai.agent.name': 'writer',
        'gen_ai.usage.input_tokens': 7,
        'gen_ai.usage.output_tokens': 3,
        'specwright.step.id': 'answer',
      },
    });
    expect(named('tools/call search').attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'search',
      'mcp.method.name': 'tools/call',
      'specwright.mcp.server': 'shop',
    });
    expect(named('human check').attributes).toMatchObject({
      'specwright.human.outcome': 'answered',
    });
    expect(named('POST /v1/runs').attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.response.status_code': 200,
    });
    const parts = ofRun.filter(({ name }) => name !== 'POST /v1/runs' && name !== 'run orders');
    const whole = named('run orders');
    for (const { start, end } of parts) {
      expect(end).toBeGreaterThanOrEqual(start);
      expect(start).toBeGreaterThanOrEqual(whole.start - 5);
      expect(end).toBeLessThanOrEqual(whole.end + 5);
    }
    // Nobody asked for texts.
    for (const word of [ASKED, 'found-it', 'all-done', SECRET, 'sk-THISKEY']) {
      expect(collector.text()).not.toContain(word);
    }
    const metrics = (await p.get('/metrics')).text;
    expect(Number(/^otel_spans_exported_total (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(11);
    expect(metrics).toMatch(/^otel_spans_dropped_total 0$/m);
    expect(metrics).toMatch(
      /^run_human_wait_seconds_count\{workflow_kind="workflow",outcome="answered"\} 1$/m,
    );
  });

  test('models and tools are told where they stand', async () => {
    const p = await open({}, { thread });
    await wholeRun(p);
    await spansUntil('run orders');
    const chats = collector.spans.filter(({ name }) => name.startsWith('chat'));
    const told = model.requests.map(({ headers }) => headers['traceparent']);
    expect(told.toSorted()).toEqual(chats.map(({ id }) => `00-${TRACE}-${id}-01`).toSorted());
    expect(model.requests[0]?.headers['tracestate']).toBe('vendor=here');
    const call = web.requests.indexOf('POST tools/call');
    const parent = `00-${TRACE}-${named('tools/call search').id}-01`;
    expect(web.headers[call]?.['traceparent']).toBe(parent);
    expect(web.bodies[call]?.params?._meta?.traceparent).toBe(parent);
  });
});

test('texts go out when they are asked for, redacted', async () => {
  const p = await open({ SERV_OTEL_RECORD_ARGUMENTS: '1', SERV_OTEL_RECORD_RESULTS: '1' });
  await wholeRun(p);
  await spansUntil('run orders');
  const { attributes } = named('tools/call search');
  expect(attributes['gen_ai.tool.call.arguments']).toContain('[REDACTED_EMAIL]');
  expect(attributes['gen_ai.tool.call.result']).toContain('found: ');
  expect(named('chat m-2').attributes['gen_ai.output.messages']).toContain('all-done');
  expect(named('chat m-2').attributes['gen_ai.input.messages']).toContain('FOUND-IT');
  expect(named('step shout').attributes).toMatchObject({
    'specwright.function.arguments': '["found-it"]',
    'specwright.function.result': 'FOUND-IT',
  });
  expect(collector.text()).not.toContain(SECRET);
  expect(collector.text()).not.toContain('a.b@x.co');
});

test('a caller that records nothing gets nothing recorded, and calls are told so', async () => {
  const p = await open();
  await wholeRun(p, { traceparent: `00-${TRACE}-${CALLER}-00` });
  await p.post('/v1/runs', { input: 'x', spec: TINY }, { headers: SAMPLED });
  await spansUntil('POST /v1/runs');
  expect(collector.spans.some(({ name }) => name.startsWith('chat'))).toBe(false);
  expect(model.requests[0]?.headers['traceparent']).toMatch(new RegExp(`^00-${TRACE}-\\w{16}-00$`));
});

test('a failing model is a failed span with its reason; the access log names the trace', async () => {
  const p = await open();
  model.answerWith(() => ({ fault: { kind: 'status', status: 400, message: 'no such model' } }));
  const agent = { name: 'a', model: { provider: 'openai', name: 'm-9' } };
  const body = { input: 'x', spec: { version: 'v1', agent } };
  const run = await p.post('/v1/runs', body, { headers: SAMPLED });
  expect(run.status).toBeGreaterThanOrEqual(400);
  await expect.poll(() => collector.spans.some(({ name }) => name.startsWith('run '))).toBe(true);
  expect(named('chat m-9')).toMatchObject({ failed: true });
  expect(named('chat m-9').attributes['error.type']).toBeTruthy();
  expect(collector.spans.find(({ name }) => name.startsWith('run '))).toMatchObject({
    failed: true,
  });
  const line = p.logs.find(({ message }) => message === 'http_request');
  expect(line?.fields['trace_id']).toBe(TRACE);
});

test('a run that is cancelled while it waits for a person closes its spans', async () => {
  const p = await open();
  script();
  const body = { input: 'where', spec: deskSpec() };
  const run = await p.post('/v1/runs', body, { headers: SAMPLED });
  await p.post(`/v1/runs/${run.body.run_id}/cancel`);
  await spansUntil('run orders');
  expect(named('run orders')).toMatchObject({
    failed: true,
    attributes: { 'specwright.run.status': 'cancelled' },
  });
  expect(named('human check').attributes['specwright.human.outcome']).toBe('cancelled');
  const ids = new Set(collector.spans.map(({ id }) => id));
  const orphans = collector.spans.filter(
    ({ parent, trace }) => trace === TRACE && parent !== CALLER && !ids.has(parent),
  );
  expect(orphans).toEqual([]);
});

test('off, nothing is sent and nobody is told', async () => {
  const p = await open({ SERV_OTEL_ENABLED: 'false', SERV_OTEL_RECORD_RESULTS: 'true' });
  await wholeRun(p);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(collector.requests).toEqual([]);
  expect(model.requests.map(({ headers }: Loose) => headers['traceparent'])).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(web.headers.some((headers) => 'traceparent' in headers)).toBe(false);
  const warned = p.logs.filter(({ level }) => level === 'warn').map(({ fields }) => fields);
  expect(warned).toContainEqual({
    setting: 'SERV_OTEL_RECORD_RESULTS',
    because: 'SERV_OTEL_ENABLED is off',
  });
});
