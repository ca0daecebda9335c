import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** Somebody whom the provider knows. */
export interface Account {
  readonly id: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** A real identity provider on loopback, whose people sign in by naming themselves. */
export interface IdentityProvider {
  readonly issuer: string;
  /** Follows an address of the provider as a browser that signs in as somebody, up to the callback. */
  signIn(address: string, account: string): Promise<string>;
  close(): Promise<void>;
}

const CLIENT = { id: 'studio', secret: 'a-secret-of-the-test' };

export { CLIENT as OIDC_CLIENT };

/** A program on a person's computer: it has no secret and comes back to any port (RFC 8252). */
const NATIVE = {
  token_endpoint_auth_method: 'none',
  application_type: 'native',
  grant_types: ['authorization_code', 'refresh_token'],
} as const;
/** The client that a person's window is, where a provider has one beside the service's. */
export const WINDOW_CLIENT = 'window';
/** What windows ask for tokens of, where the provider knows them: the services of a team. */
export const TEAM_RESOURCE = 'https://team.example/services';

function cookiesOf(answer: Response, jar: Map<string, string>): void {
  for (const text of answer.headers.getSetCookie()) {
    const [pair = ''] = text.split(';');
    const at = pair.indexOf('=');
    jar.set(pair.slice(0, at), pair.slice(at + 1));
  }
}

async function follow(start: string, issuer: string, account: string): Promise<string> {
  const jar = new Map<string, string>();
  let address = start;
  for (let hops = 0; hops < 12; hops += 1) {
    if (!address.startsWith(issuer)) return address;
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(address, { redirect: 'manual', headers: { cookie } });
    cookiesOf(answer, jar);
    const location = answer.headers.get('location');
    if (location !== null) {
      address = new URL(location, address).href;
      continue;
    }
    const page = await answer.text();
    const form = /action="([^"]+)"/.exec(page)?.[1];
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1] ?? '';
    if (form === undefined) throw new TypeError(`the provider stays at ${address}`);
    const sent = await fetch(new URL(form, address), {
      method: 'POST',
      redirect: 'manual',
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({
        prompt,
        login: account,
        password: 'any',
      }),
    });
    cookiesOf(sent, jar);
    const next = sent.headers.get('location');
    if (next === null) throw new TypeError(`the provider refused: ${await sent.text()}`);
    address = new URL(next, address).href;
  }
  throw new TypeError('the provider sends in circles');
}

/** Starts a provider for one client with its callbacks. */
export async function startIdentityProvider(
  callback: string | readonly string[],
  accounts: readonly Account[],
  authentication: 'client_secret_post' | 'client_secret_basic' | 'none' = 'client_secret_post',
  /** Set where people's windows sign in too. */
  more?: 'windows',
): Promise<IdentityProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        redirect_uris: [callback].flat(),
        token_endpoint_auth_method: authentication,
        ...(authentication === 'none' ? NATIVE : { client_secret: CLIENT.secret }),
      },
      ...(more === 'windows'
        ? [{ client_id: WINDOW_CLIENT, redirect_uris: ['http://127.0.0.1/callback'], ...NATIVE }]
        : []),
    ],
    findAccount: async (_context, id) => {
      const account = accounts.find((one) => one.id === id);
      return account && { accountId: id, claims: async () => ({ sub: id, ...account.claims }) };
    },
    claims: {
      openid: ['sub', 'roles'],
      email: ['email', 'email_verified'],
      profile: ['name', 'hd', 'groups'],
    },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: more === 'windows',
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, resource) => ({
          ...{ scope: 'openid profile email offline_access', audience: resource },
          ...{ accessTokenFormat: 'jwt', accessTokenTTL: 3600 },
        }),
      },
    },
    // As providers of teams do: what the person is called and may do stands in the token, too.
    extraTokenClaims: (_context, token) => {
      const id = 'accountId' in token ? token.accountId : undefined;
      return { ...accounts.find((account) => account.id === id)?.claims };
    },
    cookies: { keys: ['test'] },
  });
  const listener: RequestListener = provider.callback();
  server.on('request', listener);
  return {
    issuer,
    signIn: (address, account) => follow(address, issuer, account),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
