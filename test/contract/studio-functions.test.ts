import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StudioUnderTest, startStudioUnderTest } from '../support/studio-app.ts';

const P = '/api/projects/default';
const TEXT = `version: v1
agent: {name: desk}
# kept
components:
  functions:
    send_sms: {implementation: imported.send_sms}
tools:
  look_up: {description: Looks up., implementation: imported.look_up}
workflow:
  type: sequential
  steps:
    - {id: send, kind: function, ref: send_sms}
metadata:
  flow:
    steps:
      send_sms: {name: Send SMS, parameters: {to: '+43'}}
`;

let studio: StudioUnderTest;

beforeAll(async () => {
  studio = await startStudioUnderTest('http://127.0.0.1:9');
});
afterAll(() => studio.dispose());

const write = (draft: object, name: string, kind = 'function') =>
  studio.call('POST', `${P}/functions`, { draft, kind, name });

test('a function is written with its test, which passes; the draft names it and keeps its words', async () => {
  const made = await studio.call('POST', `${P}/drafts`, { name: 'desk', kind: 'spec', text: TEXT });
  const { ref: draftPath, revision } = made.body;
  const { status, body } = await write({ path: draftPath, revision }, 'send_sms');
  expect(status).toBe(201);
  expect(body).toMatchObject({
    implementation: 'send_sms.run',
    files: ['functions/send_sms.ts', 'functions/send_sms.test.ts'],
  });
  const { text, revision: now } = (await studio.call('GET', `${P}/drafts/${draftPath}`)).body;
  expect(text).toBe(TEXT.replace('imported.send_sms', 'send_sms.run'));
  expect(body.draft).toEqual({ path: draftPath, revision: now });
  const file = path.join(studio.root, 'functions/send_sms.ts');
  expect(readFileSync(file, 'utf8')).toContain('export interface Settings {\n  to: string;\n}');
  const words = ['--test', path.join(studio.root, 'functions/send_sms.test.ts')];
  expect(execFileSync(process.execPath, words, { encoding: 'utf8' })).toMatch(/pass 1/);

  // Nothing is overwritten: the next one takes another name, and both files must be free.
  writeFileSync(path.join(studio.root, 'functions/look_up.test.ts'), 'mine');
  const second = await write(body.draft, 'look_up', 'tool');
  expect(second.body.files[0]).toBe('functions/look_up_2.ts');
  expect(existsSync(path.join(studio.root, 'functions/look_up.ts'))).toBe(false);
});

test('an older revision, and what is no code, are refused and leave nothing', async () => {
  const made = await studio.call('POST', `${P}/drafts`, { name: 'two', kind: 'spec', text: TEXT });
  const { ref: draftPath, revision } = made.body;
  const stale = await write({ path: draftPath, revision: 'older' }, 'send_sms');
  expect([stale.status, stale.body.code]).toEqual([409, 'draft_stale']);
  const gone = await write({ path: draftPath, revision }, 'nobody');
  expect([gone.status, gone.body.code]).toEqual([422, 'request_invalid']);
  expect(existsSync(path.join(studio.root, 'functions/nobody.ts'))).toBe(false);
});
