import type { FastifyInstance } from 'fastify';
import {
  connectionBody,
  identityBody,
  type SignInState,
} from '../../contract/gateway/connections.ts';
import type { Clock } from '../../kernel/clock.ts';
import { GATEWAY_ERRORS, refuseAtGateway } from '../gateway-errors.ts';
import { testRemote } from './remote-test.ts';
import type { Remotes } from './remotes.ts';

interface ById {
  Params: { id: string };
}

/** Issues whose messages are sentences of ours; those of others are about types. */
const SAID: ReadonlySet<string> = new Set(['custom', 'invalid_format']);

/** A body, or a refusal that says what of it is wrong. @throws Refusal connection_refused */
function readBody(given: unknown) {
  const body = connectionBody.safeParse(given);
  if (body.success) return body.data;
  const [issue] = body.error.issues;
  const { message } = GATEWAY_ERRORS.connection_refused;
  throw refuseAtGateway('connection_refused', {
    message: issue !== undefined && SAID.has(issue.code) ? issue.message : message,
  });
}

/** Connections: kept, changed, removed; no answer holds a secret. */
export function registerConnectionRoutes(
  app: FastifyInstance,
  remotes: Remotes,
  clock: Clock,
): void {
  const path = '/gateway/connections';
  app.get(path, async () => ({ connections: await remotes.list() }));
  app.post(path, async (request, reply) =>
    reply.code(201).send(await remotes.add(readBody(request.body))),
  );
  app.put<ById>(`${path}/:id`, ({ params, body }) => remotes.change(params.id, readBody(body)));
  app.delete<ById>(`${path}/:id`, async ({ params }, reply) => {
    await remotes.remove(params.id);
    return reply.code(204).send();
  });
  app.put<ById>(`${path}/:id/identity`, ({ params, body }) => {
    const read = identityBody.safeParse(body);
    if (!read.success) throw refuseAtGateway('request_invalid');
    return remotes.accept(params.id, read.data.origin, read.data.key_sha256);
  });
  app.post<ById>(`${path}/:id/test`, ({ params }) => testRemote(remotes, params.id, clock));
  registerSignIn(app, remotes, `${path}/:id/sign-in`);
}

/** Signs the person in at the provider of a connection. */
function registerSignIn(app: FastifyInstance, remotes: Remotes, path: string): void {
  app.post<ById>(path, async ({ params }, reply) => {
    const connection = remotes.get(params.id);
    if (connection.auth.kind !== 'oidc') throw refuseAtGateway('request_invalid');
    const begun = await remotes.signIn.begin({ connection, way: await remotes.way(connection) });
    if (typeof begun === 'object') throw refuseAtGateway(begun.code);
    return reply.code(201).send({ address: begun });
  });
  app.get<ById>(path, ({ params }): SignInState => {
    const stands = remotes.signIn.state(remotes.get(params.id).id);
    if (stands.state !== 'failed') return { state: stands.state, problem: null };
    const { code } = stands;
    return { state: 'failed', problem: { code, message: GATEWAY_ERRORS[code].message } };
  });
  app.delete<ById>(path, async ({ params }, reply) => {
    await remotes.signIn.end(remotes.get(params.id).id);
    return reply.code(204).send();
  });
}
