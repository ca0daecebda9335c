import type { FastifyInstance } from 'fastify';
import {
  type ModelKey,
  type ModelKeyList,
  modelKeyBody,
  modelKeyName,
} from '../contract/gateway/model-keys.ts';
import { refuseAtGateway } from './gateway-errors.ts';

/** The keys of model providers on this computer; no answer holds a value. */
export interface ModelKeys {
  /** False when the runs execute on another computer: its keys are set there. */
  readonly here: boolean;
  list(): Promise<ModelKeyList>;
  /** Whether a key may have this name. */
  mayHold(name: string): boolean;
  put(name: string, key: string): Promise<ModelKey>;
  /** False when none was stored. */
  remove(name: string): Promise<boolean>;
}

/** Stores, replaces and removes keys by name; they are never read back. */
export function registerModelKeyRoutes(app: FastifyInstance, keys: ModelKeys): void {
  const path = '/gateway/model-keys';
  app.get(path, () => keys.list());
  app.put<{ Params: { name: string } }>(`${path}/:name`, async (request) => {
    const name = modelKeyName.safeParse(request.params.name);
    if (!name.success || !keys.mayHold(name.data)) throw refuseAtGateway('key_name_refused');
    const body = modelKeyBody.safeParse(request.body);
    if (!body.success) throw refuseAtGateway('key_refused');
    if (!keys.here) throw refuseAtGateway('keys_not_here');
    return keys.put(name.data, body.data.key);
  });
  app.delete<{ Params: { name: string } }>(`${path}/:name`, async (request, reply) => {
    // Other names are the program's own secrets: this door neither lists nor removes them.
    const name = modelKeyName.safeParse(request.params.name);
    if (!name.success || !(await keys.remove(name.data))) throw refuseAtGateway('not_found');
    return reply.code(204).send();
  });
}
