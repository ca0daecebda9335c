// Skills over the wire (spec-v1 7, 10, 11.1): what a model is told, what is refused, what is frozen.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';

let root: string;
let platform: TestPlatform;
let model: ModelServer;

function put(file: string, text: string): void {
  const target = path.join(root, 'skills', file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
}

function bundle(name: string, body: string, more = ''): string {
  return `---\nname: ${name}\ndescription: about ${name}\n${more}---\n\n${body}\n`;
}

beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'skills-'));
  put('tone/SKILL.md', bundle('tone', 'Be kind.'));
  put('units/SKILL.md', bundle('units', 'Use metres.'));
  put('busy/SKILL.md', bundle('busy', 'Hurry.', 'defaults:\n  max_iterations: 1\n'));
  put('older/README.md', 'Old rules.\n');
  put('older/skill.yaml', 'name: older\ndescription: older form\n');
  put('notes.md', 'Plain notes.\n');
  put('renamed/SKILL.md', bundle('other', 'x'));
  put('bare/SKILL.md', 'No front matter.');
  put('leaky/SKILL.md', bundle('leaky', 'x'));
  symlinkSync('/etc/hostname', path.join(root, 'skills', 'leaky', 'extra.txt'));
  platform = await startTestPlatform({ specRoot: root });
  model = await startModelServer();
});
afterEach(() => model.reset());
afterAll(async () => {
  await platform.stop();
  await model.stop();
  rmSync(root, { recursive: true, force: true });
});

function specOf(active: string[], sources: Record<string, string>, agent = {}): Loose {
  return {
    version: 'v1',
    agent: {
      name: 'desk',
      system_prompt: '  Answer. ',
      model: { provider: 'openai', name: 'm-1', extra: { base_url: model.baseUrl('openai') } },
      skills: active,
      ...agent,
    },
    skills: Object.fromEntries(
      Object.entries(sources).map(([name, source]) => [name, { source: `skills/${source}` }]),
    ),
  };
}

async function promptOf(spec: Loose, more = {}): Promise<string> {
  const answer = await platform.post('/v1/runs', { spec, input: 'hi', ...more });
  expect(answer.status).toBe(200);
  const [system] = model.requests.at(-1)?.body.messages ?? [];
  return system.content;
}

test('spec-v1 10: instructions of the active skills follow the system prompt, one blank line apart', async () => {
  const sources = { tone: 'tone', units: 'units', notes: 'notes.md', older: 'older' };
  const spec = specOf(['units', 'tone', 'notes', 'older'], sources);
  expect(await promptOf(spec)).toBe(
    'Answer.\n\nUse metres.\n\nBe kind.\n\nPlain notes.\n\nOld rules.',
  );
});

test('spec-v1 7: the skills overlay adds and disables on the root agent (RP-025)', async () => {
  const spec = specOf(['tone'], { tone: 'tone', units: 'units' });
  const skills = { add: ['units'], disable: ['tone'] };
  expect(await promptOf(spec, { skills })).toBe('Answer.\n\nUse metres.');
  const unknown = { spec, input: 'hi', skills: { add: ['nobody'], disable: [] } };
  expect(await platform.post('/v1/runs', unknown)).toMatchObject({
    status: 400,
    body: { detail: { error: 'invalid_request' } },
  });
});

test('spec-v1 11.1: defaults of an active skill win over the agent', async () => {
  const tools = { web_search: { description: 'find', mcp: { server: 'm' } } };
  const servers = { m: { transport: 'http', url: 'http://127.0.0.1:1/mcp' } };
  const react = { model: null, strategy: { type: 'react' }, tools: ['web_search'] };
  const spec = { ...specOf(['busy'], { busy: 'busy' }, react), tools, mcp_servers: servers };
  const answer = await platform.post('/v1/runs', { spec, input: 'search it' });
  const stored = await platform.get(`/v1/runs/${answer.body.run_id}`);
  expect(stored.body).toMatchObject({ status: 'failed', error: { type: 'max_iterations' } });
  const free = { ...spec, agent: { ...spec.agent, skills: [] } };
  const other = await platform.post('/v1/runs', { spec: free, input: 'search it' });
  expect(other.body.status).toBe('completed');
});

test.each([
  ['renamed', 400, 'invalid_request'],
  ['bare', 400, 'invalid_request'],
  ['no-such', 400, 'invalid_request'],
  ['leaky', 422, 'spec_path_confined'],
])('spec-v1 10: the bundle %s is refused', async (source, status, error) => {
  const spec = specOf([], { s: source });
  const answer = await platform.post('/v1/runs', { spec, input: 'hi' });
  expect(answer).toMatchObject({ status, body: { detail: { error } } });
});

test('spec-v1 1: a run keeps the skill as it was when it was created', async () => {
  put('moving/SKILL.md', bundle('moving', 'First.'));
  const pause = { id: 'ask', kind: 'human', ref: 'boss' };
  const write = { id: 'write', kind: 'agent', ref: 'writer' };
  const base = specOf([], { moving: 'moving' });
  const spec = {
    ...base,
    workflow: { type: 'sequential', name: 'pipe', steps: [pause, write] },
    components: {
      agents: { writer: { ...base.agent, name: 'writer', skills: ['moving'] } },
      humans: { boss: { description: 'Fine?', request_type: 'approval' } },
    },
  };
  const made = await platform.post('/v1/runs', { spec, input: 'hi' });
  expect(made.body.status).toBe('blocked');
  put('moving/SKILL.md', bundle('moving', 'Second.'));
  const list = await platform.get('/v1/human-tasks');
  const [task] = list.body.tasks;
  const answer = { request_id: task.request_id, decision: 'approved' };
  await platform.post(`/v1/human-tasks/${task.continuation_id}/resume`, answer);
  await platform.waitFor(made.body.run_id, 'completed');
  expect(model.requests.at(-1)?.body.messages[0].content).toBe('Answer.\n\nFirst.');
});
