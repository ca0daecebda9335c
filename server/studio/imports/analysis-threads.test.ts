import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { AnalyzeInput } from '../../importers/analysis.ts';
import { type ConvertedOutcome, createAnalysisThreads } from './analysis-threads.ts';
import { convertTogether } from './analyze-together.ts';

const FOLDER = new URL('../../../test/fixtures/public-n8n/', import.meta.url);
const FILES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .slice(0, 12);

const threads = createAnalysisThreads({ threads: 2 });
afterAll(() => threads.close());

/** What a thread hands over in two parts. */
async function inOne(converting: Promise<ConvertedOutcome>) {
  const outcome = await converting;
  if (!outcome.ok) return outcome;
  const { kept, ...draft } = outcome;
  return { ...draft, ...(await kept) };
}

function inPlace(input: AnalyzeInput) {
  const made = convertTogether(input);
  return 'refusal' in made ? made.refusal : { ...made.draft, ...made.kept() };
}

describe('imports beside the event loop', () => {
  it('give what they give in place, and keep the loop free', async () => {
    const inputs = FILES.map((file) => ({
      source: 'n8n',
      raw: readFileSync(new URL(file, FOLDER), 'utf8') + ' '.repeat(128 * 1024),
      conversion: 'extended' as const,
    }));
    const outcomes = await Promise.all(inputs.map((input) => inOne(threads.convert(input))));
    expect(outcomes).toEqual(inputs.map((input) => inPlace(input)));
  });

  it('of a dense drawing leave the loop free, however short its text is', async () => {
    const nodes = Array.from({ length: 120 }, (_, i) => ({
      ...{ id: `s${i}`, name: `s${i}`, type: 'n8n-nodes-base.slack', typeVersion: 1 },
      parameters: {},
    }));
    const links = (i: number) =>
      [1, 2, 3, 4, 5].map((next) => ({ node: `s${(i + next) % 120}`, type: 'main', index: 0 }));
    const connections = Object.fromEntries(
      nodes.map(({ name }, i) => [name, { main: [links(i)] }]),
    );
    const input = { source: 'n8n', raw: JSON.stringify({ nodes, connections }) };
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const outcome = await threads.convert({ ...input, conversion: 'extended' });
    clearInterval(timer);
    expect(outcome.ok).toBe(true);
    expect(turns).toBeGreaterThan(1);
  });

  it('that take too long are refused, and the next one works', async () => {
    const impatient = createAnalysisThreads({ threads: 1, limitMs: 30 });
    const raw = '!!str '.repeat(160_000);
    const outcome = await impatient.convert({ source: 'dify', raw, conversion: 'extended' });
    expect(outcome).toMatchObject({ ok: false, code: 'source_too_complex' });
    const small = { source: 'n8n', raw: '{}', conversion: 'extended' } as const;
    expect(await inOne(impatient.convert(small))).toEqual(inPlace(small));
    await impatient.close();
  });

  it('go on after the threads were closed', async () => {
    await threads.close();
    const raw = readFileSync(new URL(FILES[1] ?? '', FOLDER), 'utf8') + ' '.repeat(128 * 1024);
    expect((await threads.convert({ source: 'n8n', raw, conversion: 'strict' })).ok).toBeTypeOf(
      'boolean',
    );
  });
});
