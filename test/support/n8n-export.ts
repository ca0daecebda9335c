import type { JsonObject } from '../../server/kernel/json.ts';

const BASE = 'n8n-nodes-base.';
const LC = '@n8n/n8n-nodes-langchain.';

/** A node of an n8n export, as it stands in the file. */
export interface SampleNode {
  readonly [key: string]: unknown;
}

/**
 * A node whose id is its name in lower case; `lc:agent` is an AI element, `set` a plain one. `more`
 * wins over everything.
 */
export function n8nNode(
  name: string,
  type: string,
  parameters: object = {},
  more: object = {},
): SampleNode {
  const full = type.startsWith('@') || type.includes('.') ? type : type.replace('lc:', LC);
  const prefixed = full.includes('.') ? full : BASE + full;
  const typeVersion = prefixed === `${LC}agent` ? 1.6 : 1;
  return { id: name.toLowerCase(), name, type: prefixed, typeVersion, parameters, ...more };
}

/** `A>B` is a link from port 0; `A:1>B` from port 1; `A-ai_tool>B` an attachment. */
function links(text: string): JsonObject {
  const out: Record<string, Record<string, { node: string }[][]>> = {};
  for (const link of text.split(' ').filter((word) => word !== '')) {
    const match = /^([^:>-]+)(?::(\d+))?(?:-(\w+))?>(.+)$/.exec(link);
    const [, from = '', port = '0', type = 'main', to = ''] = match ?? [];
    const buckets = out[from] ?? {};
    out[from] = buckets;
    const ports = buckets[type] ?? [];
    buckets[type] = ports;
    while (ports.length <= Number(port)) ports.push([]);
    ports[Number(port)]?.push({ node: to });
  }
  return out;
}

/** The text of an export with these nodes and wires. */
export function n8nExport(nodes: readonly SampleNode[], wires = '', more: object = {}): string {
  return JSON.stringify({ nodes, connections: links(wires), ...more });
}
