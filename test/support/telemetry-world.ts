// A platform that tells a collector what it does, with a model and a tool on loopback.
import { afterEach, beforeEach, expect } from 'vitest';
import { startMcpHttpServer, type TestMcpHttpServer } from './mcp-http-server.ts';
import { type ModelServer, startModelServer } from './model-server.ts';
import { type CollectedSpan, type Collector, startCollector } from './otlp-collector.ts';
import { type Loose, startTestPlatform, type TestPlatform } from './platform.ts';

export let collector: Collector;
export let model: ModelServer;
export let web: TestMcpHttpServer;
const opened: TestPlatform[] = [];

/** The environment of a platform that sends spans to the collector as soon as they end. */
export function telemetryEnv(over: Readonly<Record<string, string>> = {}) {
  return {
    OPENAI_API_KEY: 'sk-THISKEYMUSTNOTLEAK0123456789',
    OPENAI_BASE_URL: model.baseUrl('openai'),
    SERV_OTEL_ENABLED: 'true',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '20',
    ...over,
  };
}

export async function open(
  env: Readonly<Record<string, string>> = {},
  more: Loose = {},
): Promise<TestPlatform> {
  const platform = await startTestPlatform({
    env: telemetryEnv(env),
    handlers: { 'work.upper': ([text]) => String(text).toUpperCase() },
    ...more,
  });
  opened.push(platform);
  return platform;
}

/** An agent that may call a tool of an MCP server, then a function, then a person. */
export function deskSpec(more: Loose = {}) {
  return {
    version: 'v1',
    agent: { name: 'desk' },
    mcp_servers: { shop: { transport: 'http', url: web.url, timeout: 5 } },
    workflow: {
      ...{ type: 'sequential', name: 'orders' },
      steps: [
        { id: 'find', kind: 'agent', ref: 'finder' },
        { id: 'shout', kind: 'function', ref: 'upper' },
        { id: 'check', kind: 'human', ref: 'boss' },
        { id: 'answer', kind: 'agent', ref: 'writer' },
      ],
    },
    components: {
      agents: {
        finder: {
          name: 'finder',
          model: { provider: 'openai', name: 'm-1' },
          strategy: { type: 'react', max_iterations: 4 },
          tools: { include: ['search'] },
        },
        writer: { name: 'writer', model: { provider: 'openai', name: 'm-2' } },
      },
      functions: { upper: { implementation: 'work.upper' } },
      humans: { boss: { description: 'Ok?' } },
    },
    tools: { search: { description: 's', mcp: { server: 'shop', name: 'web_search' } } },
    ...more,
  };
}

/** Waits until a span of that name has come; answers all that came. */
export async function spansUntil(name: string): Promise<readonly CollectedSpan[]> {
  await expect
    .poll(() => collector.spans.some((span) => span.name === name), { timeout: 60_000 })
    .toBe(true);
  return collector.spans;
}

export function named(name: string): CollectedSpan {
  const found = collector.spans.find((span) => span.name === name);
  if (found === undefined) throw new Error(`no span is named ${name}`);
  return found;
}

/** Each test of the file that calls this gets its own collector, model and tool. */
export function freshTelemetry(): void {
  beforeEach(async () => {
    [collector, model, web] = await Promise.all([
      startCollector(),
      startModelServer(),
      startMcpHttpServer(),
    ]);
  });
  afterEach(async () => {
    for (const platform of opened.splice(0)) await platform.stop();
    await Promise.all([collector.stop(), model.stop(), web.stop()]);
  });
}
