import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ProcessTransport } from './mcp/process-transport.ts';

const RUNAWAY = `
const { spawn } = require('node:child_process');
const child = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
const again = spawn('sh', ['-c', 'sleep 300 & sleep 300'], { detached: true, stdio: 'ignore' });
process.stderr.write('left ' + child.pid + ' ' + again.pid + '.');
process.stdin.resume();
`;

/** What nobody has taken leave of yet is no process any more. */
function isAlive(pid: number): boolean {
  try {
    const [, state] = /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? [];
    return state !== 'Z' && state !== 'X';
  } catch {
    return false;
  }
}

test.skipIf(process.platform !== 'linux')(
  'what left the group of an MCP program ends with it',
  { timeout: 20_000 },
  async () => {
    const transport = new ProcessTransport({
      command: process.execPath,
      args: ['-e', RUNAWAY],
      env: { PATH: process.env['PATH'] ?? '' },
      cwd: '/',
      maxBytes: 1000,
    });
    await transport.start();
    await expect.poll(() => transport.lastWords, { timeout: 5_000 }).toMatch(/left \d+ \d+\./);
    const pids = (transport.lastWords.match(/\d+/g) ?? []).map(Number);
    expect(pids.every(isAlive)).toBe(true);
    await transport.close();
    await expect.poll(() => pids.some(isAlive), { timeout: 5_000 }).toBe(false);
  },
);
