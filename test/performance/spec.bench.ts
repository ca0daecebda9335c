import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { compareSpecs } from '../../server/spec/compare/compare-specs.ts';
import { compileSpec } from '../../server/spec/compile/compile.ts';
import { loadSpec } from '../../server/spec/load/load-spec.ts';
import { mergeSpecs } from '../../server/spec/merge/merge-specs.ts';
import { validateText } from '../../server/spec/rules/validate.ts';
import type { Spec } from '../../server/spec/schema/spec-types.ts';
import { parseSpecText } from '../../server/spec/yaml/parse-yaml.ts';
import { chainText } from './chain-text.ts';
import { type Figure, type Measurement, measure, milliseconds } from './harness.ts';

const SAMPLES = path.resolve(import.meta.dirname, '../fixtures/specs');

/** The sample whose text is as long as half of the others'. */
function medianSample(): string {
  const texts = readdirSync(SAMPLES)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => readFileSync(path.join(SAMPLES, file), 'utf8'))
    .sort((a, b) => a.length - b.length);
  return texts[Math.floor(texts.length / 2)] ?? '';
}

/** Compiling checks a spec as validating does: every rule runs, then the order of building. */
function compileText(text: string, format: 'yaml' | 'json'): void {
  const { value } = parseSpecText(text, format);
  const loaded = loadSpec({ base: value ?? {} });
  if (loaded.spec === undefined || !compileSpec(loaded.spec).ok) throw new Error('not compiled');
}

const BATCH = 500;

function rate(name: string, budget: number, action: () => void): Measurement {
  return {
    name,
    unit: '/s',
    warmup: 5,
    repeats: 20,
    budget: { atLeast: budget },
    sample: async () => {
      const spent = await milliseconds(() => {
        for (let i = 0; i < BATCH; i += 1) action();
      });
      return (BATCH * 1000) / spent;
    },
  };
}

/** Specs validated and compiled in a second, one thread, nothing cached: text to build order. */
async function compileFigures(): Promise<Figure[]> {
  const text = medianSample();
  const { value } = parseSpecText(text, 'yaml');
  const json = JSON.stringify(value);
  const lines = text.trimEnd().split('\n').length;
  return [
    await measure(
      'spec',
      rate(`validate and compile the median sample (${lines} lines), from YAML text`, 5000, () => {
        compileText(text, 'yaml');
      }),
    ),
    await measure(
      'spec',
      rate('the same from JSON text', 5000, () => {
        compileText(json, 'json');
      }),
    ),
    await measure(
      'spec',
      rate('the same from an inline document', 5000, () => {
        const { spec } = loadSpec({ base: value ?? {} });
        if (spec === undefined || !compileSpec(spec).ok) throw new Error('not compiled');
      }),
    ),
  ];
}

async function largeFigure(): Promise<Figure> {
  const text = documentOf(5000);
  return measure('spec', {
    name: `validate a spec of ${text.trimEnd().split('\n').length} lines, from YAML text`,
    unit: 'ms',
    warmup: 5,
    repeats: 30,
    budget: { atMost: 60 },
    sample: () => milliseconds(() => validateText(text, 'yaml')),
  });
}

/** Two writers of one spec: each changes a line of every agent, and one thing of the other's. */
async function changeFigures(): Promise<Figure[]> {
  const base = documentOf(2000);
  const ours = base.replaceAll('of every figure', 'of each figure');
  const theirs = base.replaceAll('Answers one part.', 'Answers.').replace('figure.', 'number.');
  const lines = base.trimEnd().split('\n').length;
  const specOf = (text: string): Spec => {
    const { spec } = loadSpec({ base: parseSpecText(text, 'yaml').value ?? {} });
    if (spec === undefined) throw new Error('not loaded');
    return spec;
  };
  const shared = { unit: 'ms', warmup: 10, repeats: 30 } as const;
  return [
    await measure('spec', {
      ...shared,
      name: `compare two specs of ${lines} lines by what they say, from YAML text`,
      budget: { atMost: 50 },
      sample: () => milliseconds(() => void compareSpecs(specOf(base), specOf(ours))),
    }),
    await measure('spec', {
      ...shared,
      name: `merge two changes of a spec of ${lines} lines, one conflict`,
      budget: { atMost: 150 },
      sample: () =>
        milliseconds(() => {
          if (mergeSpecs({ base, ours, theirs }).open !== 1) throw new Error('not one conflict');
        }),
    }),
  ];
}

/** A sequential workflow with its agents, of about `lines` lines. */
function documentOf(lines: number): string {
  return chainText(Math.max(1, Math.floor((lines - 8) / 10)), { comments: false });
}

/** Rates of compiling, a large spec, changes of one, and a keystroke whose whole text is read anew. */
export async function specBench(): Promise<readonly Figure[]> {
  const figures: Figure[] = [
    ...(await compileFigures()),
    await largeFigure(),
    ...(await changeFigures()),
  ];
  for (const [lines, budget] of [
    [200, 10],
    [2000, 50],
  ] as const) {
    const text = documentOf(lines);
    const edited = text.replace('Lead.', 'Lead!');
    const checked = validateText(text, 'yaml');
    if (!checked.valid) throw new Error(checked.diagnostics[0]?.message ?? 'invalid');
    let turn = 0;
    figures.push(
      await measure('spec', {
        name: `keystroke to diagnostics, ${text.split('\n').length} lines`,
        unit: 'ms',
        warmup: 10,
        repeats: 40,
        budget: { atMost: budget },
        sample: () => {
          turn += 1;
          return milliseconds(() => validateText(turn % 2 === 0 ? text : edited, 'yaml'));
        },
      }),
    );
  }
  return figures;
}
