// Steps of item flows that call tools of MCP servers: a real server, over HTTP.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { adds, type FlowSpecStep, flowSpec } from '../support/flow-specs.ts';
import { startMcpHttpServer, type TestMcpHttpServer } from '../support/mcp-http-server.ts';
import { startTestPlatform, type TestPlatform } from '../support/platform.ts';

let web: TestMcpHttpServer;
let platform: TestPlatform;

beforeEach(async () => {
  web = await startMcpHttpServer();
  platform = await startTestPlatform();
});
afterEach(async () => {
  await platform.stop();
  await web.stop();
});

function tool(name: string, more: Partial<FlowSpecStep> = {}): FlowSpecStep {
  const given = { query: '={{ $json.what + " x" }}' };
  const parameters = { server: 'desk', tool: name, arguments: given };
  return { type: 'specwright.mcpCall', parameters, ...more };
}

async function ran(call: FlowSpecStep) {
  const spec = {
    ...flowSpec({ call, after: adds('seen', 'yes') }, [['call', 'after']]),
    mcp_servers: { desk: { transport: 'http', url: web.url } },
  };
  const input = JSON.stringify([{ what: 'parts' }, { what: 'tools' }]);
  const { body } = await platform.post('/v1/runs', { spec, input, async_mode: true });
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
