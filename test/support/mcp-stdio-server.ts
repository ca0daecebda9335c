// A program that is an MCP server on its standard streams: argv = how it behaves.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createTestMcpServer } from './mcp-server.ts';

const mode = process.argv[2] ?? 'plain';

process.stderr.write(`starting as ${mode}\n`);
if (mode === 'refuses') {
  process.stderr.write('no licence for Bearer sk-aaaaaaaaaaaaaaaaaaaa\n');
  process.exit(3);
}
if (mode === 'stubborn') {
  process.on('SIGTERM', () => undefined);
  setInterval(() => undefined, 1000);
}
if (mode === 'mute') setInterval(() => undefined, 1000);
else if (mode === 'old') {
  process.stdin.once('data', () => {
    const result = { protocolVersion: '1999-01-01', capabilities: {}, serverInfo: {} };
    const answer = {
      jsonrpc: '2.0',
      id: 0,
      result: { ...result, serverInfo: { name: 'o', version: '1' } },
    };
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  });
} else {
  if (mode === 'noisy') {
    for (let line = 0; line < 5000; line += 1) process.stderr.write(`noise ${line}\n`);
    process.stdout.write('a banner that is no message\n');
  }
  const server = createTestMcpServer(
    { calls: [], cancelled: [] },
    {
      crash: () => {
        process.stderr.write('panic: out of cheese\n');
        process.exit(7);
      },
      garbage: () => process.stdout.write('{"jsonrpc": "2.0", "id": \n'),
    },
  );
  await server.connect(new StdioServerTransport());
}
