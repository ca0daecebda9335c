// A collector of traces on loopback: takes OTLP over HTTP as protobuf and keeps the spans.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

export type SpanValue = string | number | boolean;

export interface CollectedSpan {
  readonly trace: string;
  readonly id: string;
  /** Empty for the first span of a trace. */
  readonly parent: string;
  readonly state: string;
  readonly name: string;
  readonly kind: number;
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, SpanValue>>;
  readonly failed: boolean;
  readonly message: string;
  /** What the process said of itself. */
  readonly resource: Readonly<Record<string, SpanValue>>;
}

/** How the collector treats a batch: takes it, refuses it, or never answers. */
export type CollectorMode = 'take' | 'refuse' | 'hang';

export interface Collector {
  readonly url: string;
  readonly spans: CollectedSpan[];
  readonly requests: IncomingMessage[];
  /** All bytes that came, to look for what must not be in them. */
  text(): string;
  mode: CollectorMode;
  stop(): Promise<void>;
}

interface Field {
  readonly number: number;
  readonly bytes: Buffer;
  readonly value: bigint;
}

const NOTHING = Buffer.alloc(0);

/** The fields of one message of protobuf. */
function* fieldsOf(message: Buffer): Generator<Field> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at);
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const tag = Number(varint());
    const number = tag >> 3;
    const wire = tag & 7;
    if (wire === 0) yield { number, bytes: NOTHING, value: varint() };
    else if (wire === 1) {
      yield { number, bytes: message.subarray(at, at + 8), value: message.readBigUInt64LE(at) };
      at += 8;
    } else if (wire === 5) {
      yield { number, bytes: NOTHING, value: BigInt(message.readUInt32LE(at)) };
      at += 4;
    } else if (wire === 2) {
      const length = Number(varint());
      yield { number, bytes: message.subarray(at, at + length), value: 0n };
      at += length;
    } else throw new Error(`wire type ${wire} of protobuf`);
  }
}

function parts(message: Buffer, number: number): Buffer[] {
  return [...fieldsOf(message)].filter((field) => field.number === number).map((f) => f.bytes);
}

function part(message: Buffer, number: number): Buffer {
  return parts(message, number)[0] ?? NOTHING;
}

function numberAt(message: Buffer, number: number): bigint {
  return [...fieldsOf(message)].find((field) => field.number === number)?.value ?? 0n;
}

function readValue(message: Buffer): SpanValue {
  for (const { number, bytes, value } of fieldsOf(message)) {
    if (number === 1) return bytes.toString();
    if (number === 2) return value !== 0n;
    if (number === 3) return Number(BigInt.asIntN(64, value));
    if (number === 4) return bytes.readDoubleLE(0);
    throw new Error(`value of kind ${number}`);
  }
  return '';
}

function attributesOf(message: Buffer, number: number): Record<string, SpanValue> {
  return Object.fromEntries(
    parts(message, number).map((pair) => [part(pair, 1).toString(), readValue(part(pair, 2))]),
  );
}

function millis(nanoseconds: bigint): number {
  return Number(nanoseconds / 1000n) / 1000;
}

function spanOf(message: Buffer, resource: CollectedSpan['resource']): CollectedSpan {
  const status = part(message, 15);
  return {
    trace: part(message, 1).toString('hex'),
    id: part(message, 2).toString('hex'),
    state: part(message, 3).toString(),
    parent: part(message, 4).toString('hex'),
    name: part(message, 5).toString(),
    kind: Number(numberAt(message, 6)),
    start: millis(numberAt(message, 7)),
    end: millis(numberAt(message, 8)),
    attributes: attributesOf(message, 9),
    failed: numberAt(status, 3) === 2n,
    message: part(status, 2).toString(),
    resource,
  };
}

function spansOf(body: Buffer): CollectedSpan[] {
  return parts(body, 1).flatMap((group) => {
    const resource = attributesOf(part(group, 1), 1);
    return parts(group, 2).flatMap((scope) =>
      parts(scope, 2).map((span) => spanOf(span, resource)),
    );
  });
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const body = Buffer.concat(chunks);
  return request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
}

/** Starts a collector on a free port. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const requests: IncomingMessage[] = [];
  const bodies: Buffer[] = [];
  const collector = {
    ...{ url: '', spans, requests, mode: 'take' as CollectorMode },
    text: () => Buffer.concat(bodies).toString(),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests.push(request);
    const body = await bodyOf(request);
    bodies.push(body);
    if (collector.mode === 'hang') return;
    if (collector.mode === 'refuse') {
      response.writeHead(400).end();
      return;
    }
    spans.push(...spansOf(body));
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  collector.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return collector;
}
