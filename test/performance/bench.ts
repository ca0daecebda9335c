import type { Figure } from './harness.ts';
import { report } from './harness.ts';

type Suite = () => Promise<readonly Figure[]>;

const SUITES: Readonly<Record<string, () => Promise<Suite>>> = {
  spec: async () => {
    const { specBench } = await import('./spec.bench.ts');
    const { engineBench } = await import('./engine.bench.ts');
    const { editorBench } = await import('./editor.bench.ts');
    return async () => [...(await specBench()), ...(await editorBench()), ...(await engineBench())];
  },
  import: async () => (await import('./import.bench.ts')).importBench,
  platform: async () => (await import('./platform.bench.ts')).platformBench,
  models: async () => (await import('./models.bench.ts')).modelsBench,
  cli: async () => (await import('./cli.bench.ts')).cliBench,
  worst: async () => (await import('./worst.bench.ts')).worstBench,
  start: async () => (await import('./start.bench.ts')).startBench,
};

const asked = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const unknown = asked.filter((name) => !(name in SUITES));
if (unknown.length > 0) {
  process.stderr.write(
    `Unknown suite ${unknown.join(', ')}; there are ${Object.keys(SUITES).join(', ')}.\n`,
  );
  process.exit(2);
}

const figures: Figure[] = [];
for (const name of asked.length > 0 ? asked : Object.keys(SUITES)) {
  const load = SUITES[name];
  if (load === undefined) continue;
  process.stderr.write(`${name} …\n`);
  figures.push(...(await (await load())()));
}
report(figures);
process.exit(0);
