import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { analyze } from '../../server/importers/analyze.ts';
import { scratchFolder } from '../e2e/support/scratch-folder.ts';
import { type Figure, measure, milliseconds, toFigure } from './harness.ts';
import { importHttpBench } from './import-http.ts';
import {
  acceptedShare,
  causeShare,
  type ImportSet,
  importSet,
  importTable,
  validShare,
} from './import-set.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PUBLIC = path.join(ROOT, 'test/fixtures/public-n8n');

const KINDS = [
  {
    type: 'n8n-nodes-base.set',
    typeVersion: 3.4,
    parametersOf: (i: number) => ({
      assignments: {
        assignments: [
          { id: `a${i}`, name: 'total', type: 'number', value: `={{ $json.n + ${i} }}` },
        ],
      },
    }),
  },
  {
    type: 'n8n-nodes-base.httpRequest',
    typeVersion: 4.2,
    parametersOf: (i: number) => ({ method: 'POST', url: `https://shop.example/orders/${i}` }),
  },
  {
    type: 'n8n-nodes-base.if',
    typeVersion: 2.2,
    parametersOf: (i: number) => ({
      conditions: {
        options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
        combinator: 'and',
        conditions: [
          {
            id: `c${i}`,
            leftValue: '={{ $json.output }}',
            rightValue: `order ${i}`,
            operator: { type: 'string', operation: 'contains' },
          },
        ],
      },
    }),
  },
  {
    type: 'n8n-nodes-base.code',
    typeVersion: 2,
    parametersOf: (i: number) => ({ jsCode: `return items.slice(0, ${i});` }),
  },
  {
    type: '@n8n/n8n-nodes-langchain.chainLlm',
    typeVersion: 1.5,
    parametersOf: (i: number) => ({ promptType: 'define', text: `Sum up order ${i}.` }),
  },
] as const;

/** A mixed n8n export of so many nodes in one flow. */
function workflowOf(count: number, title: string): string {
  const name = (i: number): string => `Step ${i}`;
  const nodes: object[] = [
    {
      ...{ id: 'trigger', name: name(0), type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 },
      ...{ position: [0, 0], parameters: {} },
    },
  ];
  const connections: Record<string, object> = {};
  for (let i = 1; i < count; i += 1) {
    const kind = KINDS[i % KINDS.length];
    if (kind === undefined) continue;
    nodes.push({
      ...{ id: `node-${i}`, name: name(i), type: kind.type, typeVersion: kind.typeVersion },
      ...{ position: [i * 200, (i % 7) * 80], parameters: kind.parametersOf(i) },
    });
    connections[name(i - 1)] = { main: [[{ node: name(i), type: 'main', index: 0 }]] };
  }
  return JSON.stringify({ name: title, nodes, connections, settings: {} });
}

function one(name: string, unit: string, value: number, budget: Figure['budget']): Figure {
  return toFigure('import', { name, unit, budget }, [value]);
}

function shares(set: ImportSet): readonly Figure[] {
  return [
    one(`${set.name}: accepted`, '%', acceptedShare(set), { atLeast: 99 }),
    one(`${set.name}: specs valid`, '%', validShare(set), { atLeast: 100 }),
    one(
      `${set.name}: files blocked by flow shape or other`,
      '%',
      causeShare(set, ['flow_shape', 'other']),
      { atMost: 5 },
    ),
    toFigure('import', { name: `${set.name}: one file`, unit: 'ms' }, set.times),
  ];
}

/** The command as a person runs it: a process of its own, all files, the report. */
function batchCommand(): Promise<Figure> {
  const words = [path.join(ROOT, 'server/cli/index.ts'), 'import', PUBLIC, '--format', 'json'];
  return measure('import', {
    name: 'specwright import, 143 public exports',
    unit: 'ms',
    warmup: 1,
    repeats: 5,
    budget: { atMost: 3_000 },
    sample: () =>
      milliseconds(() => {
        const done = spawnSync(process.execPath, words, { encoding: 'utf8', maxBuffer: 2 ** 28 });
        if (done.status !== 0) throw new Error(done.stderr);
      }),
  });
}

const COPIES = 11;
/** Loaded before a program: it tells at its end the most memory that it held, in KB. */
const TELLS_MEMORY = `data:text/javascript,${encodeURIComponent(
  `process.on('exit', () => process.stderr.write('\\nheld ' + process.resourceUsage().maxRSS + ' KB\\n'));`,
)}`;

/** The command over a folder as a team has one: its time, and the memory that it held at most. */
function largeBatch(): readonly Figure[] {
  const folder = scratchFolder();
  try {
    const from = path.join(folder.path, 'exports');
    for (let i = 0; i < COPIES; i += 1)
      cpSync(PUBLIC, path.join(from, `team ${i}`), { recursive: true });
    const command = path.join(ROOT, 'server/cli/index.ts');
    const runs = [1, 2, 3].map((turn) => {
      const out = path.join(folder.path, `drafts-${turn}`);
      const words = ['--import', TELLS_MEMORY, command, 'import', from, '--out', out];
      const start = performance.now();
      const done = spawnSync(process.execPath, words, { encoding: 'utf8', maxBuffer: 2 ** 28 });
      const time = performance.now() - start;
      if (done.status !== 0) throw new Error(done.stderr);
      const held = [...done.stderr.matchAll(/^held (\d+) KB$/gm)].map(([, kb]) => Number(kb));
      return { time, memory: Math.max(...held) / 1024 };
    });
    const name = 'specwright import, 1,573 exports';
    const times = runs.map(({ time }) => time);
    const memory = runs.map((run) => run.memory);
    return [
      toFigure('import', { name, unit: 'ms', budget: { atMost: 6_000 } }, times),
      toFigure('import', { name: `${name}: memory`, unit: 'MB', budget: { atMost: 350 } }, memory),
    ];
  } finally {
    folder.remove();
  }
}

/** The importers by themselves, the batch command, and imports over HTTP. */
export async function importBench(): Promise<readonly Figure[]> {
  // First: what the rest leaves in this process would be collected while answers are waited for.
  const overHttp = await importHttpBench(workflowOf);
  const honest = (file: string): boolean => !file.startsWith('refused-');
  const sets = [
    importSet('public-n8n', honest),
    importSet('n8n', honest),
    importSet('dify', honest),
  ];
  process.stdout.write(`${importTable(sets)}\n\n`);
  const [open] = sets;
  const figures: Figure[] = open === undefined ? [] : [...shares(open)];
  for (const count of [200, 1_000]) {
    const raw = workflowOf(count, `Chain of ${count}`);
    const once = analyze({ source: 'n8n', raw, conversion: 'extended' });
    if (!once.ok) throw new Error(once.message);
    figures.push(
      await measure('import', {
        name: `analyze, mixed n8n workflow of ${count} nodes`,
        unit: 'ms',
        warmup: 3,
        repeats: 20,
        sample: () => milliseconds(() => analyze({ source: 'n8n', raw, conversion: 'extended' })),
      }),
    );
  }
  figures.push(await batchCommand(), ...largeBatch(), ...overHttp);
  return figures;
}
