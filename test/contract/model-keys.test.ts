// The keys of models: what gets them, and that nothing else does.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  desk,
  KEY,
  KEY_FAULT,
  latest,
  NAMED,
  open,
  opened,
  p,
  root,
  run,
  server,
  shareModels,
} from '../support/models-world.ts';

shareModels();

describe('keys', () => {
  const authorization = () => server.requests.at(-1)?.headers['authorization'];

  test('come from the environment by name', async () => {
    const q = await open({
      OPENAI_BASE_URL: server.baseUrl('openai'),
      ANTHROPIC_BASE_URL: server.baseUrl('anthropic'),
      GOOGLE_BASE_URL: server.baseUrl('google'),
    });
    const base_url = server.baseUrl('openai');
    await run(desk(), {}, q);
    expect(authorization()).toBe(`Bearer ${KEY}`);
    await run(desk({ model: { extra: { base_url, api_key_ref: 'MY_MODEL_SECRET' } } }), {}, q);
    expect(authorization()).toBe(`Bearer ${NAMED}`);
    await run(desk({ provider: 'anthropic', format: 'anthropic' }), {}, q);
    expect(server.requests.at(-1)?.headers['x-api-key']).toBe(KEY);
    await run(desk({ provider: 'google', format: 'google' }), {}, q);
    expect(server.requests.at(-1)?.headers['x-goog-api-key']).toBe(KEY);
  });

  test('of the services, and text of the spec, are never sent', async () => {
    const base_url = server.baseUrl('openai');
    const q = await open({ SERV_ADMIN_API_KEY: NAMED });
    await run(desk({ model: { extra: { base_url, api_key_ref: 'SERV_ADMIN_API_KEY' } } }), {}, q);
    expect(server.requests).toEqual([]);
    await run(
      desk({
        provider: 'some-proxy',
        model: { extra: { base_url, api_key: 'typed-into-the-spec' } },
      }),
    );
    expect(authorization()).toBeUndefined();
    expect(server.requests).toHaveLength(1);
  });

  test('without a key and an address the offline runtime answers and says so (decisions 9)', async () => {
    const spec = desk({ provider: 'mistral', model: { extra: {} } });
    const answer = await run(spec);
    expect(answer.body.output_text).toBe('Final answer: Where is order A-7?');
    expect(answer.body.metadata).toMatchObject({
      runtime_mode: 'bridge',
      model_warning: expect.stringContaining("Model provider 'mistral' has no address"),
    });
    const compiled = await p.post('/v1/specs/compile', { spec });
    expect(compiled.body.diagnostics).toMatchObject([
      { code: 'W_MODEL_OFFLINE', path: 'agent.model' },
    ]);
  });

  test('SERV_REQUIRE_PROVIDER_SECRETS: a missing one fails the run', async () => {
    const q = await open({ SERV_REQUIRE_PROVIDER_SECRETS: 'true' });
    const spec = desk({ provider: 'mistral', model: { extra: {} } });
    const answer = await run(spec, {}, q);
    expect([answer.status, answer.body.detail.error]).toEqual([400, 'invalid_request']);
    expect((await latest(q)).error.type).toBe('ValueError');
  });
});

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());
}

test('no key is in any stored byte, log line or answer', async () => {
  server.answerWith(() => ({ fault: KEY_FAULT }));
  const base_url = server.baseUrl('openai');
  await run(desk({ model: { extra: { base_url, api_key_ref: 'MY_MODEL_SECRET' } } }));
  writeFileSync(path.join(root, 'marker'), '');
  const folders = [root, ...opened.map(({ file }) => path.dirname(file))];
  for (const file of folders.flatMap(filesUnder)) {
    const bytes = readFileSync(file);
    expect(bytes.includes(KEY), file).toBe(false);
    expect(bytes.includes(NAMED), file).toBe(false);
  }
  for (const platform of opened) {
    const logs = JSON.stringify(platform.logs);
    expect(logs).not.toContain(KEY);
    expect(logs).not.toContain(NAMED);
  }
});
