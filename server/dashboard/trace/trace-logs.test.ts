import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createPlatformClient, type PlatformClient } from '../../platform-client/client.ts';
import { createTraceLogs } from './trace-logs.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function platformOf(answer: RequestListener): Promise<PlatformClient> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  return createPlatformClient({ baseUrl, userAgent: 'test', newRequestId: () => 'one' });
}

test('readers who are behind at one platform wait for no other that does not answer', async () => {
  const logs = createTraceLogs();
  let asked = 0;
  const hanging = await platformOf(() => {
    asked += 1;
  });
  const answering = await platformOf((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ events: [{ type: 'step' }], total: 1, window: 10_000 }));
  });
  const pageOf = (platform: PlatformClient, runId: string) => {
    const { log, leave } = logs.follow({ platform, runId, eventType: undefined }, 0);
    closing.push(leave);
    return log.pageAfter(0, undefined);
  };
  const never = Array.from({ length: 8 }, (_none, at) => pageOf(hanging, `r${at}`));
  for (const page of never) page.catch(() => undefined);
  await expect.poll(() => asked).toBeGreaterThanOrEqual(4);
  expect((await pageOf(answering, 'r0')).chunk.to).toBe(1);
}, 10_000);
