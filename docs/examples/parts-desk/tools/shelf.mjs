// A small MCP server on standard input and output: one JSON-RPC message a line.
import { createInterface } from 'node:readline';

const SHELF = { gear: 12, belt: 3, bolt: 480 };
const TOOL = {
  name: 'find_parts',
  description: 'Parts on the shelf whose name is in the query.',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
};

function find(query) {
  const found = Object.entries(SHELF).filter(([part]) => query.includes(part));
  const text = found.map(([part, count]) => `${count} × ${part}`).join(', ');
  return { content: [{ type: 'text', text: text === '' ? 'nothing on the shelf' : text }] };
}

function answer({ method, params }) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'shelf', version: '1.0.0' },
      };
    case 'tools/list':
      return { tools: [TOOL] };
    case 'tools/call':
      return find(String(params.arguments.query));
    default:
      return {};
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.id === undefined) continue;
  process.stdout.write(
    `${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: answer(message) })}\n`,
  );
}
