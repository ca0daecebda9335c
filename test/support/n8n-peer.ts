// The server that the recorded workflows asked: what it answers at `/c/<case>/<route>`.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What it is asked, and how often the same was asked before. */
interface Asked {
  readonly method: string;
  readonly caseName: string;
  readonly route: readonly string[];
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly nth: number;
}

interface Answer {
  readonly status?: number;
  readonly body?: string | Buffer;
  readonly type?: string | null;
  readonly headers?: readonly (readonly [string, string])[];
}

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
const TOLD = new Set(['content-type', 'accept', 'authorization', 'user-agent', 'cookie']);
const LAST_PAGE = 3;
const PAGES_OF_LISTS = 2;

/** JSON as the recorded server wrote it: a blank behind commas and colons, letters of ASCII. */
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

const json = (value: unknown, more: Answer = {}): Answer => ({
  body: spaced(value),
  ...more,
});
const plain = (body: string, type: string): Answer => ({ body, type });
const twoItems = (page: number) => [0, 1].map((at) => ({ id: page * 10 + at }));
const pageOf = ({ url }: Asked) => Number(url.searchParams.get('page') ?? '1');

function echo({ method, route, url, headers, body }: Asked): Answer {
  const told = Object.entries(headers).filter(([name]) => TOLD.has(name) || name.startsWith('x-'));
  return json({
    method,
    path: `/${route.join('/')}`,
    query: [...url.searchParams],
    headers: Object.fromEntries(told),
    body,
  });
}

const ROUTES: Readonly<Record<string, (asked: Asked) => Answer>> = {
  echo,
  json: ({ route }) => json(CANNED[route[1] ?? '']),
  text: () => plain('plain hello', 'text/plain'),
  jsontext: () => plain('{"a":1}', 'text/plain'),
  html: () => plain('<html><body><h1>Hi</h1></body></html>', 'text/html'),
  xml: () => plain('<a><b>1</b></a>', 'application/xml'),
  notjson: () => plain('{not json', 'application/json'),
  noctype: () => ({ body: '{"a":1}', type: null }),
  status: ({ route: [, code] }) =>
    json({ error: `status ${code}`, code: `E${code}` }, { status: Number(code) }),
  statusmsg: ({ route: [, code] }) => json({ message: `said ${code}` }, { status: Number(code) }),
  statustext: ({ route: [, code] }) => ({
    ...plain(`plain status ${code}`, 'text/plain'),
    status: Number(code),
  }),
  empty: () => ({ status: 204, type: null }),
  empty200: () => ({}),
  redirect: ({ caseName }) => ({
    status: 302,
    type: null,
    headers: [['Location', `/c/${caseName}/echo?from=redirect`]],
  }),
  bin: () => ({
    body: Buffer.from(Array.from({ length: 16 }, (_, at) => at)),
    type: 'application/octet-stream',
    headers: [['Content-Disposition', 'attachment; filename="sixteen.bin"']],
  }),
  csv: () => plain('a,b\n1,x\n2,y\n', 'text/csv'),
  'page.json': () => json({ file: true }),
  headers: () =>
    json(
      { ok: true },
      {
        headers: [
          ['X-Test', 'yes'],
          ['Set-Cookie', 'a=1'],
          ['Set-Cookie', 'b=2'],
        ],
      },
    ),
  slow: () => json({ slow: true }),
  flaky: ({ route, nth }) =>
    nth < Number(route[1])
      ? json({ error: 'flaky', nth }, { status: 500 })
      : json({ ok: true, nth }),
  page: (asked) => {
    const page = pageOf(asked);
    const next = `${asked.url.origin}/c/${asked.caseName}/page?page=${page + 1}`;
    return json({
      page,
      items: page <= LAST_PAGE ? twoItems(page) : [],
      next: page < LAST_PAGE ? next : null,
    });
  },
  pagelist: (asked) => json(pageOf(asked) <= PAGES_OF_LISTS ? twoItems(pageOf(asked)) : []),
};

function send(response: ServerResponse, { status = 200, body = '', type, headers = [] }: Answer) {
  response.statusCode = status;
  response.removeHeader('connection');
  response.setHeader('Date', 'Thu, 01 Jan 2026 00:00:00 GMT');
  response.setHeader('Server', 'oracle-stub');
  if (type !== null) response.setHeader('Content-Type', type ?? 'application/json');
  for (const [name, value] of headers) response.appendHeader(name, value);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}

export interface Peer {
  /** Host and port, as recorded addresses are to name it. */
  readonly host: string;
  close(): void;
}

export async function startPeer(): Promise<Peer> {
  const counts = new Map<string, number>();
  const server: Server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const [, , caseName = '', ...route] = url.pathname.split('/');
    const key = `${caseName}/${route.join('/')}`;
    const nth = (counts.get(key) ?? 0) + 1;
    counts.set(key, nth);
    const body = await text(request);
    const { method = 'GET', headers } = request;
    const [name = ''] = route;
    if (name === 'close') {
      request.socket.destroy();
      return;
    }
    if (name === 'slow') await new Promise((resolve) => setTimeout(resolve, Number(route[1])));
    const asked = { method, caseName, route, url, headers, body, nth };
    const answer = ROUTES[name]?.(asked) ?? json({ error: 'no such route' }, { status: 404 });
    send(response, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { host: `127.0.0.1:${port}`, close: () => server.close() };
}
