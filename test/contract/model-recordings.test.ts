// Runs that are recorded and replayed.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSecretStore } from '../../server/host/secrets/secret-store.ts';
import { STORED_SECRETS } from '../../server/runtime/stored-secrets.ts';
import { systemClock } from '../../server/runtime/system-clock.ts';
import { memoryKeychain } from '../support/memory-keychain.ts';
import {
  desk,
  ELSE,
  latest,
  open,
  opened,
  p,
  root,
  run,
  server,
  shareModels,
  TOOLS,
} from '../support/models-world.ts';
import { type Loose, startTestPlatform } from '../support/platform.ts';

shareModels();

function lines(name: string): Loose[] {
  const text = readFileSync(path.join(root, '.studio', 'recordings', `${name}.jsonl`), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('recordings', () => {
  const recording = (mode: string, name?: string) => ({
    metadata: { recording: { mode, ...(name === undefined ? {} : { name }) } },
  });
  const conversation = () =>
    server.reply(
      { toolCalls: [{ id: 'c1', name: 'lookup', arguments: { id: 'A-7' } }] },
      { text: `A-7 was shipped, mail me at a@b.co with ${ELSE}.`, usage: { input: 40, output: 9 } },
    );

  test('a recorded conversation runs again offline with the same output', async () => {
    conversation();
    const first = await run(desk(TOOLS), recording('record', 'order-a7'));
    expect(first.body.status).toBe('completed');
    expect(lines('order-a7').map((line) => line.format ?? line.request.kind)).toEqual([
      'specwright-recording/1',
      'call_model',
      'call_tool',
      'call_model',
    ]);
    expect(JSON.stringify(lines('order-a7'))).not.toContain(ELSE);
    expect(JSON.stringify(lines('order-a7'))).not.toContain('a@b.co');

    server.reset();
    const away = desk(TOOLS);
    away.agent.model.extra = {};
    const offline = await startTestPlatform({
      specRoot: root,
      handlers: { 'orders.lookup': () => 'never called' },
    });
    opened.push(offline);
    const second = await run(away, recording('replay', 'order-a7'), offline);
    expect(server.requests).toHaveLength(0);
    expect(second.body.output_text).toBe(
      'A-7 was shipped, mail me at [REDACTED_EMAIL] with [REDACTED].',
    );
    expect(second.body.metadata).toMatchObject({
      sdk: 'recording',
      runtime_name: 'react@recording',
    });
    const usage = (await offline.get(`/v1/runs/${second.body.run_id}`)).body.usage;
    expect(usage).toEqual({ input_tokens: 51, output_tokens: 16, total_tokens: 67 });
  });

  test('a replay needs no secret, also not one that nobody can open now', async () => {
    conversation();
    const spec = desk(TOOLS);
    spec.agent.model.extra.api_key_ref = 'MY_MODEL_SECRET';
    expect((await run(spec, recording('record', 'locked'))).body.status).toBe('completed');
    const file = path.join(root, 'secrets.json');
    // The platform asks the keychain of this computer, in which it is not.
    const store = createSecretStore(file, systemClock(), memoryKeychain());
    await store.put('MY_MODEL_SECRET', 'k-1');
    const shut = await startTestPlatform({
      specRoot: root,
      env: { [STORED_SECRETS]: file },
      handlers: { 'orders.lookup': () => 'never called' },
    });
    opened.push(shut);
    const asked = await run(spec, {}, shut);
    expect(JSON.stringify(asked.body)).toContain('E_SECRET_REFUSED');
    const replayed = await run(spec, recording('replay', 'locked'), shut);
    expect(replayed.body.status, replayed.text).toBe('completed');
  });

  test('a conversation goes on in its recording after a person answered, and replays so', async () => {
    const agent = (name: string) => ({ name, model: desk().agent.model });
    const spec = {
      version: 'v1',
      agent: { name: 'desk' },
      workflow: {
        type: 'sequential',
        name: 'letter',
        steps: [
          { id: 'draft', kind: 'agent', ref: 'writer' },
          { id: 'check', kind: 'human', ref: 'chief' },
          { id: 'polish', kind: 'agent', ref: 'editor' },
        ],
      },
      components: {
        agents: { writer: agent('writer'), editor: agent('editor') },
        humans: { chief: { description: 'OK?' } },
      },
    };
    const whole = async (choice: Record<string, unknown>): Promise<Loose> => {
      const blocked = await run(spec, choice);
      expect(blocked.body.status).toBe('blocked');
      const id = blocked.body.continuation_id;
      const task = await p.get(`/v1/human-tasks/${id}`);
      const request_id = task.body.request.id;
      const resumed = await p.post(`/v1/human-tasks/${id}/resume`, {
        request_id,
        decision: 'approved',
      });
      return resumed.body;
    };
    server.reply({ text: 'Dear you' }, { text: 'Dearest you' });
    expect((await whole(recording('record', 'letter'))).output_text).toBe('Dearest you');
    expect(lines('letter')).toHaveLength(3);
    server.reset();
    expect((await whole(recording('replay', 'letter'))).output_text).toBe('Dearest you');
    expect(server.requests).toHaveLength(0);
  });

  test('agents that run at once are recorded and replayed whatever their order', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const agents = names.map((name) => [
      name,
      { name, system_prompt: `You are ${name}.`, model: desk().agent.model },
    ]);
    const spec = {
      version: 'v1',
      agent: { name: 'desk' },
      workflow: {
        type: 'concurrent',
        name: 'panel',
        participants: names.map((name) => ({ id: name, kind: 'agent', ref: name })),
      },
      components: { agents: Object.fromEntries(agents) },
    };
    server.answerWith(({ body }) => {
      const who = names.findIndex((name) => JSON.stringify(body).includes(`You are ${name}.`));
      return { text: `said ${names[who]}`, delayMs: 40 - 10 * who };
    });
    const first = await run(spec, recording('record', 'panel'));
    expect(first.body.output_text).toBe('said d');
    server.reset();
    const second = await run(spec, recording('replay', 'panel'));
    expect(second.body.output_text).toBe('said d');
    expect(server.requests).toHaveLength(0);
  });

  test('a miss fails the run and names what differs', async () => {
    conversation();
    await run(desk(TOOLS), recording('record', 'changed'));
    const spec = desk(TOOLS);
    spec.agent.system_prompt = 'Answer in two sentences.';
    spec.agent.model.temperature = 0.2;
    const answer = await run(spec, recording('replay', 'changed'));
    expect(answer.status).toBe(400);
    expect(answer.body.detail.message).toContain('recording_miss: ');
    expect(answer.body.detail.message).toContain('it differs in system_prompt, temperature');
    const missing = await run(desk(TOOLS), recording('replay', 'nothing'));
    expect(missing.body.detail.message).toContain("there is no recording 'nothing'");
  });

  test('recorded failures are repeated too; each call is used once', async () => {
    server.reply({ fault: { kind: 'status', status: 500 } });
    await run(desk(), recording('record', 'failing'));
    expect(lines('failing')).toHaveLength(2);
    const again = await run(desk(), recording('replay', 'failing'));
    expect(again.status).toBe(500);
    expect((await latest(p)).error.message).toContain('model_server_failed');
  });

  test('names stay in the folder; a choice that cannot be read is 400', async () => {
    for (const choice of [
      { mode: 'record', name: '../../outside' },
      { mode: 'replay' },
      { mode: 'film', name: 'x' },
    ]) {
      const answer = await run(desk(), { metadata: { recording: choice } });
      expect([answer.status, answer.body.detail.error]).toEqual([400, 'invalid_request']);
    }
    expect(server.requests).toHaveLength(0);
    expect((await run(desk(), { metadata: { recording: 'mine' } })).status).toBe(200);
  });

  test('SERV_RECORDING sets the choice of runs that say nothing', async () => {
    const q = await open({ SERV_RECORDING: 'record' });
    const answer = await run(desk(), {}, q);
    expect(lines(answer.body.run_id)).toHaveLength(2);
    const off = await run(desk(), recording('off'), q);
    expect(() => lines(off.body.run_id)).toThrow('ENOENT');
    await expect(open({ SERV_RECORDING: 'replay' })).rejects.toThrow('SERV_RECORDING must be');
  });
});
