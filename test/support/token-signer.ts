// A provider's keys and its description of itself, for tokens that a real provider would never make.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose';

/** Signs whatever a test wants. */
export interface TokenSigner {
  readonly issuer: string;
  /** How often the keys were asked for. */
  readonly asked: () => number;
  sign(claims: Record<string, unknown>, header?: Partial<JWTHeaderParameters>): Promise<string>;
  /** The same, by a key that the provider does not have. */
  forge(claims: Record<string, unknown>, header?: Partial<JWTHeaderParameters>): Promise<string>;
  /** Signed with the public key as if it were a shared secret. */
  confuse(claims: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

/** Starts one on loopback. */
export async function startTokenSigner(): Promise<TokenSigner> {
  const own = await generateKeyPair('RS256', { extractable: true });
  const other = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' };
  let asked = 0;
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/jwks') {
      asked += 1;
      response.end(JSON.stringify({ keys: [jwk] }));
      return;
    }
    response.end(
      JSON.stringify({
        ...{ issuer, jwks_uri: `${issuer}/jwks`, authorization_endpoint: `${issuer}/auth` },
        ...{ token_endpoint: `${issuer}/token`, response_types_supported: ['code'] },
        ...{
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        },
      }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const make = (claims: Record<string, unknown>, header: Partial<JWTHeaderParameters>) =>
    new SignJWT({ iss: issuer, ...claims }).setProtectedHeader({
      ...{ alg: 'RS256', kid: 'k1', typ: 'at+jwt' },
      ...header,
    });
  return {
    issuer,
    asked: () => asked,
    sign: (claims, header = {}) => make(claims, header).sign(own.privateKey),
    forge: (claims, header = {}) => make(claims, header).sign(other.privateKey),
    confuse: (claims) =>
      make(claims, { alg: 'HS256' }).sign(new TextEncoder().encode(JSON.stringify(jwk))),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
