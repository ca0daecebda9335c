import { EventEmitter } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { BlockList } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Connection } from './connection.ts';
import { Visitors } from './visitor.ts';

let server: http.Server;
let asked: http.IncomingHttpHeaders[];
let status: number;
let visitors: Visitors;

beforeEach(async () => {
  asked = [];
  status = 200;
  server = http.createServer((request, response) => {
    asked.push(request.headers);
    response.writeHead(status).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const connection: Connection = {
    id: 'embedded',
    name: 'here',
    kind: 'embedded',
    targets: {
      studio: {
        baseUrl: `http://127.0.0.1:${port}`,
        authorization: 'Bearer key',
        signIn: { mode: 'static', provider: null },
      },
    },
  };
  visitors = new Visitors(connection, new BlockList(), () => 8092);
});
afterEach(async () => {
  vi.useRealTimers();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function request(cookie: string): IncomingMessage {
  const socket = { remoteAddress: '127.0.0.1' };
  return { headers: { cookie }, socket } as unknown as IncomingMessage;
}

/** An answer that goes on, as far as its end is concerned. */
function stream() {
  const answer = Object.assign(new EventEmitter(), {
    isOver: false,
    destroy() {
      answer.isOver = true;
      answer.emit('close');
    },
  });
  return answer;
}

describe('visitors', () => {
  test('a service is given its own cookies and nothing else of the browser', async () => {
    const cookie = 'sw_8092_studio_a=1; sw_8092_dashboard_b=2; sw_80_studio_c=3; other=4';
    expect(await visitors.isKnown(request(cookie))).toBe(true);
    expect(asked).toMatchObject([
      { cookie: 'a=1', 'x-forwarded-for': '127.0.0.1', authorization: 'Bearer key' },
    ]);
  });

  test('nobody is asked about somebody without a cookie', async () => {
    expect(await visitors.isKnown(request('other=4'))).toBe(false);
    expect(asked).toEqual([]);
  });

  test('a stream ends soon after the session of its visitor', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const answer = stream();
    visitors.endWithVisit(request('sw_8092_studio_a=1'), answer as unknown as ServerResponse);
    vi.advanceTimersByTime(15_000);
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    expect(answer.isOver).toBe(false);
    status = 401;
    vi.advanceTimersByTime(15_000);
    await vi.waitFor(() => expect(answer.isOver).toBe(true));
    vi.advanceTimersByTime(60_000);
    expect(asked).toHaveLength(2);
  });
});
