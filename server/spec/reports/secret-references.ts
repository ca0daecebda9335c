import type { JsonObject } from '../../kernel/json.ts';
import type { Agent, McpServer, Spec } from '../schema/spec-types.ts';

/** `${NAME}` in headers and variables of an MCP server. */
export const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** A place of a spec that names a secret. */
export interface SecretReference {
  readonly name: string;
  /** Where it stands, as findings say it. */
  readonly path: string;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** The member of `model.extra` that names the secret with the key, and the name: never a value. */
export function keyReference(
  extra: JsonObject,
): { readonly member: string; readonly name: string } | undefined {
  for (const member of ['api_key_ref', 'api_key_env']) {
    const name = textOf(extra[member]);
    if (name !== undefined) return { member, name };
  }
  return undefined;
}

/** The agents of a spec with their paths. */
export function agentsOf(spec: Spec): [path: string, agent: Agent][] {
  return [
    ['agent', spec.agent],
    ...Object.entries(spec.components.agents).map(([name, agent]): [string, Agent] => [
      `components.agents.${name}`,
      agent,
    ]),
  ];
}

function variablesOf(
  path: string,
  texts: Readonly<Record<string, string>> | null,
): SecretReference[] {
  return Object.entries(texts ?? {}).flatMap(([key, text]) =>
    [...text.matchAll(VARIABLE)].map(([, name = '']) => ({ name, path: `${path}.${key}` })),
  );
}

function referencesOf(path: string, server: McpServer): SecretReference[] {
  const key = server.client_key_ref;
  return [
    ...variablesOf(`${path}.headers`, server.headers),
    ...variablesOf(`${path}.env`, server.env),
    ...(key === null ? [] : [{ name: key, path: `${path}.client_key_ref` }]),
  ];
}

/** What the MCP servers that tools use name; a server that no tool uses is never connected. */
export function serverReferences(spec: Spec): SecretReference[] {
  const used = new Set(Object.values(spec.tools).map((tool) => tool.mcp?.['server']));
  return Object.entries(spec.mcp_servers)
    .filter(([name]) => used.has(name))
    .flatMap(([name, server]) => referencesOf(`mcp_servers.${name}`, server));
}
