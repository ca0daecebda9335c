import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startModelServer } from '../support/model-server.ts';
import type { WireFormat } from '../support/model-wire.ts';
import { startTestPlatform } from '../support/platform.ts';
import { type Figure, measure, toFigure } from './harness.ts';

const SUITE = 'models';
const PROVIDERS: readonly [string, WireFormat][] = [
  ['openai', 'openai'],
  ['anthropic', 'anthropic'],
  ['google', 'google'],
];
const REPEATS = 60;

/** What a synchronous run of one streamed call costs, over a provider that answers at once. */
export async function modelsBench(): Promise<readonly Figure[]> {
  const root = mkdtempSync(path.join(tmpdir(), 'models-bench-'));
  const server = await startModelServer();
  const keys = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', GOOGLE_API_KEY: 'k' };
  const platform = await startTestPlatform({ specRoot: root, checkResponses: false, env: keys });
  const run = async (model: unknown, metadata: unknown = {}): Promise<number> => {
    const spec = { version: 'v1', agent: { name: 'desk', model } };
    const start = performance.now();
    const answer = await platform.post('/v1/runs', { input: 'hello', spec, metadata });
    if (answer.body.output_text !== 'ok') throw new Error(answer.text);
    return performance.now() - start;
  };
  const figures: Figure[] = [];
  for (const [provider, format] of PROVIDERS) {
    const model = { provider, name: 'm-1', extra: { base_url: server.baseUrl(format) } };
    const first = { name: `${provider}: first call, client loaded`, unit: 'ms' };
    figures.push(toFigure(SUITE, first, [await run(model)]));
    const name = `${provider}: run of one call`;
    const sample = () => run(model);
    figures.push(await measure(SUITE, { name, unit: 'ms', warmup: 10, repeats: REPEATS, sample }));
  }
  const model = { provider: 'openai', name: 'm-1', extra: { base_url: server.baseUrl('openai') } };
  await run(model, { recording: { mode: 'record', name: 'bench' } });
  const replayed = () => run(model, { recording: { mode: 'replay', name: 'bench' } });
  const name = 'run of one call from a recording';
  figures.push(
    await measure(SUITE, { name, unit: 'ms', warmup: 10, repeats: REPEATS, sample: replayed }),
  );
  await platform.stop();
  await server.stop();
  rmSync(root, { recursive: true, force: true });
  return figures;
}
