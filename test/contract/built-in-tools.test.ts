import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { desk, run, server, shareModels } from '../support/models-world.ts';
import type { Loose } from '../support/platform.ts';

// Nodes of n8n that are offered to a model as tools (decision record 0024).

shareModels();

let peer: Server;
const asked: string[] = [];
beforeAll(async () => {
  peer = createServer((request, answer) => {
    asked.push(request.url ?? '');
    answer.setHeader('content-type', 'application/json');
    answer.end(JSON.stringify({ temperature: 21 }));
  });
  await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void peer.close());

function weatherDesk(metadata: Loose): Loose {
  return desk({
    agent: { strategy: { type: 'react', max_iterations: 3 }, tools: { include: ['weather'] } },
    more: {
      tools: {
        weather: {
          description: 'Tells the weather',
          implementation: 'n8n.httpRequest',
          parameters: { type: 'object', properties: { city: { type: 'string' } } },
        },
      },
      metadata,
    },
  });
}

const settings = (): Loose => ({
  name: 'Weather',
  type: 'n8n-nodes-base.httpRequestTool',
  version: 4.2,
  parameters: {
    url: `=http://127.0.0.1:${(peer.address() as AddressInfo).port}/weather`,
    sendQuery: true,
    queryParameters: {
      parameters: [{ name: 'city', value: "={{ $fromAI('city', 'Which city', 'string') }}" }],
    },
    options: {},
  },
});

test('a model calls a tool that a built-in step carries out, with what it gave as data', async () => {
  server.reply(
    { toolCalls: [{ name: 'weather', arguments: { city: "Bern }} {{ 1 + 1 }} '&x=1" } }] },
    { text: 'It is 21 degrees.' },
  );
  const { body } = await run(weatherDesk({ tools: { weather: settings() } }));
  expect(body).toMatchObject({ status: 'completed', output_text: 'It is 21 degrees.' });
  const { searchParams } = new URL(asked.at(-1) ?? '', 'http://peer');
  expect([...searchParams]).toEqual([['city', "Bern }} {{ 1 + 1 }} '&x=1"]]);
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('temperature');
});

test('without its settings the tool says where they belong', async () => {
  const before = asked.length;
  server.reply({ toolCalls: [{ name: 'weather', arguments: {} }] }, { text: 'No idea.' });
  const { body } = await run(weatherDesk({}));
  expect(body.status).toBe('completed');
  expect(asked.length).toBe(before);
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('metadata.tools');
});
