// The world that the studio's wire tests share.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { FakePlatform } from './fake-platform.ts';
import { startOpenPlatform, type TestPlatform } from './platform.ts';
import { type Answered, type StudioUnderTest, startStudioUnderTest } from './studio-app.ts';

export const P = '/api/projects/default';
export const sha = (input: string | Uint8Array) => createHash('sha256').update(input).digest('hex');
export const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/n8n/${name}.json`, import.meta.url), 'utf8');
export const SPEC = 'version: v1\nagent:\n  name: a\n  model:\n    provider: dummy\n    name: d\n';
export const STEPS = `${SPEC}workflow:\n  type: sequential\n  steps:\n  - id: one\n    kind: agent\n    ref: w\ncomponents:\n  agents:\n    w:\n      name: w\n      model:\n        provider: dummy\n        name: d\n`;
export const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}\+00:00$/;

export let platform: TestPlatform;
export let studio: StudioUnderTest;
export const fakes: FakePlatform[] = [];
const others: StudioUnderTest[] = [];

/** One platform for the file that calls this, a studio of its own for each test. */
export function freshStudios(): void {
  beforeAll(async () => {
    platform = await startOpenPlatform();
  });
  afterAll(() => platform.stop());
  beforeEach(async () => {
    studio = await startStudioUnderTest(platform.url);
  });
  afterEach(async () => {
    await studio.dispose();
    for (const other of others.splice(0)) await other.dispose();
    for (const fake of fakes.splice(0)) await fake.close();
  });
}

export async function another(...input: Parameters<typeof startStudioUnderTest>) {
  const made = await startStudioUnderTest(...input);
  others.push(made);
  return made;
}

export function refused(answer: Answered, status: number, code: string, details?: unknown): void {
  expect([answer.status, answer.body?.code], answer.text).toEqual([status, code]);
  expect(Object.keys(answer.body).sort()).toEqual(
    ['code', 'message', 'request_id', ...(answer.body.details ? ['details'] : [])].sort(),
  );
  expect(answer.headers.get('x-request-id')).toBe(answer.body.request_id);
  if (details !== undefined) expect(answer.body.details).toMatchObject(details as object);
}

export function write(ref: string, text: string, under = studio): string {
  const file = path.join(under.root, ref);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return sha(text);
}

export async function register(ref: string, extra: Record<string, unknown> = {}, under = studio) {
  const { body } = await under.call('GET', `${P}/drafts/exposure`);
  const answer = await under.call('POST', `${P}/drafts/register`, {
    path: ref,
    exposure_digest: body.exposure_digest,
    ...extra,
  });
  expect(answer.status, answer.text).toBe(201);
}

export async function importFile(
  name: string,
  extra: Record<string, unknown> = {},
  under = studio,
) {
  const body = { raw: fixture(name), alias: 'default', source_name: `${name}.json`, ...extra };
  const answer = await under.call('POST', `${P}/import/n8n`, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

export async function createArtifact(
  base: unknown,
  extra: Record<string, unknown> = {},
  under = studio,
) {
  const answer = await under.call('POST', `${P}/artifacts`, { base, alias: 'default', ...extra });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

export async function authored(ref: string, text: string, under = studio) {
  const revision = write(ref, text, under);
  await register(ref, { capabilities: 'read_write' }, under);
  return { path: ref, revision };
}

/** An artifact that may be exported: authored, asserted to need no analysis. */
export async function readyArtifact(text = STEPS, under = studio) {
  const base = await authored('specs/flow.yaml', text, under);
  const asserted = await under.call('POST', `${P}/drafts/assertions`, { ref: base });
  expect(asserted.status, asserted.text).toBe(204);
  return createArtifact(base, {}, under);
}

/** Runs one statement on the store of the test's studio. */
export function inStore(statement: string, ...values: readonly unknown[]) {
  return studio.rows(statement, ...values);
}

export async function auditRows(): Promise<
  { action: string; principal_id: string; at: string; outcome: string }[]
> {
  return (await inStore('SELECT * FROM audit ORDER BY id')) as never;
}
