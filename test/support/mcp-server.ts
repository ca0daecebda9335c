import { spawn } from 'node:child_process';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

/** What a test sees of the calls that reached a server. */
export interface McpServerLog {
  /** Names of the tools that were called. */
  readonly calls: string[];
  /** Names of the tools whose call the client gave up. */
  readonly cancelled: string[];
}

function text(value: string): CallToolResult {
  return { content: [{ type: 'text', text: value }] };
}

function never(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}

/** One pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/**
 * A server of the official SDK with one tool for each behaviour that a client must live with. `crash`
 * is what the transport does when a call breaks it; `garbage` writes what is no message.
 */
export function createTestMcpServer(
  log: McpServerLog,
  faults: { crash(): void; garbage(): void },
): McpServer {
  const server = new McpServer({ name: 'test-tools', version: '1.0.0' });
  const input = { query: z.string().optional() };
  const tool = (
    name: string,
    answer: (query: string, signal: AbortSignal) => CallToolResult | Promise<CallToolResult>,
  ): void => {
    server.registerTool(name, { description: name, inputSchema: input }, async (args, extra) => {
      log.calls.push(name);
      extra.signal.addEventListener('abort', () => log.cancelled.push(name));
      return answer(args.query ?? '', extra.signal);
    });
  };
  tool('web_search', (query) => text(`found: ${query}`));
  tool('fails', () => ({ ...text('the backend is offline'), isError: true }));
  tool('picture', () => ({
    content: [
      { type: 'text', text: 'a dot' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
      { type: 'resource_link', uri: 'file:///dot.png', name: 'dot' },
      { type: 'resource', resource: { uri: 'file:///a.txt', text: 'inside' } },
    ],
  }));
  tool('structured', () => ({ content: [], structuredContent: { parts: 3 } }));
  tool('huge', () => text('x'.repeat(200_000)));
  tool('hang', async (_query, signal) => {
    await never(signal);
    return text('too late');
  });
  tool('crash', async (_query, signal) => {
    faults.crash();
    await never(signal);
    return text('too late');
  });
  tool('garbage', async (_query, signal) => {
    faults.garbage();
    await never(signal);
    return text('too late');
  });
  tool('variables', () => text(JSON.stringify(process.env)));
  tool('offspring', () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], {
      stdio: 'ignore',
    });
    return text(`pids ${process.pid} ${child.pid}`);
  });
  tool('vanish', () => {
    server.registerTool('extra', { description: 'extra' }, () => text('new'));
    return text('the list changed');
  });
  return server;
}
