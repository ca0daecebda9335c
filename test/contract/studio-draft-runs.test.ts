import { afterAll, beforeAll, expect, test } from 'vitest';
import { startOpenPlatform, type TestPlatform } from '../support/platform.ts';
import { type StudioUnderTest, startStudioUnderTest } from '../support/studio-app.ts';

const P = '/api/projects/default';
const SPEC = 'version: v1\nagent:\n  name: desk\n  system_prompt: Answer.\n';

let platform: TestPlatform;
let studio: StudioUnderTest;

beforeAll(async () => {
  platform = await startOpenPlatform();
  studio = await startStudioUnderTest(platform.url);
});
afterAll(async () => {
  await studio.dispose();
  await platform.stop();
});

const run = (text: string, draft: { path: string; revision: string }) =>
  studio.call('POST', `${P}/draft-runs`, { alias: 'default', draft, text, input: 'hello' });

test('a buffer runs as it stands, and its run names project, draft, revision and text', async () => {
  const made = await studio.call('POST', `${P}/drafts`, { name: 'desk', kind: 'spec', text: SPEC });
  const { ref, revision } = made.body;
  const unsaved = `${SPEC}  description: typed and not saved\n`;
  const answer = await run(unsaved, { path: ref, revision });
  expect(answer.status).toBe(202);
  expect(answer.body.draft).toEqual({ path: ref, revision });
  expect(answer.body.text_sha256).not.toBe(revision);

  const url = `${platform.url}/v1/runs/${answer.body.platform_run_id}`;
  const record = async () => (await fetch(url)).json();
  await expect.poll(async () => (await record()).status, { timeout: 20_000 }).toBe('completed');
  const { metadata, session_id } = await record();
  expect(metadata.caller_metadata.authoring).toEqual({
    project_id: 'default',
    draft: ref,
    revision,
    text_sha256: answer.body.text_sha256,
    unsaved: true,
  });
  expect(session_id).toBe(`studio-${answer.body.id}`);

  const saved = await run(SPEC, { path: ref, revision });
  expect(saved.body.text_sha256).toBe(revision);
});

test('a run from the editor leads back to its draft, for members of its project only', async () => {
  const made = await studio.call('POST', `${P}/drafts`, { name: 'back', kind: 'spec', text: SPEC });
  const { ref, revision } = made.body;
  const here = (await run(SPEC, { path: ref, revision })).body;
  const other = await studio.call('POST', '/api/projects', { name: 'Left later' });
  const there = await studio.call('POST', `/api/projects/${other.body.id}/draft-runs`, {
    alias: 'default',
    draft: { path: 'note.yaml', revision: 'first' },
    text: SPEC,
    input: 'hello',
  });
  expect(there.status, there.text).toBe(202);
  const back = async () => {
    const sessions = `studio-${here.id},studio-${there.body.id},studio-nope`;
    return (await studio.call('GET', `/api/run-origins?session_ids=${sessions}`)).body;
  };
  const own = {
    session_id: `studio-${here.id}`,
    project_id: 'default',
    project_name: expect.any(String),
    artifact_id: null,
    artifact_deleted: false,
    draft_ref: ref,
    draft_revision: revision,
  };
  const lost = {
    ...own,
    session_id: `studio-${there.body.id}`,
    project_id: other.body.id,
    project_name: 'Left later',
    draft_ref: 'note.yaml',
    draft_revision: 'first',
  };
  const both = await back();
  expect(both).toHaveLength(2);
  expect(both).toEqual(expect.arrayContaining([own, lost]));

  await studio.rows('DELETE FROM project_member WHERE project_id = ?', other.body.id);
  expect(await back()).toEqual([own]);
});

test('of each draft the session of its newest run is told', async () => {
  const made = async (name: string) =>
    (await studio.call('POST', `${P}/drafts`, { name, kind: 'spec', text: SPEC })).body;
  const [often, once] = [await made('often'), await made('once')];
  const draftOf = ({ ref, revision }: { ref: string; revision: string }) => ({
    path: ref,
    revision,
  });
  await run(SPEC, draftOf(often));
  const second = (await run(SPEC, draftOf(once))).body;
  const third = (await run(SPEC, draftOf(often))).body;
  const newest = async () =>
    Object.fromEntries(
      (await studio.call('GET', `${P}/draft-sessions`)).body.map(
        (session: { draft_ref: string; session_id: string }) => [
          session.draft_ref,
          session.session_id,
        ],
      ),
    );
  expect(await newest()).toMatchObject({
    [often.ref]: `studio-${third.id}`,
    [once.ref]: `studio-${second.id}`,
  });
  // A run that no platform took tells nothing.
  await studio.rows('UPDATE draft_run SET platform_run_id = NULL WHERE id = ?', second.id);
  expect(await newest()).not.toHaveProperty([once.ref]);
});

test('a text that cannot run is refused with its findings, and no run is made', async () => {
  const count = async () => (await (await fetch(`${platform.url}/v1/runs`)).json()).total;
  const before = await count();
  const draft = { path: 'x.yaml', revision: 'seen' };
  const refused = await run(
    `${SPEC}workflow:\n  type: sequential\n  steps:\n    - {id: one, kind: agent, ref: nobody}\n`,
    draft,
  );
  expect(refused.status).toBe(409);
  expect(refused.body.code).toBe('draft_not_runnable');
  expect(refused.body.details.stages[0].ok).toBe(false);
  expect((await run('a: [', draft)).body.code).toBe('request_invalid');
  expect(await count()).toBe(before);
});

test('a rehearsal runs a draft whose code is missing, when something answers for all of it', async () => {
  const text = `version: v1
agent: {name: desk}
components:
  functions:
    first: {implementation: imported.first}
    second: {implementation: imported.second}
workflow:
  type: sequential
  steps:
    - {id: one, kind: function, ref: first}
    - {id: two, kind: function, ref: second}
`;
  const draft = { path: 'rehearsed.yaml', revision: 'first' };
  const start = (names: readonly string[]) => {
    const items = [{ text: 'answered' }];
    const steps = Object.fromEntries(names.map((name) => [name, { by: 'mocked', items }]));
    const body = { alias: 'default', draft, text, input: 'hello', rehearsal: { steps } };
    return studio.call('POST', `${P}/draft-runs`, body);
  };
  const half = await start(['one']);
  expect([half.status, half.body.code]).toEqual([409, 'draft_not_runnable']);
  const { status, body } = await start(['one', 'two']);
  expect(status).toBe(202);
  const url = `${platform.url}/v1/runs/${body.platform_run_id}`;
  const record = async () => (await fetch(url)).json();
  await expect.poll(async () => (await record()).status, { timeout: 20_000 }).toBe('completed');
  expect((await record()).output_text).toBe('answered');
});
