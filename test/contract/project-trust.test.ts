// Trust in a folder (decisions 8, 19, 46): functions, programs of MCP servers and variables of the
// environment for the specs of that folder and of no other.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { notePlaces } from '../../server/runtime/project-places.ts';
import { openTrustedFolders } from '../../server/runtime/trusted-folders.ts';
import { startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { type StudioUnderTest, startStudioUnderTest } from '../support/studio-app.ts';

const SPEC = `version: v1
agent:
  name: desk
workflow:
  name: pipe
  type: sequential
  steps:
    - {id: work, kind: function, ref: work}
    - {id: again, kind: function, ref: work}
components:
  functions:
    work: {implementation: desk.work}
`;

/** A program whose only tool tells a variable that it was given. */
const PROGRAM = `import readline from 'node:readline';
const answers = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
  'tools/list': { tools: [{ name: 'find', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: process.cwd() + ' ' + (process.env.GIVEN ?? 'none').length }] },
};
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] ?? {} }));
});
`;

const WITH_PROGRAM = (given: string) => `version: v1
agent:
  name: desk
  strategy: {type: react}
  tools: {include: [web_search]}
mcp_servers:
  shelf: {transport: stdio, command: ${JSON.stringify(process.execPath)}, args: [tools/shelf.mjs], env: {GIVEN: '${given}'}}
tools:
  web_search: {description: Search., mcp: {server: shelf, name: find}}
`;

let folder: string;
let platform: TestPlatform;
let studio: StudioUnderTest;
let other: { id: string; folder: string };
let trusted: ReturnType<typeof openTrustedFolders>;

function writeCode(root: string, answer: string): void {
  for (const name of ['functions', 'tools']) mkdirSync(path.join(root, name), { recursive: true });
  writeFileSync(path.join(root, 'tools', 'shelf.mjs'), PROGRAM);
  const code = `export const work = (text: string) => '${answer}: ' + text;`;
  writeFileSync(path.join(root, 'functions', 'desk.ts'), code);
}

const trustPath = (id: string) => `/api/projects/${id}/trust`;

async function runIn(id: string, text = SPEC, input = 'hello') {
  const draft = { path: 'x.yaml', revision: 'seen' };
  const body = { alias: 'default', draft, text, input };
  const started = await studio.call('POST', `/api/projects/${id}/draft-runs`, body);
  if (started.status !== 202) return started.body;
  const url = `/v1/runs/${started.body.platform_run_id}`;
  await expect
    .poll(async () => (await platform.get(url)).body.status, { timeout: 20_000 })
    .toMatch(/completed|failed/);
  return (await platform.get(url)).body;
}

const findingOf = (refused: { details: { stages: { detail: { diagnostics: unknown[] } }[] } }) =>
  refused.details.stages.at(-1)?.detail.diagnostics.at(-1);

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'trust-'));
  const base = path.join(folder, 'projects');
  const defaultRoot = path.join(folder, 'default');
  mkdirSync(defaultRoot);
  writeCode(defaultRoot, 'default');
  const trustFile = path.join(folder, 'config', 'trusted-folders.json');
  const placesFile = path.join(folder, 'project-folders.json');
  trusted = openTrustedFolders(trustFile);
  platform = await startTestPlatform({
    specRoot: folder,
    trusted: false,
    thread: true,
    projects: { trustFile, placesFile, defaultRoot, base },
    env: { ORDINARY_VARIABLE: 'twelve chars' },
  });
  studio = await startStudioUnderTest(platform.url, {
    platform: { url: platform.url, apiKey: 'admin-key' },
    workspaceBase: base,
    projectRoot: defaultRoot,
    trusted: false,
    codeTrust: {
      folders: trusted,
      notePlaces: (places) => notePlaces(placesFile, places),
      defaultTrusted: false,
    },
  });
  const made = await studio.call('POST', '/api/projects', { name: 'Second' });
  const view = await studio.call('GET', trustPath(made.body.id));
  other = { id: made.body.id, folder: view.body.folder };
  writeCode(other.folder, 'second');
});
afterAll(async () => {
  await studio.dispose();
  await platform.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('an untrusted folder runs no code; trust is given once, for that folder, and taken back', async () => {
  const before = await studio.call('GET', trustPath('default'));
  expect(before.body).toEqual({
    state: 'untrusted',
    by: null,
    folder: path.join(folder, 'default'),
  });
  expect((await runIn('default')).code).toBe('spec_capability_refused');

  const given = await studio.call('PUT', trustPath('default'));
  expect(given.body).toMatchObject({ state: 'trusted', by: 'list' });
  const bindings = await studio.call('GET', '/api/projects/default/bindings');
  expect(bindings.body[0].capability_policy).toBe('local');
  expect(await runIn('default')).toMatchObject({
    status: 'completed',
    output_text: 'default: default: hello',
  });
  // The other project is another folder.
  expect((await studio.call('GET', trustPath(other.id))).body.state).toBe('untrusted');
  expect((await runIn(other.id)).code).toBe('spec_capability_refused');

  await studio.call('PUT', trustPath(other.id));
  expect(await runIn(other.id)).toMatchObject({ output_text: 'second: second: hello' });
  expect(await runIn('default')).toMatchObject({ output_text: 'default: default: hello' });

  const taken = await studio.call('DELETE', trustPath('default'));
  expect(taken.body).toMatchObject({ state: 'untrusted', by: null });
  expect((await runIn('default')).code).toBe('spec_capability_refused');
  expect(await runIn(other.id)).toMatchObject({ output_text: 'second: second: hello' });
  await studio.restart();
  expect(await runIn(other.id)).toMatchObject({ output_text: 'second: second: hello' });
});

/** A run that belongs to a project, past the studio, as anybody with a key may ask for it. */
async function runOnPlatform(id: string, text: string) {
  const made = await platform.post('/v1/runs', {
    input: 'search gear',
    spec: parseYaml(text),
    metadata: { authoring: { project_id: id } },
  });
  return made.status === 200 ? made.body.output_text : made.body.detail.message;
}

test('programs start and variables are read in a trusted folder, and in no other', async () => {
  trusted.add(other.folder, 'now');
  trusted.remove(path.join(folder, 'default'));
  const plain = WITH_PROGRAM('plain');
  const variable = WITH_PROGRAM(['$', '{ORDINARY_VARIABLE}'].join(''));
  expect(await runOnPlatform(other.id, plain)).toContain(`${other.folder} 5`);
  expect(await runOnPlatform(other.id, variable)).toContain(`${other.folder} 12`);
  const refused = await runOnPlatform('default', plain);
  expect(refused).toContain("'shelf' is a program of a project that is not trusted");
  expect(refused).toContain('specwright trust add');
  const secret = await runOnPlatform('default', variable);
  expect(secret).toContain('ORDINARY_VARIABLE is a variable of the environment');
  expect(secret).toContain('specwright trust add');
  trusted.remove(other.folder);
  expect(await runOnPlatform(other.id, plain)).toContain('not trusted');
  expect(await runOnPlatform(other.id, variable)).toContain('ORDINARY_VARIABLE');
});

test('what another program changes on the list counts at once, in the bindings too', async () => {
  const policies = async () =>
    (await studio.call('GET', `/api/projects/${other.id}/bindings`)).body[0].capability_policy;
  trusted.add(other.folder, 'now');
  expect((await studio.call('GET', trustPath(other.id))).body.state).toBe('trusted');
  expect(await policies()).toBe('local');
  expect(await runIn(other.id)).toMatchObject({ output_text: 'second: second: hello' });
  trusted.remove(other.folder);
  expect(await policies()).toBe('strict');
  expect((await studio.call('GET', trustPath(other.id))).body.state).toBe('untrusted');
});

test('whether a secret is usable is judged by the project that asks, and by the list of that moment', async () => {
  const project = `/api/projects/${other.id}`;
  const text = SPEC.replace(
    'name: desk',
    'name: desk\n  model: {provider: openai, name: x, extra: {api_key_ref: ORDINARY_VARIABLE}}',
  );
  writeFileSync(path.join(other.folder, 'keyed.yaml'), text);
  const { body } = await studio.call('GET', `${project}/drafts/exposure`);
  const known = { path: 'keyed.yaml', exposure_digest: body.exposure_digest };
  const registered = await studio.call('POST', `${project}/drafts/register`, known);
  expect(registered.status, registered.text).toBe(201);
  const base = { path: 'keyed.yaml', revision: createHash('sha256').update(text).digest('hex') };
  const artifact = await studio.call('POST', `${project}/artifacts`, { base, alias: 'default' });
  expect(artifact.status, artifact.text).toBe(201);
  const preflight = async () => {
    const flight = `${project}/artifacts/${artifact.body.id}/preflight/credential-refs`;
    return (await studio.call('GET', flight)).body.credentials.extra['ORDINARY_VARIABLE'];
  };
  trusted.remove(other.folder);
  expect(await preflight()).toMatchObject({ present: true, usable: false });
  trusted.add(other.folder, 'now');
  expect(await preflight()).toMatchObject({ present: true, usable: true });
  trusted.remove(other.folder);
  expect(await preflight()).toMatchObject({ present: true, usable: false });
});

test('a missing function is told with the file to make', async () => {
  await studio.call('PUT', trustPath(other.id));
  rmSync(path.join(other.folder, 'functions', 'desk.ts'));
  expect(findingOf(await runIn(other.id))).toMatchObject({
    code: 'E_HANDLER_NOT_FOUND',
    message: "There is no code for 'desk.work': functions/desk.ts is not in the project's folder.",
    suggestion: 'Make functions/desk.ts there, with an export named work.',
  });
  writeCode(other.folder, 'again');
  expect(await runIn(other.id)).toMatchObject({ output_text: 'again: again: hello' });
});

test('a run goes on with the code of its own project: again from a checkpoint too', async () => {
  await studio.call('PUT', trustPath(other.id));
  const first = await runIn(other.id);
  const { checkpoints } = (await platform.get(`/v1/runs/${first.run_id}/checkpoints`)).body;
  const rerun = await platform.post(`/v1/runs/${first.run_id}/rerun`, {
    checkpoint_sequence: checkpoints[0].sequence,
    edits: {},
  });
  expect(rerun.body.status).toBe('completed');
  const record = (await platform.get(`/v1/runs/${rerun.body.run_id}`)).body;
  expect(record.metadata.caller_metadata.authoring.project_id).toBe(other.id);
});

test('a shared studio and a platform of somebody else offer no trust', async () => {
  const shared = await startStudioUnderTest(platform.url, {
    platform: { url: platform.url, embedded: false },
    codeTrust: {
      folders: openTrustedFolders(path.join(folder, 'none')),
      notePlaces: () => undefined,
      defaultTrusted: false,
    },
  });
  expect((await shared.call('GET', trustPath('default'))).body).toEqual({
    state: 'unavailable',
    by: null,
    folder: null,
  });
  expect((await shared.call('PUT', trustPath('default'))).body.code).toBe('trust_unavailable');
  await shared.dispose();
});
