import { expect, test } from 'vitest';
import { readPlatformConfig } from './config.ts';

test('times that no timer takes are as long as one takes, not over at once', () => {
  const names = [
    ...['WORKER_LEASE', 'WORKER_IDLE_POLL', 'EXECUTION_STALL', 'SHUTDOWN_TIMEOUT'],
    ...['SWEEP_INTERVAL', 'PROVIDER_TIMEOUT', 'MCP_TIMEOUT', 'MCP_CONNECT_TIMEOUT'],
    ...['PROVIDER_RETRY_BACKOFF', 'MCP_RETRY_BACKOFF'],
  ];
  const env = Object.fromEntries(names.map((name) => [`SERV_${name}_SECONDS`, '9000000']));
  const config = readPlatformConfig(env);
  expect([
    config.workerLeaseSeconds,
    config.workerIdlePollSeconds,
    config.executionStallSeconds,
    config.shutdownTimeoutSeconds,
    config.sweepIntervalSeconds,
    config.provider.timeoutSeconds,
    config.mcp.timeoutSeconds,
    config.mcpConnectTimeoutSeconds,
    config.provider.backoffSeconds,
    config.mcp.backoffSeconds,
  ]).toEqual(names.map(() => 1_000_000));
});

test('the sandbox of project code is one of its words, or the start is refused', () => {
  expect(readPlatformConfig({}).functionSandbox).toBe('auto');
  expect(readPlatformConfig({ SERV_FUNCTION_SANDBOX: 'require' }).functionSandbox).toBe('require');
  expect(() => readPlatformConfig({ SERV_FUNCTION_SANDBOX: 'on' })).toThrow(
    'SERV_FUNCTION_SANDBOX must be one of auto, require, off.',
  );
});
