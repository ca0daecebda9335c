import { type Figure, report, verdictOf } from './harness.ts';
import { paceFigure, takePace } from './pace.ts';

type Suite = () => Promise<readonly Figure[]>;

const SUITES: Readonly<Record<string, () => Promise<Suite>>> = {
  spec: async () => {
    const { specBench } = await import('./spec.bench.ts');
    const { engineBench } = await import('./engine.bench.ts');
    const { editorBench } = await import('./editor.bench.ts');
    const { graphEditBench } = await import('./graph-edit.bench.ts');
    return async () => [
      ...(await specBench()),
      ...(await editorBench()),
      ...(await graphEditBench()),
      ...(await engineBench()),
    ];
  },
  import: async () => (await import('./import.bench.ts')).importBench,
  expressions: async () => (await import('./expressions.bench.ts')).expressionsBench,
  handlers: async () => (await import('./handlers.bench.ts')).handlersBench,
  agreement: async () => (await import('./agreement.bench.ts')).agreementBench,
  platform: async () => (await import('./platform.bench.ts')).platformBench,
  studio: async () => (await import('./studio.bench.ts')).studioBench,
  dashboard: async () => (await import('./dashboard.bench.ts')).dashboardBench,
  models: async () => (await import('./models.bench.ts')).modelsBench,
  cli: async () => (await import('./cli.bench.ts')).cliBench,
  worst: async () => (await import('./worst.bench.ts')).worstBench,
  shell: async () => (await import('./shell.bench.ts')).shellBench,
  teams: async () => (await import('./teams.bench.ts')).teamsBench,
};

/** Not among all suites: a part of what they measure, for machines that others load. */
const SHORT: Readonly<Record<string, () => Promise<Suite>>> = {
  short: async () => (await import('./short.bench.ts')).shortBench,
};
const KNOWN = { ...SUITES, ...SHORT };

const asked = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const unknown = asked.filter((name) => !(name in KNOWN));
if (unknown.length > 0) {
  process.stderr.write(
    `Unknown suite ${unknown.join(', ')}; there are ${Object.keys(KNOWN).join(', ')}.\n`,
  );
  process.exit(2);
}

const figures: Figure[] = [];
/** Suites that did not come to their end, and why. */
const ended: string[] = [];
const paces = [await takePace()];
for (const name of asked.length > 0 ? asked : Object.keys(SUITES)) {
  const load = KNOWN[name];
  if (load === undefined) continue;
  process.stderr.write(`${name} …\n`);
  try {
    figures.push(...(await (await load())()));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    ended.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  paces.push(await takePace());
}
report([paceFigure(paces), ...figures]);
const { code, line } = verdictOf(figures, ended);
process.stdout.write(`${line}\n`, () => process.exit(code));
