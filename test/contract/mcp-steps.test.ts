// Steps of item flows that call tools of MCP servers: a real server, over HTTP.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { adds, type FlowSpecStep, flowSpec } from '../support/flow-specs.ts';
import { startMcpHttpServer, type TestMcpHttpServer } from '../support/mcp-http-server.ts';
import { startTestPlatform, type TestPlatform } from '../support/platform.ts';

let web: TestMcpHttpServer;
let platform: TestPlatform;

let root: string;

beforeEach(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'mcp-steps-'));
  web = await startMcpHttpServer();
  platform = await startTestPlatform({ specRoot: root });
});
afterEach(async () => {
  await platform.stop();
  await web.stop();
  rmSync(root, { recursive: true, force: true });
});

function tool(name: string, more: Partial<FlowSpecStep> = {}): FlowSpecStep {
  const given = { query: '={{ $json.what + " x" }}' };
  const parameters = { server: 'desk', tool: name, arguments: given };
  return { type: 'specwright.mcpCall', parameters, ...more };
}

async function ran(call: FlowSpecStep, more: object = {}) {
  const spec = {
    ...flowSpec({ call, after: adds('seen', 'yes') }, [['call', 'after']]),
    mcp_servers: { desk: { transport: 'http', url: web.url } },
  };
  const input = JSON.stringify([{ what: 'parts' }, { what: 'tools' }]);
  const { body } = await platform.post('/v1/runs', { spec, input, async_mode: true, ...more });
  return platform.waitFor(body.run_id, 'completed', 'failed');
}

test('the tool is called for each item; what it says goes on', async () => {
  const { body: run } = await ran(tool('web_search'));
  expect(run.status).toBe('completed');
  expect(run.output_text).toContain('found: parts x');
  expect(run.output_text).toContain('found: tools x');
  expect(run.output_text).toContain('yes');
  expect(web.calls).toEqual(['web_search', 'web_search']);
});

test('an answer that is an object becomes the fields of an item', async () => {
  const { body: run } = await ran(tool('structured'));
  expect(run.output_text).toContain('"parts":3');
});

test('what the server refuses ends the run in its words, or goes on where the step says so', async () => {
  const failed = await ran(tool('fails'));
  expect(failed.body.status).toBe('failed');
  expect(failed.body.error.message).toContain('the backend is offline');
  const on = await ran(tool('fails', { on_error: 'regular_output' }));
  expect(on.body.status).toBe('completed');
  const call = tool('web_search');
  const other = { ...call, parameters: { ...call.parameters, server: 'nowhere' } };
  expect((await ran(other)).body.error.message).toContain("no MCP server 'nowhere'");
});

const recording = (mode: string) => ({ metadata: { recording: { mode, name: 'desk' } } });

test('calls are recorded one by one, and a replay asks no server', async () => {
  const first = await ran(tool('web_search'), recording('record'));
  expect(first.body.status).toBe('completed');
  const lines = readFileSync(path.join(root, '.studio/recordings/desk.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line));
  expect(lines.map(({ request, outcome }) => [request.arguments, outcome.value])).toEqual([
    [{ query: 'parts x' }, 'found: parts x'],
    [{ query: 'tools x' }, 'found: tools x'],
  ]);
  web.faults.status = 503;
  const again = await ran(tool('web_search'), recording('replay'));
  expect(again.body.error).toBeNull();
  expect(again.body.output_text).toBe(first.body.output_text);
  expect(web.calls).toEqual(['web_search', 'web_search']);

  const other = await ran(tool('structured'), recording('replay'));
  expect(other.body.error.message).toContain("recording 'desk' holds no answer");
});

test('a refusal of the server is replayed as one; what was not recorded is none', async () => {
  await ran(tool('fails'), recording('record'));
  web.faults.status = 503;
  const again = await ran(tool('fails'), recording('replay'));
  expect(again.body.error.message).toContain('the backend is offline');
  // The step that goes on calls for the second item too, which the recording does not hold.
  const on = await ran(tool('fails', { on_error: 'regular_output' }), recording('replay'));
  expect(on.body.status).toBe('failed');
  expect(on.body.error.message).toContain('recording_miss');
});
