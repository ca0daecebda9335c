import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { GatewayStatus } from '../contract/gateway/status.ts';
import type { Connection } from './connection.ts';
import { probesApart, readGatewayStatus } from './gateway-status.ts';
import { type StatusWatch, watchStatus } from './status-watch.ts';

/** A platform that keeps its connections for good, as one does that has not ended. */
function startPlatform(port = 0): Promise<{ server: http.Server; asked: string[] }> {
  const asked: string[] = [];
  const server = http.createServer({ keepAliveTimeout: 0 }, (request, response) => {
    asked.push(String(request.url));
    response.end('{}');
  });
  const { promise, resolve } = Promise.withResolvers<{ server: http.Server; asked: string[] }>();
  server.listen(port, '127.0.0.1', () => resolve({ server, asked }));
  return promise;
}

/** Ends it as a kill does: every connection breaks and nothing listens. */
async function kill(server: http.Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  await promise;
}

function tellTale(watch: StatusWatch) {
  const told: GatewayStatus[] = [];
  const ends: string[] = [];
  const waiting = new Set<() => void>();
  const leave = watch.follow({
    tell(status) {
      told.push(status);
      for (const resolve of waiting) resolve();
      waiting.clear();
    },
    over: () => ends.push('over'),
  });
  return {
    told,
    ends,
    leave,
    async next(count: number): Promise<boolean | undefined> {
      while (told.length < count) {
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.add(resolve);
        await promise;
      }
      return told[count - 1]?.services.platform.reachable;
    },
  };
}

let platform: Awaited<ReturnType<typeof startPlatform>>;
let connection: Connection;
let watch: StatusWatch;
let reads = 0;

beforeEach(async () => {
  platform = await startPlatform();
  const { port } = platform.server.address() as AddressInfo;
  connection = {
    id: 'embedded',
    name: 'This computer',
    kind: 'embedded',
    targets: { platform: { baseUrl: `http://127.0.0.1:${port}/base/`, apart: true } },
  };
  reads = 0;
  watch = watchStatus({
    status: () => {
      reads += 1;
      return readGatewayStatus(connection, '0.0.0');
    },
    probes: probesApart(connection),
  });
});

afterEach(async () => {
  watch.close();
  await kill(platform.server);
});

test('the end of a service is told by its connection; while it answers nobody asks it', async () => {
  const window = tellTale(watch);
  expect(await window.next(1)).toBe(true);
  await expect.poll(() => platform.asked.length).toBe(3);
  const before = { asked: platform.asked.length, reads };
  // Longer than anything here waits before it asks again.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect({ asked: platform.asked.length, reads }).toEqual(before);
  expect(new Set(platform.asked)).toEqual(new Set(['/base/livez']));

  await kill(platform.server);
  expect(await window.next(2)).toBe(false);
});

test('a service that comes back is told, and one who comes later hears the status at once', async () => {
  const { port } = platform.server.address() as AddressInfo;
  const window = tellTale(watch);
  expect(await window.next(1)).toBe(true);
  await kill(platform.server);
  expect(await window.next(2)).toBe(false);
  const second = tellTale(watch);
  expect(await second.next(1)).toBe(false);
  platform = await startPlatform(port);
  expect(await window.next(3)).toBe(true);
  expect(await second.next(2)).toBe(true);
});

test('who was answered something else meanwhile is told how it stands, though nothing changed for the watch', async () => {
  const window = tellTale(watch);
  expect(await window.next(1)).toBe(true);
  const [known] = window.told;
  if (known === undefined) throw new Error('nothing was told');
  const { platform: service } = known.services;
  const away = { ...service, reachable: false };
  watch.answered({ ...known, services: { ...known.services, platform: away } });
  expect(await window.next(2)).toBe(true);
  const before = reads;
  watch.answered(known);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(reads).toBe(before);
});

test('nobody is asked once nobody wants to know; who still listens is told of the end', async () => {
  const window = tellTale(watch);
  expect(await window.next(1)).toBe(true);
  window.leave();
  await expect
    .poll(
      () =>
        new Promise((resolve) =>
          platform.server.getConnections((_error, count) => resolve(count > 1)),
        ),
    )
    .toBe(false);
  const { length } = platform.asked;
  const other = tellTale(watch);
  expect(await other.next(1)).toBe(true);
  expect(platform.asked.length).toBeGreaterThan(length);
  watch.close();
  expect(other.ends).toEqual(['over']);
  expect(window.ends).toEqual([]);
});
