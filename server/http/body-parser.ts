import { Readable } from 'node:stream';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Refusal } from '../kernel/refusal.ts';
import { type ShapeLimits, shapeExcess } from './json-shape.ts';
import type { Issue } from './validation-issues.ts';

interface BodyRules {
  readonly limit: number;
  readonly requireJsonType: boolean;
  tooLarge(): Refusal;
  invalid(issues: readonly Issue[]): Refusal;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes no body: whatever comes is read and forgotten. */
    ignoresBody?: boolean;
  }
}

const MEDIA_TYPE = /^\s*([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)\s*(?:;.*)?$/;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/i;

/**
 * Leaves the media type without parameters, which mean nothing here: bodies are UTF-8. What names
 * no type becomes the type of unknown bytes; the server would refuse it in its own words.
 */
function simplifyType(request: FastifyRequest): void {
  const { headers } = request.raw;
  const type = headers['content-type'];
  if (type === undefined) return;
  headers['content-type'] = MEDIA_TYPE.exec(type)?.[1] ?? 'application/octet-stream';
}

async function readWhole(request: FastifyRequest, rules: BodyRules): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop early must not destroy the request: its sender is still to be answered.
  for await (const chunk of request.raw.iterator({ destroyOnReturn: false })) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    size += bytes.length;
    if (size > rules.limit) throw rules.tooLarge();
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function offsetOf(error: unknown): number {
  const match = error instanceof Error ? /position (\d+)/.exec(error.message) : null;
  return match?.[1] === undefined ? 0 : Number(match[1]);
}

/**
 * What a body may hold: far more than a spec that somebody wrote, and so little that reading it,
 * whatever it is, takes the event loop a moment only.
 */
const SHAPE: ShapeLimits = { depth: 1000, values: 150_000, names: 20_000 };

const TOLD: Readonly<Record<keyof ShapeLimits, string>> = {
  depth: `JSON may nest at most ${SHAPE.depth} levels`,
  values: `JSON may hold at most ${SHAPE.values} values`,
  names: `JSON may hold at most ${SHAPE.names} different names`,
};

/** Counting, reading and serving a body of this size take a turn of the event loop each. */
const LARGE_BYTES = 64 * 1024;

async function parseJson(bytes: Buffer, rules: BodyRules): Promise<unknown> {
  const excess = shapeExcess(bytes, SHAPE);
  if (excess !== undefined) {
    throw rules.invalid([{ loc: ['body'], msg: TOLD[excess], type: 'json_invalid' }]);
  }
  const isLarge = bytes.length > LARGE_BYTES;
  if (isLarge) await turnOfLoop();
  const body = readJson(bytes, rules);
  if (isLarge) await turnOfLoop();
  return body;
}

function readJson(bytes: Buffer, rules: BodyRules): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const issue = {
      loc: ['body', offsetOf(error)],
      msg: 'JSON decode error',
      type: 'json_invalid',
    };
    throw rules.invalid([issue]);
  }
}

/**
 * Reads bodies as JSON. A body over the limit is refused before any other check looks at the
 * request: by its declared length, or, when it is chunked, while it is read. An empty body is no
 * body, whatever its content type says (decisions 27).
 */
export function installBodyParser(fastify: FastifyInstance, rules: BodyRules): void {
  const early = new WeakMap<FastifyRequest, Buffer>();

  fastify.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', String(request.id));
    simplifyType(request);
    const declared = Number(request.headers['content-length'] ?? '0');
    if (declared > rules.limit) throw rules.tooLarge();
    if (request.headers['transfer-encoding'] !== undefined && request.method !== 'GET') {
      early.set(request, await readWhole(request, rules));
    }
  });
  fastify.addHook('preParsing', async (request, _reply, payload) => {
    const bytes = early.get(request);
    if (bytes === undefined) return payload;
    return Object.assign(Readable.from([bytes]), { receivedEncodedLength: bytes.length });
  });
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: rules.limit + 1 },
    async (request: FastifyRequest, body: Buffer) => {
      if (body.length === 0 || request.routeOptions.config.ignoresBody === true) return undefined;
      const type = request.headers['content-type'] ?? '';
      if (rules.requireJsonType && !JSON_TYPE.test(type)) {
        const msg = 'Send the body as application/json';
        throw rules.invalid([{ loc: ['body'], msg, type: 'model_attributes_type' }]);
      }
      return parseJson(body, rules);
    },
  );
}
