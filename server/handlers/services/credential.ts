import { secretsOf } from '../../contract/credentials.ts';
import { unmasked } from '../../services/find-row.ts';
import type { Auth, Service } from '../../services/service.ts';
import { type HandlerCall, StepFailure } from '../handler.ts';
import type { HttpRequest } from '../http-port.ts';
import { authorized, boundCredential, boundFor } from '../n8n/http/authorize.ts';

type Plain = Awaited<ReturnType<typeof boundCredential>>;

/** The credential of a step, as its service wants it. */
export interface ServiceAccess {
  /** Begins every address that has no server of its own. */
  readonly server: string;
  /** What a path may hold of it. */
  readonly around: { readonly token: string; readonly user: string };
  readonly secrets: readonly string[];
  readonly admit: (request: HttpRequest) => HttpRequest;
}

const OPEN: Omit<ServiceAccess, 'server'> = {
  around: { token: '', user: '' },
  secrets: [],
  admit: (request) => request,
};

function typeOf({ auth, authBy }: Service, { node }: HandlerCall): string | undefined {
  const types = Object.keys(auth);
  const said = authBy === undefined ? undefined : node.parameters[authBy.setting];
  const named = authBy?.of[unmasked(String(said ?? authBy.or))];
  if (named !== undefined) return named;
  return types.find((type) => node.credentials?.[type] !== undefined) ?? types[0];
}

/** The credential in the form in which its service wants a lone secret. */
function inForm(credential: Plain, auth: Auth): Plain {
  if (credential.kind !== 'bearer') return credential;
  const { token, server, hosts } = credential;
  if (auth.as === 'header')
    return {
      kind: 'header',
      name: auth.name,
      value: `${auth.prefix ?? ''}${token}`,
      server,
      hosts,
    };
  return auth.as === 'query'
    ? { kind: 'query', name: auth.name, value: token, server, hosts }
    : credential;
}

function withoutSlashes(address: string): string {
  let end = address.length;
  while (end > 0 && address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}

function serverOf(service: Service, credential: Plain | undefined): string {
  const own = credential?.server ?? '';
  if (own !== '') return withoutSlashes(own);
  if (service.server !== '') return service.server;
  throw new StepFailure(
    `Each ${service.name} has a server of its own. Name its address where the credential is bound.`,
  );
}

/** What a step may send with its requests. @throws StepFailure */
export async function accessOf(service: Service, call: HandlerCall): Promise<ServiceAccess> {
  const type = typeOf(service, call);
  const auth = type === undefined ? undefined : service.auth[type];
  if (type === undefined || auth === undefined)
    return { server: serverOf(service, undefined), ...OPEN };
  const credential = await boundCredential(call, type);
  const secrets = secretsOf(credential);
  const [token = ''] = secrets;
  return {
    server: serverOf(service, credential),
    around: { token, user: credential.kind === 'basic' ? credential.user : '' },
    secrets,
    admit: (request) =>
      auth.as === 'path'
        ? boundFor(request, credential)
        : authorized(request, inForm(credential, auth)),
  };
}
