import type { BinaryReference, JsonObject } from '../../items/item.ts';
import type { Service } from '../../services/service.ts';
import type { HandlerCall } from '../handler.ts';
import type { HttpAnswer } from '../http-port.ts';
import { type Answered, ask } from '../services/ask.ts';
import { accessOf, type ServiceAccess } from '../services/credential.ts';
import { Maker } from '../services/make-value.ts';

const BODY = 'data';

/** What stands in the path, behind it and in the body of a request. */
export interface Sent {
  readonly path?: JsonObject;
  readonly query?: JsonObject;
  readonly json?: unknown;
  /** The whole body, in place of JSON. */
  readonly file?: BinaryReference;
}

/** Requests of a step whose operation no row can say: they are made of values, not of settings. */
export interface Api {
  /**
   * Sends a request such as `GET /files/{@path.id}`, and answers the JSON of its answer.
   *
   * @throws StepFailure when the service refuses it
   */
  send(request: string, sent?: Sent): Promise<unknown>;
  /** The same, for an answer that is a file. */
  receive(request: string, sent?: Sent): Promise<HttpAnswer>;
}

function apiOf(call: HandlerCall, service: Service, access: ServiceAccess): Api {
  const { zone } = call.step.facts;
  const asked = (request: string, sent: Sent, isFile: boolean): Promise<Answered> => {
    const { path = {}, query = {}, json, file } = sent;
    const around = { ...access.around, path, query, json };
    const item = { json: {}, ...(file === undefined ? {} : { binary: { [BODY]: file } }) };
    const maker = new Maker({ setting: () => undefined, item, around, zone });
    const asking = { call, service, access, item, maker };
    const body = {
      ...(json === undefined ? {} : { json: '@json' }),
      ...(file === undefined ? {} : { bytes: { path: BODY, or: BODY } }),
    };
    return ask(asking, { call: request, query: '@query', ...body }, { isFile });
  };
  return {
    send: async (request, sent = {}) => (await asked(request, sent, false)).body,
    receive: async (request, sent = {}) => (await asked(request, sent, true)).answer,
  };
}

/** The requests of a step, with its credential. @throws StepFailure */
export async function openApi(call: HandlerCall, service: Service): Promise<Api> {
  return apiOf(call, service, await accessOf(service, call));
}
