import { VARIABLE } from '../../spec/reports/secret-references.ts';
import type { McpServer } from '../../spec/schema/spec-types.ts';
import { type Secrets, secretAdvice } from '../secrets.ts';
import { McpFailure } from './mcp-failure.ts';

/** Shorter values are words of everyday text; masking them would garble messages. */
const MIN_SECRET_LENGTH = 6;

/** A server's settings with the secrets that they name. */
export interface ResolvedServer {
  readonly headers: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  /** Secret of `client_key_ref`; wins over the file `client_key`. */
  readonly clientKey: string | undefined;
  /** Values that no message may show. */
  readonly secrets: readonly string[];
}

function secretOf(server: string, name: string, secrets: Secrets): string {
  const answer = secrets.named(name);
  if (answer.kind === 'found') return answer.value;
  throw new McpFailure(
    'refused',
    `MCP server '${server}' needs ${name}. ${secretAdvice(name, answer)}`,
  );
}

/**
 * Puts in what `${NAME}` in headers and variables stands for, and reads the key of `client_key_ref`
 * (spec-v1 4, McpServer; 17, secrets are names; decisions 46).
 * @throws McpFailure naming a secret that is missing or not given.
 */
export function resolveServer(name: string, server: McpServer, secrets: Secrets): ResolvedServer {
  const resolve = (values: Readonly<Record<string, string>> | null) =>
    Object.fromEntries(
      Object.entries(values ?? {}).map(([key, text]) => [
        key,
        text.replace(VARIABLE, (_whole, variable: string) => secretOf(name, variable, secrets)),
      ]),
    );
  const headers = resolve(server.headers);
  const variables = resolve(server.env);
  const keyName = server.client_key_ref;
  const clientKey = keyName === null ? undefined : secretOf(name, keyName, secrets);
  const values = [...Object.values(headers), ...Object.values(variables), clientKey ?? ''];
  const words = values.flatMap((value) => [value, ...value.split(/\s+/)]);
  return {
    headers,
    env: variables,
    clientKey,
    secrets: [...new Set(words)].filter((word) => word.length >= MIN_SECRET_LENGTH),
  };
}
