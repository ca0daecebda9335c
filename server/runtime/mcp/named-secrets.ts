import type { McpServer } from '../../spec/spec-types.ts';
import { type ReadSecret, readNamedSecret } from '../secrets.ts';
import { McpFailure } from './mcp-failure.ts';

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
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

function resolveText(name: string, text: string, read: ReadSecret, trusted: boolean): string {
  return text.replace(REFERENCE, (_whole, variable: string) => {
    if (!trusted) {
      throw new McpFailure(
        'refused',
        `MCP server '${name}' names the variable ${variable}, which only a trusted project may use.`,
      );
    }
    const value = readNamedSecret(read, variable);
    if (value === undefined) {
      throw new McpFailure(
        'refused',
        `MCP server '${name}' needs the variable ${variable}; set it.`,
      );
    }
    return value;
  });
}

/**
 * Puts in what `${NAME}` in headers and variables stands for, and reads the key of `client_key_ref`
 * (spec-v1 4, McpServer; 17, secrets are names).
 * @throws McpFailure naming a missing variable.
 */
export function resolveServer(
  name: string,
  server: McpServer,
  read: ReadSecret,
  trusted: boolean,
): ResolvedServer {
  const resolve = (values: Readonly<Record<string, string>> | null) =>
    Object.fromEntries(
      Object.entries(values ?? {}).map(([key, text]) => [
        key,
        resolveText(name, text, read, trusted),
      ]),
    );
  const headers = resolve(server.headers);
  const variables = resolve(server.env);
  const keyName = server.client_key_ref;
  const clientKey = keyName === null ? undefined : readNamedSecret(read, keyName);
  if (keyName !== null && clientKey === undefined) {
    throw new McpFailure('refused', `MCP server '${name}' needs the secret ${keyName}; set it.`);
  }
  const values = [...Object.values(headers), ...Object.values(variables), clientKey ?? ''];
  const words = values.flatMap((value) => [value, ...value.split(/\s+/)]);
  return {
    headers,
    env: variables,
    clientKey,
    secrets: [...new Set(words)].filter((word) => word.length >= MIN_SECRET_LENGTH),
  };
}
