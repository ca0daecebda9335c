// Global set-up of the vitest project `postgres`: one server for the run, whose owner tests can ask for.
import type { TestProject } from 'vitest/node';
import { type Pooler, startPooler } from './pooler.ts';
import { type PostgresOwner, startPostgresServer } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly postgres: PostgresOwner;
  }
}

let server: Awaited<ReturnType<typeof startPostgresServer>> | undefined;
let pooler: Pooler | undefined;

export async function setup(project: TestProject): Promise<void> {
  server = await startPostgresServer();
  const owner = { port: server.port, password: server.password };
  // All suites behind a pooler, when asked for: test/postgres/pooler.test.ts has the rules of one.
  if (process.env['SPECWRIGHT_TEST_POOLER'] === '1') {
    pooler = await startPooler(owner, { serverConnections: 10 });
  }
  project.provide('postgres', { ...owner, pooler: pooler?.port });
}

export async function teardown(): Promise<void> {
  await pooler?.stop();
  await server?.stop();
}
