// A small service with one route of each kind.
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach } from 'vitest';
import { z } from 'zod';
import { lenientBoolean, lenientInteger } from '../../server/contract/fields.ts';
import { studioRoute } from '../../server/contract/route.ts';
import { answer } from '../../server/http/answer.ts';
import { createHttpApp, type HttpApp } from '../../server/http/http-app.ts';
import { type ErrorTable, refusalsOf } from '../../server/kernel/refusal.ts';

const ERRORS = {
  not_found: { status: 404, message: 'No such thing.' },
  method_not_allowed: { status: 405, message: 'Use another method.' },
  too_large: { status: 413, message: 'Too large.' },
  invalid: { status: 422, message: 'Invalid.' },
  unauthorized: { status: 401, message: 'Who are you?' },
  internal: { status: 500, message: 'Something broke.' },
  busy: { status: 503, message: 'Busy.', retryAfter: 5 },
} satisfies ErrorTable;
const refuse = refusalsOf(ERRORS);

const item = studioRoute.get('items.read', {
  path: '/items/{ref+}',
  summary: 'Read an item',
  params: z.object({ ref: z.string() }),
  query: z.object({
    limit: lenientInteger({ min: 1, max: 10 }).prefault(5),
    tag: z.array(z.string()).default([]),
  }),
  responses: { 200: z.object({ ref: z.string(), limit: z.number(), tag: z.array(z.string()) }) },
  access: 'read',
});
const drop = studioRoute.delete('items.drop', {
  path: '/items/{ref+}/registration',
  summary: 'Drop',
  params: z.object({ ref: z.string() }),
  responses: { 204: null },
  access: 'read',
});
export const fixed = studioRoute.get('items.fixed', {
  path: '/items/exposure',
  summary: 'Fixed',
  responses: { 200: z.object({ fixed: z.literal(true) }) },
  access: 'read',
});
export const one = studioRoute.get('things.read', {
  path: '/things/{thing_id}/{part}',
  summary: 'Read a part',
  params: z.object({ thing_id: z.string(), part: z.string() }),
  responses: { 200: z.object({ part: z.string() }) },
  access: 'read',
});
export const slow = studioRoute.get('things.slow', {
  path: '/slow',
  summary: 'Answers late',
  responses: { 200: z.object({ late: z.literal(true) }) },
  access: 'read',
});
const create = studioRoute.post('items.create', {
  path: '/items',
  summary: 'Create',
  body: z.strictObject({ name: z.string().min(1), on: lenientBoolean().prefault(false) }),
  responses: { 201: z.object({ name: z.string(), on: z.boolean() }) },
  access: 'write',
});
export const odd = studioRoute.post('items.odd', {
  path: '/odd',
  summary: 'Odd',
  responses: { 202: z.object({ n: z.number() }), 200: z.object({ n: z.number() }) },
  access: 'write',
});

export let app: HttpApp<string> | undefined;
export function build(bodyLimit = 200): HttpApp<string> {
  const built = createHttpApp<string>({
    prefixes: ['/v1', ''],
    bodyLimit,
    requestId: (incoming) => incoming ?? 'minted',
    envelope: (failure, requestId) => ({
      code: failure.code,
      request_id: requestId,
      ...failure.details,
    }),
    refusals: {
      notFound: () => refuse('not_found'),
      methodNotAllowed: () => refuse('method_not_allowed'),
      tooLarge: (limit) => refuse('too_large', { details: { limit } }),
      invalid: (issues) => refuse('invalid', { details: { errors: issues } }),
      internal: () => refuse('internal'),
    },
    beforeBody: (_route, request) => {
      if (request.headers.authorization === 'no') throw refuse('unauthorized');
      return 'me';
    },
    trailingSlashRedirect: true,
    requireJsonType: true,
    checkResponses: true,
  });
  built.implement(item, ({ params, query }) => ({
    ref: params.ref,
    limit: query.limit,
    tag: query.tag,
  }));
  built.implement(one, ({ params }) => ({ part: params.part }));
  built.implement(slow, async () => {
    await delay(300);
    return { late: true as const };
  });
  built.implement(drop, () => answer(undefined));
  built.implement(fixed, () => ({ fixed: true as const }));
  built.implement(create, ({ body }) => body);
  built.implement(odd, (_input, { headers }) => {
    if (headers['x-mode'] === 'busy') throw refuse('busy');
    if (headers['x-mode'] === 'crash') throw new Error('secret text');
    return answer({ n: 1 }, { status: 200, headers: { 'x-extra': 'yes' } });
  });
  app = built;
  return built;
}

export const json = { 'content-type': 'application/json' };

/** What a test of the file that calls this built is closed after it. */
export function closeApps(): void {
  afterEach(async () => {
    await app?.close();
  });
}
