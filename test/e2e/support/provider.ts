import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A provider that answers in the OpenAI format and tells which keys it saw. */
export async function openProvider() {
  const seen: string[] = [];
  const server = http.createServer((request, response) => {
    seen.push(request.headers.authorization ?? '');
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          id: 'r1',
          object: 'chat.completion',
          created: 1,
          model: 'gpt-5',
          choices: [
            {
              index: 0,
              finish_reason: 'stop',
              message: { role: 'assistant', content: 'From the provider.' },
            },
          ],
          usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
        }),
      );
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, seen, close: () => server.close() };
}
