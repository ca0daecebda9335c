import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { isCutOff, KilledStudio } from '../support/killed-studio.ts';
import { writeTeamUsers } from '../support/team-server.ts';

/** `STUDIO_KILLS=200` for a long run; a short one stands in the suite. */
const KILLS = Number(process.env['STUDIO_KILLS'] ?? '6');
const P = '/api/projects/default';
const SOURCE = readFileSync(
  new URL('../fixtures/n8n/agent-as-tool-and-tool-kinds.json', import.meta.url),
  'utf8',
);
const sha = (text: string) => createHash('sha256').update(text).digest('hex');

const studio = new KilledStudio();
afterAll(() => studio.remove());

/** What was answered, and what was asked and not answered when the process was killed. */
interface Known {
  ref: string;
  /** Where it may be too: a move was asked. */
  elsewhere: string | undefined;
  text: string;
  /** What the file may hold too: a save or a restore was asked. */
  pending: string | undefined;
  readonly artifacts: string[];
  /** Revisions at which the gap was attested; once more at the same one says nothing new. */
  readonly attested: Set<string>;
  readonly analysis: string;
  readonly gap: string;
  readonly imported: string;
  steps: number;
}

async function ask(method: string, target: string, body?: unknown) {
  const answer = await studio.call(method, `${P}${target}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

async function save(known: Known): Promise<void> {
  const room = known.steps % 4 === 0 ? 200_000 : 10;
  known.pending = `${known.imported}# ${known.steps} ${'x'.repeat(room)}\n`;
  const expected_revision = sha(known.text);
  await ask('PUT', `/drafts/${known.ref}`, { text: known.pending, expected_revision });
  known.text = known.pending;
  known.pending = undefined;
}

async function attest(known: Known): Promise<void> {
  // A killed save may leave the draft as it was imported, and that cannot be attested.
  if (known.text === known.imported) return;
  await ask('POST', `/analyses/${known.analysis}/resolutions`, {
    gap_id: known.gap,
    ref: known.ref,
    expected_revision: sha(known.text),
    event: 'attest',
  });
  known.attested.add(sha(known.text));
}

async function compose(known: Known): Promise<void> {
  const base = { path: known.ref, revision: sha(known.text) };
  const { id } = await ask('POST', '/artifacts', { base, alias: 'default' });
  known.artifacts.push(id);
}

async function rename(known: Known): Promise<void> {
  known.elsewhere = `.studio/drafts/named-${known.steps}.yaml`;
  const expected_revision = sha(known.text);
  const body = { old_ref: known.ref, new_ref: known.elsewhere, expected_revision };
  await ask('POST', '/drafts/moves', body);
  known.ref = known.elsewhere;
  known.elsewhere = undefined;
}

async function restore(known: Known): Promise<void> {
  const { versions } = await ask('GET', `/history/${known.ref}`);
  const older = versions.find((one: { revision: string }) => one.revision !== sha(known.text));
  if (older === undefined) return;
  known.pending = (await ask('GET', `/versions/${older.id}`)).text;
  const expected_revision = sha(known.text);
  await ask('POST', `/versions/${older.id}/restorations`, { expected_revision });
  known.text = known.pending ?? '';
  known.pending = undefined;
}

const STEPS = [save, attest, compose, rename, restore];

async function work(known: Known): Promise<void> {
  for (;;) {
    known.steps += 1;
    await STEPS[known.steps % STEPS.length]?.(known);
  }
}

/** What was answered is there; what was not is there whole or not at all. */
async function check(known: Known): Promise<void> {
  const drafts: { ref: string; revision: string | null }[] = await ask('GET', '/drafts');
  expect(drafts).toHaveLength(1);
  const ref = drafts[0]?.ref ?? '';
  expect([known.ref, known.elsewhere]).toContain(ref);
  known.ref = ref;
  known.elsewhere = undefined;
  const { text, revision } = await ask('GET', `/drafts/${ref}`);
  expect([known.text, known.pending]).toContain(text);
  expect(revision).toBe(sha(text));
  const isAnswered = text === known.text;
  known.text = text;
  known.pending = undefined;
  expect(readdirSync(path.join(studio.tree, '.studio/drafts'))).toEqual([path.basename(ref)]);
  // Bytes of a save that was not answered are kept by the next one, as those of another program.
  if (!isAnswered) await save(known);
  if (text !== known.imported) {
    const { versions } = await ask('GET', `/history/${ref}`);
    expect(versions.map((one: { revision: string }) => one.revision)).toContain(revision);
  }
  const artifacts: { id: string }[] = await ask('GET', '/artifacts');
  const ids = artifacts.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(known.artifacts));
  expect(ids.length - known.artifacts.length).toBeLessThanOrEqual(1);
  known.artifacts.splice(0, known.artifacts.length, ...ids);
  const [newest] = ids;
  if (newest !== undefined) await ask('GET', `/artifacts/${newest}/composition`);
  const events: { revision: string }[] = await ask(
    'GET',
    `/analyses/${known.analysis}/resolutions`,
  );
  const revisions = events.map((event) => event.revision);
  expect(revisions).toEqual(expect.arrayContaining([...known.attested]));
}

async function begin(): Promise<Known> {
  await studio.start();
  const body = { raw: SOURCE, alias: 'default', source_name: 'desk', conversion: 'strict' };
  const { draft, gaps, analysis_ids, spec_yaml } = await ask('POST', '/import/n8n', body);
  const blocking = gaps.find((gap: { severity: string }) => gap.severity === 'blocking');
  return {
    ...{ ref: draft.path, elsewhere: undefined, text: spec_yaml, pending: undefined },
    ...{
      artifacts: [],
      attested: new Set<string>(),
      analysis: analysis_ids[0],
      imported: spec_yaml,
      steps: -1,
    },
    gap: blocking.ref.gap_id,
  };
}

test(
  `kill -9 at any moment of save, attest, compose, rename and restore: nothing answered is lost (${KILLS} kills)`,
  async () => {
    const known = await begin();
    for (let round = 0; round < KILLS; round += 1) {
      const enough = known.steps + 3 + (round % STEPS.length);
      const working = work(known).catch((error: unknown) => {
        if (!isCutOff(error)) throw error;
      });
      await Promise.race([
        working,
        expect
          .poll(() => known.steps, { interval: 2, timeout: 20_000 })
          .toBeGreaterThanOrEqual(enough),
      ]);
      await new Promise((resolve) => setTimeout(resolve, (round * 7) % 23));
      await studio.kill();
      await working;
      await studio.start();
      await check(known);
    }
    expect(known.artifacts.length).toBeGreaterThan(0);
    expect(existsSync(path.join(studio.tree, known.ref))).toBe(true);
  },
  60_000 + KILLS * 4_000,
);

test(
  'kill -9 at any moment of signing in and out: an answered one holds',
  async () => {
    const users = path.join(studio.folder, 'users.json');
    const settings = { STUDIO_AUTH_MODE: 'static', STUDIO_USERS_FILE: users };
    const signed = new KilledStudio(settings);
    onTestFinished(() => signed.remove());
    await writeTeamUsers(users, ['ada']);
    const signIn = () =>
      signed.call('POST', '/api/session', { username: 'ada', password: 'right' });
    await signed.start();
    expect((await signIn()).status).toBe(403);
    await signed.kill();
    await signed.rows("UPDATE principal SET state = 'active' WHERE state = 'pending'");
    await signed.start();

    /** What the last answer means for the cookie; undefined when the last request has none. */
    let isIn: boolean | undefined = false;
    const workAt = async (): Promise<void> => {
      for (;;) {
        isIn = undefined;
        const answer = await signIn();
        expect(answer.status).toBe(200);
        signed.cookie = answer.cookie;
        isIn = true;
        await new Promise((resolve) => setTimeout(resolve, 60));
        isIn = undefined;
        expect((await signed.call('DELETE', '/api/session')).status).toBeLessThan(300);
        isIn = false;
      }
    };
    for (let round = 0; round < Math.max(3, KILLS / 4); round += 1) {
      const working = workAt().catch((error: unknown) => {
        if (!isCutOff(error)) throw error;
      });
      await Promise.race([
        working,
        new Promise((resolve) => setTimeout(resolve, 100 + ((round * 41) % 170))),
      ]);
      await signed.kill();
      await working;
      await signed.start();
      const { status } = await signed.call('GET', '/api/me');
      expect(isIn === undefined ? [200, 401] : [isIn ? 200 : 401]).toContain(status);
      expect((await signIn()).status).toBe(200);
    }
  },
  60_000 + KILLS * 2_000,
);
