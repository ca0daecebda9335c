// Imported apps of Dify on a real platform, with a model server and an HTTP server on loopback.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { credentialSecretName, credentialText } from '../../server/contract/credentials.ts';
import { difyApp, importedApp } from '../support/dify-apps.ts';
import { open, p, server, shareModels } from '../support/models-world.ts';
import type { Loose, TestPlatform } from '../support/platform.ts';

shareModels();

const TOKEN = 'tickets-token-1';
const seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] =
  [];
let status = 201;
const web = createServer((request: IncomingMessage, response: ServerResponse) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ok: true, temp: 30, level: 7 }));
  });
});
let address = '';

beforeAll(async () => {
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  address = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
});
afterAll(() => {
  web.closeAllConnections();
  web.close();
});

/** The draft of an app whose models are the server on loopback, and whose hosts are this machine. */
function draftOf(name: string): Loose {
  const raw = difyApp(name).replace(/https:\/\/[a-z]+\.example/g, address);
  const { spec } = importedApp(raw);
  const draft = structuredClone(spec) as Loose;
  for (const agent of Object.values<Loose>(draft['components']?.agents ?? {})) {
    agent.model = { ...agent.model, extra: { base_url: server.baseUrl('openai') } };
  }
  draft['agent'].model &&= {
    ...draft['agent'].model,
    extra: { base_url: server.baseUrl('openai') },
  };
  return draft;
}

async function run(name: string, input: unknown, on: TestPlatform = p): Promise<Loose> {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  const { body } = await on.post('/v1/runs', { input: text, spec: draftOf(name) });
  return body;
}

/** What the model was asked: its instructions and what the user says. */
function asked(): string[] {
  return server.requests.map(({ body }) => {
    const { messages = [], input = [], instructions } = body;
    const said = [...messages, ...(Array.isArray(input) ? input : [])];
    return JSON.stringify([instructions, said.map(({ content }: Loose) => content)]);
  });
}

describe('an app of Dify', () => {
  test('asks its models with values of earlier steps in instructions and prompts', async () => {
    for (const text of ['wörtlich', 'reads badly', 'poliert']) server.reply({ text });
    const body = await run('three-step-translation', { text: 'good morning', language: 'German' });
    expect(body.status).toBe('completed');
    expect(JSON.parse(body.output_text)).toEqual({ final: 'poliert', notes: 'reads badly' });
    const [first, second, third] = asked();
    expect(first).toContain('You translate into German word by word.');
    expect(first).toContain('good morning');
    expect(second).toContain('Translation:\\nwörtlich');
    expect(third).toContain('Rewrite wörtlich with these notes: reads badly');
  });

  test('answers a chat with the texts of its answers', async () => {
    for (const text of ['a joke', 'a fact']) server.reply({ text });
    const body = await run('joke-and-fact', 'Something about tea');
    expect(body.output_text).toBe('Joke: a joke\nFact: a fact');
    expect(asked()[0]).toContain('Something about tea');
  });

  test('asks once for each item of a list, and shows every round', async () => {
    for (const text of ['first', 'second']) server.reply({ text });
    const body = await run('summarise-chapters', { article: 'a\n\nb' });
    expect(JSON.parse(body.output_text)).toEqual({ summary: '1. first\n2. second\n', count: 2 });
    expect(asked().map((text) => /Chapter \d: \w/.exec(text)?.[0])).toEqual([
      'Chapter 0: a',
      'Chapter 1: b',
    ]);
    const items = await p.get(`/v1/runs/${body.run_id}/items`);
    const rounds = items.body.runs.filter(({ step }: Loose) => step === 'each_chapter');
    expect(rounds.map(({ outputs }: Loose) => outputs[1]?.[0]?.item ?? 'over')).toEqual([
      'a',
      'b',
      'over',
    ]);
  });

  test('sends its requests, with secrets that it is bound to', async () => {
    const secret = credentialSecretName('difySecret', 'API_KEY');
    const bound = await open({
      [secret]: credentialText({ kind: 'bearer', token: TOKEN }),
      SERV_SPEC_SECRETS: secret,
    });
    status = 201;
    const made = await run('create-a-ticket', { title: 'Broken "cup"'.replaceAll('"', '') }, bound);
    expect(JSON.parse(made.output_text).result).toContain('Made: {"ok":true');
    const request = seen.at(-1);
    expect(request).toMatchObject({ method: 'POST', url: '/tickets' });
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${TOKEN}`,
      'x-source': 'dify',
    });
    expect(JSON.parse(request?.body ?? '')).toEqual({ title: 'Broken cup', n: 1 });
    const before = seen.length;
    status = 500;
    const failed = await run('create-a-ticket', { title: 'x' }, bound);
    expect(JSON.parse(failed.output_text)).toEqual({
      result: 'Failed: Request failed with status code 500',
    });
    expect(seen.length - before).toBe(3);
    const items = await bound.get(`/v1/runs/${failed.run_id}/items`);
    expect(JSON.stringify(items.body)).not.toContain(TOKEN);
  });

  test('says what is bound to nothing', async () => {
    const input = JSON.stringify({ title: 'x' });
    const begun = await p.post('/v1/runs', {
      ...{ input, spec: draftOf('create-a-ticket'), async_mode: true },
    });
    const { body } = await p.waitFor(begun.body.run_id, 'failed', 'completed');
    expect(body.error.message).toContain("The secret 'API_KEY'");
  });

  test('reads what a server answered', async () => {
    status = 200;
    const body = await run('weather-report', { city: 'bonn' });
    expect(JSON.parse(body.output_text)).toEqual({ report: 'Hot: 30 degrees in Bonn' });
    expect(seen.at(-1)?.url).toBe('/v1/bonn?units=metric&lang=en');
  });
});
