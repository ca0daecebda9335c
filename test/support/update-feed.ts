// A place of updates on loopback, signed with a key of the test's own, with the faults that one can have.
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stringify } from 'yaml';

/** What is served instead of what was signed. */
export interface FeedFaults {
  /** Another text of the feed, after it was signed. */
  readonly feedAfter?: (text: string) => string;
  readonly unsigned?: boolean;
  /** Another package than the signed one, of any size. */
  readonly packageAfter?: Buffer;
  /** Everything leads there. */
  readonly redirect?: string;
  /** The package comes so slowly; bytes a second. */
  readonly bytesPerSecond?: number;
  /** The package stops after so many bytes, once. */
  readonly breakAfter?: number;
  /** Ranges are not served. */
  readonly noRanges?: boolean;
}

export interface OfferedUpdate {
  readonly version: string;
  readonly notes?: string;
  readonly releasedAt?: string;
  readonly packageName: string;
  readonly bytes: Buffer;
  /** Fields of the feed that are other than they should be. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

export interface UpdateFeed {
  readonly url: string;
  /** As package.json of a build lists it. */
  readonly publicKey: string;
  /** The secret key as a PEM. */
  readonly secretPem: string;
  /** Requests so far, with their ranges. */
  readonly asked: readonly string[];
  /** Puts an update there, or takes it away. */
  offer(name: string, update: OfferedUpdate | undefined, faults?: FeedFaults): void;
  stop(): Promise<void>;
}

interface Served {
  readonly feed: string;
  readonly signature: string | undefined;
  readonly packageName: string;
  readonly bytes: Buffer;
  readonly faults: FeedFaults;
}

const PURPOSE = 'specwright update feed 1\n';

function serve(name: string, update: OfferedUpdate, key: KeyObject, faults: FeedFaults): Served {
  const { version, notes = '', packageName, bytes, fields } = update;
  const text = stringify({
    product: 'specwright',
    feed: name,
    version,
    files: [
      {
        url: packageName,
        sha512: createHash('sha512').update(bytes).digest('base64'),
        size: bytes.length,
      },
    ],
    releaseDate: update.releasedAt ?? '2026-11-20T00:00:00.000Z',
    releaseNotes: notes,
    ...fields,
  });
  const signature = sign(null, Buffer.from(PURPOSE + text), key).toString('base64');
  return {
    feed: faults.feedAfter?.(text) ?? text,
    signature: faults.unsigned ? undefined : signature,
    packageName,
    bytes: faults.packageAfter ?? bytes,
    faults,
  };
}

async function sendSlowly(response: ServerResponse, bytes: Buffer, perSecond: number) {
  const step = Math.max(1, Math.floor(perSecond / 20));
  for (let at = 0; at < bytes.length && !response.destroyed; at += step) {
    response.write(bytes.subarray(at, at + step));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  response.end();
}

function sendPackage(request: IncomingMessage, response: ServerResponse, served: Served): void {
  const { bytes, faults } = served;
  const range = /^bytes=(\d+)-$/.exec(request.headers.range ?? '');
  const from = range === null || faults.noRanges ? 0 : Number(range[1]);
  const part = bytes.subarray(from);
  const ranged = from > 0;
  response.writeHead(ranged ? 206 : 200, {
    'content-length': part.length,
    ...(ranged ? { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {}),
  });
  if (faults.breakAfter !== undefined && !ranged) {
    response.write(part.subarray(0, faults.breakAfter), () => response.destroy());
  } else if (faults.bytesPerSecond === undefined) {
    response.end(part);
  } else {
    void sendSlowly(response, part, faults.bytesPerSecond);
  }
}

/** Starts a place of updates; `port` 0 picks a free one. */
export async function startUpdateFeed(port = 0): Promise<UpdateFeed> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const served = new Map<string, Served>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const name = (request.url ?? '').slice(1);
    asked.push(`${name}${request.headers.range === undefined ? '' : ` ${request.headers.range}`}`);
    const byFeed = served.get(name) ?? served.get(name.replace(/\.sig$/, ''));
    const byPackage = [...served.values()].find(({ packageName }) => packageName === name);
    const one = byFeed ?? byPackage;
    if (one?.faults.redirect !== undefined) {
      response.writeHead(302, { location: one.faults.redirect }).end();
    } else if (byPackage !== undefined) sendPackage(request, response, byPackage);
    else if (byFeed === undefined) response.writeHead(404).end();
    else if (!name.endsWith('.sig')) response.end(byFeed.feed);
    else if (byFeed.signature === undefined) response.writeHead(404).end();
    else response.end(`${byFeed.signature}\n`);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${bound}/`,
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    secretPem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    asked,
    offer(name, update, faults = {}) {
      if (update === undefined) served.delete(name);
      else served.set(name, serve(name, update, privateKey, faults));
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
