// A step of a service against a server on this machine: what is asked for there, and what comes out.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Credential } from '../../server/contract/credentials.ts';
import { createEvaluator } from '../../server/expressions/host/create-evaluator.ts';
import { type HandlerNode, StepFailure } from '../../server/handlers/handler.ts';
import type { SendHttp } from '../../server/handlers/http-port.ts';
import type { Item, JsonObject, Outputs } from '../../server/items/item.ts';
import { callHandler } from './handler-call.ts';
import { n8nPorts } from './n8n-ports.ts';

/** What the server answers, one after another. */
export interface ServiceAnswer {
  readonly status?: number;
  readonly json?: unknown;
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What it was asked. */
export interface ServiceAsked {
  /** Method and address, as it was meant for the vendor. */
  readonly call: string;
  readonly headers: Readonly<Record<string, unknown>>;
  /** JSON where it is JSON. */
  readonly body: unknown;
}

export interface ServiceTry extends Partial<Omit<HandlerNode, 'type' | 'name' | 'parameters'>> {
  /** Without its package. */
  readonly type: string;
  readonly parameters: JsonObject;
  readonly items?: readonly Item[];
  readonly credential?: Credential;
  readonly answers?: readonly ServiceAnswer[];
}

export interface ServiceRun {
  readonly asked: readonly ServiceAsked[];
  readonly outputs?: Outputs;
  readonly failed?: string;
}

export interface ServicePeer {
  run(step: ServiceTry): Promise<ServiceRun>;
  close(): Promise<void>;
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export async function startServicePeer(): Promise<ServicePeer> {
  const evaluator = createEvaluator();
  const asked: ServiceAsked[] = [];
  let answers: ServiceAnswer[] = [];
  const server = createServer(async (request, response) => {
    const body = bodyOf((await buffer(request)).toString('utf8'));
    const { host = '', ...headers } = request.headers;
    const meant = String(headers['x-meant-for'] ?? host);
    asked.push({ call: `${request.method} ${meant}${request.url}`, headers, body });
    const { status = 200, json, bytes, headers: own = {} } = answers.shift() ?? { status: 404 };
    const isJson = bytes === undefined && json !== undefined;
    const type = isJson ? { 'content-type': 'application/json' } : {};
    response.writeHead(status, { ...type, ...own });
    response.end(bytes ?? (isJson ? JSON.stringify(json) : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  const redirected =
    (http: SendHttp): SendHttp =>
    async (request) => {
      const [origin = ''] = /^https?:\/\/[^/?]+/.exec(request.url) ?? [];
      const url = request.url.replace(origin, `http://127.0.0.1:${port}`);
      const headers = { ...request.headers, 'x-meant-for': origin };
      return { ...(await http({ ...request, url, headers })), url: request.url };
    };

  return {
    run: async ({ items = [{ json: {} }], credential, answers: given = [], ...node }) => {
      asked.length = 0;
      answers = [...given];
      const world = n8nPorts();
      const ports = {
        ...world,
        credential: () => Promise.resolve(credential ?? null),
        http: redirected(world.http),
      };
      try {
        const { outputs } = await callHandler(evaluator, { ...node, inputs: [items], ports });
        return { asked: [...asked], outputs };
      } catch (error) {
        if (!(error instanceof StepFailure)) throw error;
        return { asked: [...asked], failed: error.message };
      }
    },
    close: async () => {
      await evaluator.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
