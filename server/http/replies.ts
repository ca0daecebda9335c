import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from '../contract/route.ts';
import { Refusal } from '../kernel/refusal.ts';
import { isStoreBusy } from '../kernel/store-busy.ts';
import { systemCode } from '../kernel/system-code.ts';
import type { Answer } from './answer.ts';
import { hasLeft } from './client-abort.ts';
import type { HttpProfile } from './http-profile.ts';
import { sendOverBody } from './unread-body.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request was refused with, for the access log. */
    refusal: Refusal | null;
  }
}

function asRefusal<P>(
  profile: HttpProfile<P>,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Refusal {
  if (error instanceof Refusal) return error;
  if (isStoreBusy(error) && profile.refusals.storeUnavailable !== undefined) {
    const facts = { request_id: request.id, code: systemCode(error) };
    profile.log?.warn(facts, 'the store did not take a request');
    return profile.refusals.storeUnavailable();
  }
  if (hasLeft(error, request, reply)) {
    return profile.refusals.unreadable?.() ?? profile.refusals.invalid([]);
  }
  profile.log?.error({ request_id: request.id, err: error }, 'request failed');
  return profile.refusals.internal();
}

/** Answers a refusal in the service's envelope; anything else as its internal error, logged. */
export async function sendRefusal<P>(
  profile: HttpProfile<P>,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const refusal = asRefusal(profile, error, request, reply);
  request.refusal = refusal;
  if (refusal.retryAfter !== undefined) {
    void reply.header('retry-after', String(Math.ceil(refusal.retryAfter)));
  }
  const headers = profile.refusalHeaders?.(refusal) ?? {};
  for (const [name, value] of Object.entries(headers)) void reply.header(name, value);
  const json = JSON.stringify(profile.envelope(refusal, request.id));
  void reply.code(refusal.status).header('content-type', 'application/json');
  return sendOverBody(request, reply, Buffer.from(json));
}

/**
 * Sent as bytes: for a text the server would set another content type and encode it a second time.
 */
function sendJson(reply: FastifyReply, json: string | Uint8Array): FastifyReply {
  const bytes = typeof json === 'string' ? Buffer.from(json) : json;
  return reply.header('content-type', 'application/json').send(bytes);
}

function checkAnswer(route: Route, status: number, body: unknown): void {
  const schema = route.responses[status];
  if (schema === undefined) throw new TypeError(`${route.id} declares no status ${status}`);
  if (schema === null) return;
  const result = schema.safeParse(body);
  if (!result.success) throw new TypeError(`${route.id} ${status}: ${result.error.message}`);
}

function successStatus(route: Route): number {
  const statuses = Object.keys(route.responses).map(Number);
  return statuses.find((status) => status >= 200 && status < 300) ?? 200;
}

/** Answers what a handler gave. With `check` a body outside its route's schema is a defect. */
export async function sendAnswer(
  reply: FastifyReply,
  route: Route,
  result: Answer<unknown>,
  check: boolean,
): Promise<FastifyReply> {
  const status = result.status ?? successStatus(route);
  if (check) checkAnswer(route, status, result.body);
  for (const [name, value] of Object.entries(result.headers)) void reply.header(name, value);
  void reply.code(status);
  const text = result.text ?? (result.body === undefined ? undefined : JSON.stringify(result.body));
  return text === undefined ? reply.send() : sendJson(reply, text);
}
