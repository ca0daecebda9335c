// Global set-up of the vitest project `postgres`: one server for the run, whose owner tests can ask for.
import type { TestProject } from 'vitest/node';
import { startPostgresServer } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly postgres: { readonly port: number; readonly password: string };
  }
}

let server: Awaited<ReturnType<typeof startPostgresServer>> | undefined;

export async function setup(project: TestProject): Promise<void> {
  server = await startPostgresServer();
  project.provide('postgres', { port: server.port, password: server.password });
}

export async function teardown(): Promise<void> {
  await server?.stop();
}
