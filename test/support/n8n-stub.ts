// The loopback server that the recorded HTTP cases asked: same answers by path, byte for byte.
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The address in the recorded workflows. */
const RECORDED = 'http://127.0.0.1:5990';
const CANNED: Readonly<Record<string, unknown>> = {
  object: { id: 7, name: 'seven', tags: ['a', 'b'], deep: { x: null } },
  array: [{ id: 1 }, { id: 2 }, { id: 3 }],
  emptyarray: [],
  emptyobject: {},
  string: 'just text',
  number: 5,
  null: null,
  true: true,
  primitives: [1, 'two', null, { three: 3 }],
  nested: { data: { items: [{ v: 1 }, { v: 2 }] } },
};

/** JSON as Python writes it: a blank behind commas and colons. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, one]) => `${spaced(key)}: ${spaced(one)}`);
    return `{${members.join(', ')}}`;
  }
  return JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

interface Answer {
  readonly status?: number;
  readonly body: string | Uint8Array;
  readonly type?: string | null;
  readonly headers?: OutgoingHttpHeaders;
}

type Route = (parts: readonly string[], asked: Asked, nth: number, of: string) => Answer;

function json(value: unknown, status = 200): Answer {
  return { status, body: spaced(value) };
}

function text(body: string, type: string): Answer {
  return { body, type };
}

function pageOf({ query }: Asked): number {
  return Number(new URLSearchParams(query).get('page') ?? 1);
}

function itemsOfPage(page: number, last: number): unknown[] {
  return page <= last ? [{ id: page * 10 }, { id: page * 10 + 1 }] : [];
}

const ROUTES: Readonly<Record<string, Route>> = {
  echo: (_, asked) => json({ ...asked, query: [...new URLSearchParams(asked.query)] }),
  json: ([name = '']) => json(CANNED[name]),
  text: () => text('plain hello', 'text/plain'),
  jsontext: () => text('{"a":1}', 'text/plain'),
  html: () => text('<html><body><h1>Hi</h1></body></html>', 'text/html'),
  xml: () => text('<a><b>1</b></a>', 'application/xml'),
  notjson: () => text('{not json', 'application/json'),
  noctype: () => ({ body: '{"a":1}', type: null }),
  status: ([code]) => json({ error: `status ${code}`, code: `E${code}` }, Number(code)),
  statusmsg: ([code]) => json({ message: `said ${code}` }, Number(code)),
  statustext: ([code]) => ({ ...text(`plain status ${code}`, 'text/plain'), status: Number(code) }),
  empty: () => ({ status: 204, body: '', type: null }),
  empty200: () => text('', 'application/json'),
  redirect: (_, __, ___, of) => ({
    status: 302,
    body: '',
    type: null,
    headers: { Location: `/c/${of}/echo?from=redirect` },
  }),
  bin: () => ({
    body: Uint8Array.from({ length: 16 }, (_, at) => at),
    type: 'application/octet-stream',
    headers: { 'Content-Disposition': 'attachment; filename="sixteen.bin"' },
  }),
  csv: () => text('a,b\n1,x\n2,y\n', 'text/csv'),
  'page.json': () => json({ file: true }),
  headers: () => ({
    ...json({ ok: true }),
    headers: { 'X-Test': 'yes', 'Set-Cookie': ['a=1', 'b=2'] },
  }),
  slow: () => json({ slow: true }),
  flaky: ([from], _, nth) =>
    nth < Number(from) ? json({ error: 'flaky', nth }, 500) : json({ ok: true, nth }),
  page: (_, asked, __, of) => {
    const page = pageOf(asked);
    const next = page < 3 ? `${RECORDED}/c/${of}/page?page=${page + 1}` : null;
    return json({ page, items: itemsOfPage(page, 3), next });
  },
  pagelist: (_, asked) => json(itemsOfPage(pageOf(asked), 2)),
};

const KEPT = new Set(['content-type', 'accept', 'authorization', 'user-agent', 'cookie']);

async function readBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  const bytes = Buffer.concat(parts);
  const decoded = bytes.toString('utf8');
  return Buffer.from(decoded).equals(bytes) ? decoded : { hex: bytes.toString('hex') };
}

function reply(response: ServerResponse, answer: Answer, withBody: boolean): void {
  const bytes = Buffer.from(answer.body as string);
  response.sendDate = false;
  response.removeHeader('connection');
  response.writeHead(answer.status ?? 200, {
    Server: 'oracle-stub',
    Date: 'Thu, 01 Jan 2026 00:00:00 GMT',
    ...(answer.type === null ? {} : { 'Content-Type': answer.type ?? 'application/json' }),
    ...answer.headers,
    'Content-Length': bytes.length,
  });
  response.end(withBody ? bytes : undefined);
}

export interface N8nStub {
  /** An address of the recorded workflows as it is reached here. */
  here(url: string): string;
  close(): void;
}

/** Starts the server on a free port. */
export async function startN8nStub(): Promise<N8nStub> {
  const counts = new Map<string, number>();
  const server: Server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', RECORDED);
    const [, of = '_', route = '', ...rest] = url.pathname.split('/').filter((part) => part !== '');
    const key = `${of}/${route}/${rest.join('/')}`;
    const nth = (counts.get(key) ?? 0) + 1;
    counts.set(key, nth);
    const headers = Object.entries(request.headers).filter(
      ([name]) => KEPT.has(name) || name.startsWith('x-'),
    );
    const asked: Asked = {
      method: request.method ?? 'GET',
      path: `/${[route, ...rest].join('/')}`,
      query: url.search.slice(1),
      headers: Object.fromEntries(headers),
      body: await readBody(request),
    };
    if (route === 'close') return void response.destroy();
    if (route === 'slow') await sleep(Number(rest[0]));
    const answer = ROUTES[route]?.(rest, asked, nth, of) ?? json({ error: 'no such route' }, 404);
    reply(response, answer, request.method !== 'HEAD');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    here: (url) => url.trim().replace(RECORDED, `http://127.0.0.1:${port}`),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
