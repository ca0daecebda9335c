import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startMcpHttpServer, type TestMcpHttpServer } from '../support/mcp-http-server.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const STDIO = 'test/support/mcp-stdio-server.ts';

let shared: TestPlatform;
let platform: TestPlatform;
let web: TestMcpHttpServer | undefined;

beforeAll(async () => {
  shared = await startTestPlatform({ trusted: true, specRoot: ROOT });
});
beforeEach(() => {
  platform = shared;
});
afterEach(async () => {
  if (platform !== shared) await platform.stop();
  await web?.stop();
  web = undefined;
});
afterAll(() => shared.stop());

/** An MCP server over HTTP, and a platform of its own where the settings are not the usual ones. */
async function start(env?: Record<string, string>, trusted = true): Promise<TestPlatform> {
  web = await startMcpHttpServer();
  if (env !== undefined) platform = await startTestPlatform({ env, trusted, specRoot: ROOT });
  return platform;
}

function serverOf(transport: string): Record<string, unknown> {
  if (transport === 'stdio') return { transport, command: process.execPath, args: [STDIO] };
  if (transport === 'sse') return { transport, sse_url: web?.sseUrl };
  return { transport, url: web?.url };
}

/** An agent whose one tool is the remote tool; the offline model calls `web_search` for "search …". */
function specOf(
  server: Record<string, unknown>,
  remote: string,
  more: Record<string, unknown> = {},
) {
  return {
    version: 'v1',
    agent: {
      name: 'desk',
      strategy: { type: 'react' },
      tools: { include: ['web_search'], ...more },
    },
    tools: { web_search: { description: 'find', mcp: { server: 'shop', name: remote } } },
    mcp_servers: { shop: server },
  };
}

async function run(spec: unknown, input = 'search gears', more = {}): Promise<Loose> {
  const answer = await platform.post('/v1/runs', { spec, input, ...more });
  return { ...answer.body, http: answer.status };
}

const TEXT = 'Final answer based on tool results: ';

describe.each(['stdio', 'http', 'sse'])('spec-v1 11.3, an MCP tool over %s', (transport) => {
  test('the model gets its answer; the run completes with two model calls', async () => {
    await start();
    const made = await run(specOf(serverOf(transport), 'web_search'));
    expect(made).toMatchObject({
      http: 200,
      status: 'completed',
      output_text: `${TEXT}found: search gears`,
      metadata: { iterations: 2 },
    });
  });

  test.each([
    ['fails', 'the backend is offline'],
    ['crash', "MCP server 'shop'"],
    ['no_such_tool', 'no_such_tool'],
  ])('%s: the model reads the error and the run goes on', async (remote, said) => {
    await start();
    const made = await run(specOf(serverOf(transport), remote));
    expect(made).toMatchObject({ http: 200, status: 'completed' });
    expect(made.output_text).toContain(`${TEXT}{"error": "`);
    expect(made.output_text).toContain(said);
  });

  test('a call over its timeout is an error for the model', async () => {
    await start();
    const made = await run(specOf({ ...serverOf(transport), timeout: 0.3 }, 'hang'));
    expect(made.status).toBe('completed');
    expect(made.output_text).toContain('no answer within 0.3 s');
  });

  test('an answer over max_response_bytes is an error for the model', async () => {
    await start();
    const server = { ...serverOf(transport), max_response_bytes: 20_000 };
    const made = await run(specOf(server, 'huge'));
    expect(made.output_text).toContain('larger than 20000 bytes');
  });

  test('cancelling the run ends the call and tells the server', async () => {
    const service = await start();
    const spec = specOf(serverOf(transport), 'hang');
    const made = await run(spec, 'search gears', { async_mode: true });
    expect(made.http).toBe(202);
    await service.waitFor(made.run_id ?? made.id, 'running');
    if (transport === 'stdio') await sleep(600);
    else for (let turn = 0; turn < 500 && web?.calls.length === 0; turn += 1) await sleep(10);
    const began = performance.now();
    await service.post(`/v1/runs/${made.run_id ?? made.id}/cancel`, {});
    await service.waitFor(made.run_id ?? made.id, 'cancelled');
    expect(performance.now() - began).toBeLessThan(1000);
    if (transport === 'stdio') return;
    for (let turn = 0; turn < 100 && web?.cancelled.length === 0; turn += 1) await sleep(10);
    expect(web?.cancelled).toEqual(['hang']);
  });

  test('the deadline of the run ends the call', async () => {
    const service = await start();
    const spec = specOf(serverOf(transport), 'hang');
    const made = await run(spec, 'search gears', { timeout: 1, async_mode: true });
    await sleep(1200);
    await service.service.sweep();
    const ended = await service.waitFor(made.run_id ?? made.id, 'timed_out');
    expect(ended.body.error.message).toContain('exceeded');
  });
});

describe('spec-v1 11.3, rules before the call', () => {
  test('a target in denied_domains is refused: 422, and the server hears nothing', async () => {
    await start();
    const permissions = { allow_network: true, denied_domains: ['evil.example'] };
    const spec = specOf(serverOf('http'), 'web_search', { permissions });
    const made = await run(spec, 'http://evil.example/search');
    expect(made).toMatchObject({ http: 422, detail: { error: 'guardrail_violation' } });
    expect(web?.requests).toEqual([]);
  });

  test('a target outside allowed_domains is refused, one inside is called', async () => {
    await start();
    const permissions = { allow_network: true, allowed_domains: ['parts.example'] };
    const spec = specOf(serverOf('http'), 'web_search', { permissions });
    expect(await run(spec, 'http://other.example/search')).toMatchObject({ http: 422 });
    expect(await run(spec, 'http://eu.parts.example/search')).toMatchObject({ http: 200 });
    expect(web?.calls).toEqual(['web_search']);
  });

  test('arguments that do not fit the parameters are refused', async () => {
    await start();
    const base = specOf(serverOf('http'), 'web_search');
    const parameters = { type: 'object', properties: { query: { type: 'number' } } };
    const tools = { web_search: { ...base.tools.web_search, parameters } };
    const made = await run({ ...base, tools });
    expect(made).toMatchObject({
      http: 422,
      detail: { violation_type: 'ToolMiddlewareViolation' },
    });
    expect(web?.requests).toEqual([]);
  });

  test('spec-v1 20: without a tool call nothing is connected', async () => {
    await start();
    const made = await run(specOf(serverOf('http'), 'web_search'), 'hello');
    expect(made).toMatchObject({ status: 'completed', output_text: 'Final answer: hello' });
    expect(web?.requests).toEqual([]);
    const missing = specOf({ transport: 'stdio', command: '/no/such/program' }, 'web_search');
    expect(await run(missing, 'hello')).toMatchObject({ output_text: 'Final answer: hello' });
  });

  test('a program of an untrusted project does not start; the model is told', async () => {
    await start({}, false);
    const made = await run(specOf(serverOf('stdio'), 'web_search'));
    expect(made.status).toBe('completed');
    expect(made.output_text).toContain('not trusted');
  });
});

describe('with a real client of a model', () => {
  let model: ModelServer;
  beforeAll(async () => {
    model = await startModelServer();
  });
  afterEach(() => model.reset());
  afterAll(() => model.stop());

  function deskOf(tools: Record<string, unknown>, servers: Record<string, unknown>) {
    return {
      version: 'v1',
      agent: {
        name: 'desk',
        model: { provider: 'openai', name: 'm-1', extra: { base_url: model.baseUrl('openai') } },
        strategy: { type: 'react', max_iterations: 4 },
        tools: { include: Object.keys(tools) },
      },
      tools,
      mcp_servers: servers,
    };
  }

  test('tools of several servers are offered as declared and called in parallel', async () => {
    await start();
    const parameters = { type: 'object', properties: { query: { type: 'string' } } };
    const tools = {
      find: { description: 'Find a part', parameters, mcp: { server: 'shop', name: 'web_search' } },
      picture: { description: 'Show a part', mcp: { server: 'floor' } },
    };
    const spec = deskOf(tools, { shop: serverOf('http'), floor: serverOf('stdio') });
    model.reply(
      {
        toolCalls: [
          { id: 'a', name: 'find', arguments: { query: 'gear' } },
          { id: 'b', name: 'picture', arguments: {} },
        ],
      },
      { text: 'Here they are.' },
    );
    expect(await run(spec, 'Show me a gear')).toMatchObject({ output_text: 'Here they are.' });
    const offered = model.requests[0]?.body.tools.map((tool: Loose) => tool.function ?? tool);
    expect(offered).toMatchObject([
      { name: 'find', description: 'Find a part', parameters },
      { name: 'picture', parameters: { type: 'object' } },
    ]);
    const told = JSON.stringify(model.requests[1]?.body);
    expect(told).toContain('found: gear');
    expect(told).toContain('[image image/png, 70 bytes]');
    expect(told).not.toContain('iVBOR');
  });

  test('a broken tool is told to the model, which may try another way', async () => {
    await start();
    const tools = {
      first: { description: 'f', mcp: { server: 'shop', name: 'crash' } },
      second: { description: 's', mcp: { server: 'shop', name: 'web_search' } },
    };
    model.reply(
      { toolCalls: [{ name: 'first', arguments: {} }] },
      { toolCalls: [{ name: 'second', arguments: { query: 'q' } }] },
      { text: 'Found another way.' },
    );
    const made = await run(deskOf(tools, { shop: serverOf('http') }));
    expect(made).toMatchObject({ status: 'completed', output_text: 'Found another way.' });
    expect(model.requests[1]?.body.messages.at(-1).content).toContain('{"error": "MCP server');
  });

  test.each([
    ['true', ['model', 'tool', 'model']],
    ['false', []],
  ])(
    'platform 3.9: calls stand in the trace without arguments, unless SERV_TRACE_CALLS is off: %s',
    async (calls, told) => {
      const service = await start({ SERV_TRACE_CALLS: calls });
      const tools = { find: { description: 'f', mcp: { server: 'shop', name: 'web_search' } } };
      model.reply(
        { toolCalls: [{ name: 'find', arguments: { query: 'only-in-the-call' } }] },
        { text: 'Done.' },
      );
      const made = await run(deskOf(tools, { shop: serverOf('http') }));
      const trace = await service.get(`/v1/runs/${made.run_id}/trace`);
      expect(trace.body.events.map((event: Loose) => event.type)).toEqual([
        'run_started',
        ...told.flatMap((what) => [`${what}_started`, `${what}_completed`]),
        'run_completed',
      ]);
      const [called] = trace.body.events.filter((event: Loose) => event.type === 'tool_completed');
      if (calls === 'true') expect(called).toMatchObject({ tool_name: 'find', error: null });
      expect(trace.text).not.toContain('only-in-the-call');
    },
  );
});

describe('settings (platform.md 12)', () => {
  test('SERV_MCP_RETRIES repeats a call that a passing fault broke', async () => {
    await start({ SERV_MCP_RETRIES: '2', SERV_MCP_RETRY_BACKOFF_SECONDS: '0.01' });
    Object.assign(web?.faults ?? {}, { status: 503 });
    setTimeout(() => Object.assign(web?.faults ?? {}, { status: undefined }), 15);
    const made = await run(specOf(serverOf('http'), 'web_search'));
    expect(made.output_text).toBe(`${TEXT}found: search gears`);
  });

  test('SERV_MCP_CONNECT_TIMEOUT_SECONDS limits the connection', async () => {
    await start({ SERV_MCP_CONNECT_TIMEOUT_SECONDS: '0.2' });
    Object.assign(web?.faults ?? {}, { silent: true });
    const made = await run(specOf(serverOf('http'), 'web_search'));
    expect(made.output_text).toContain('did not connect within 0.2 s');
  });

  test('spec-v1 4, client_key_ref: a missing secret fails the build', async () => {
    const service = await start();
    const spec = specOf({ ...serverOf('http'), client_key_ref: 'NO_SUCH_KEY' }, 'web_search');
    const compiled = await service.post('/v1/specs/compile', { spec });
    expect(compiled).toMatchObject({ status: 400 });
    expect(await run(spec, 'hello')).toMatchObject({ http: 400 });
  });
});

describe('what is kept', () => {
  test('no secret of a header or variable reaches answers, the store or the log', async () => {
    const secret = 'q7-kept-out-of-everything';
    const service = await start({ SHOP_TOKEN: secret });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the notation under test
    const headers = { 'X-Token': '${SHOP_TOKEN}' };
    const spec = specOf({ ...serverOf('http'), headers }, 'web_search');
    await run(spec);
    Object.assign(web?.faults ?? {}, {
      body: JSON.stringify({ jsonrpc: '2.0', id: 2, error: { code: 1, message: `no ${secret}` } }),
    });
    const made = await run(spec);
    expect(made.output_text).toContain('no [REDACTED]');
    expect(web?.headers.at(-1)?.['x-token']).toBe(secret);
    const stored = ['', '-wal'].map((suffix) => readFileSync(`${service.file}${suffix}`, 'latin1'));
    expect([...stored, JSON.stringify(service.logs)].join('\n')).not.toContain(secret);
  });

  test('stopping the platform ends programs and sessions', async () => {
    const service = await start({});
    const made = await run(specOf(serverOf('stdio'), 'offspring'));
    await run(specOf(serverOf('http'), 'web_search'));
    const pids = String(made.output_text).match(/\d+/g)?.map(Number) ?? [];
    expect(pids).toHaveLength(2);
    expect(web?.sessions()).toBe(1);
    await service.stop();
    platform = shared;
    await sleep(50);
    expect(web?.sessions()).toBe(0);
    const alive = pids.filter((pid) => {
      try {
        return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
      } catch {
        return false;
      }
    });
    expect(alive).toEqual([]);
  });
});
