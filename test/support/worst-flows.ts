import { code, type FlowSpecStep, flowSpec } from './flow-specs.ts';

/** An imported workflow made to cost as much as it can. */
export interface WorstFlow {
  readonly what: string;
  readonly spec: object;
  /** What the failure of the run says. */
  readonly says: RegExp;
}

type Parameters = NonNullable<FlowSpecStep['parameters']>;

function node(name: string, version: number, parameters: Parameters): FlowSpecStep {
  return { type: `n8n-nodes-base.${name}`, version, parameters };
}

/** A step that may compute for two seconds. */
function short(step: FlowSpecStep): FlowSpecStep {
  return { ...step, node: { timeout_seconds: 2 } };
}

function field(value: string): FlowSpecStep {
  const assignments = { assignments: [{ id: 'a', name: 'a', value, type: 'string' }] };
  return node('set', 3.4, { assignments, options: {} });
}

function alone(step: FlowSpecStep): object {
  return flowSpec({ start: step }, []);
}

/** Code that makes one item, and a step that has to take it. */
function fed(field: string, step: FlowSpecStep): object {
  return flowSpec({ start: code(`return [{ json: ${field} }];`), worst: step }, [
    ['start', 'worst'],
  ]);
}

const many = (count: number): FlowSpecStep =>
  code(`return Array.from({ length: ${count} }, (_, n) => ({ json: { n } }));`);

function crossJoin(): object {
  const inputs = [[{ step: 'left', output: 0 }], [{ step: 'right', output: 0 }]];
  const join = node('merge', 3.2, { mode: 'combine', combineBy: 'combineAll', options: {} });
  return flowSpec(
    {
      start: code('return items;'),
      left: many(10_000),
      right: many(10_000),
      join: { ...join, inputs },
    },
    [
      ['start', 'left'],
      ['start', 'right'],
      ['left', 'join'],
      ['right', 'join'],
    ],
  );
}

function endlessLoop(): object {
  const loop = node('splitInBatches', 3, { batchSize: 1, options: { reset: true } });
  return flowSpec({ start: many(3), loop, body: code('return items;') }, [
    ['start', 'loop'],
    ['loop', 'body', 1],
    ['body', 'loop'],
  ]);
}

const ENTITIES = Array.from(
  { length: 12 },
  (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`,
).join('');
const BOMB = `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY e0 "ha">${ENTITIES}]><d>&e12;</d>`;

/** What can go wrong in steps of imported workflows; each ends in a failure that says why. */
export const WORST_FLOWS: readonly WorstFlow[] = [
  {
    what: 'Code that loops without end',
    spec: alone(short(code('while (true);'))),
    says: /longer|timed out|time/i,
  },
  {
    what: 'Code that takes 3 GB',
    spec: alone(
      short(code('const a = []; while (true) a.push(new Array(100_000).fill(a.length));')),
    ),
    says: /memory|longer|timed out/i,
  },
  {
    what: 'Code that looks for the process',
    spec: alone(code('return [].constructor.constructor("return process")().exit(1);')),
    says: /process/,
  },
  { what: 'Code that gives a million items', spec: alone(many(1_000_000)), says: /more|many/ },
  {
    what: 'Split Out of a million entries',
    spec: fed(
      '{ list: Array.from({ length: 1e6 }, (_, n) => n) }',
      node('splitOut', 1, { fieldToSplitOut: 'list', options: {} }),
    ),
    says: /more|many/,
  },
  {
    what: 'Code that gives a value that holds itself',
    spec: alone(code('const a = {}; a.a = a; return [{ json: a }];')),
    says: /circular|itself|deep/i,
  },
  {
    what: 'Code that gives a file of 150 MB',
    spec: alone(
      code(
        'return [{ json: {}, binary: { f: { data: "A".repeat(2e8), mimeType: "text/plain" } } }];',
      ),
    ),
    says: /more data|memory/,
  },
  {
    what: 'an expression that loops without end',
    spec: alone(short(field('={{ (() => { while (true); })() }}'))),
    says: /longer|timed out/,
  },
  {
    what: 'a pattern in an expression that runs away',
    spec: alone(short(field('={{ /(a+)+b/.test("a".repeat(60)) }}'))),
    says: /longer|timed out/,
  },
  { what: 'a loop over items that begins again each time', spec: endlessLoop(), says: /max|steps/ },
  { what: 'Merge of 10,000 and 10,000, each with each', spec: crossJoin(), says: /items/ },
  {
    what: 'Code that gives an object of 100,000 levels',
    spec: alone(code('let d = {}; for (let i = 0; i < 1e5; i++) d = { d }; return [{ json: d }];')),
    says: /deep/,
  },
  {
    what: 'Edit Fields with JSON of 100,000 levels',
    spec: fed(
      '{ text: "[".repeat(1e5) + "]".repeat(1e5) }',
      node('set', 3.4, { mode: 'raw', jsonOutput: '={{ $json.text }}', options: {} }),
    ),
    says: /JSON|deep|object/,
  },
  {
    what: 'HTML of 1 MB, each tag inside of the one before',
    spec: fed(
      '{ html: "<div>".repeat(2e5) }',
      node('html', 1.2, {
        operation: 'extractHtmlContent',
        dataPropertyName: 'html',
        extractionValues: { values: [{ key: 'a', cssSelector: 'div', returnValue: 'text' }] },
        options: {},
      }),
    ),
    says: /tags inside/,
  },
  {
    what: 'Markdown of half a million open links',
    spec: fed(
      '{ text: "[".repeat(5e5) }',
      node('markdown', 1, { mode: 'markdownToHtml', markdown: '={{ $json.text }}', options: {} }),
    ),
    says: /opens more|in a row/,
  },
  {
    what: 'XML whose entities name one another',
    spec: fed(
      `{ data: ${JSON.stringify(BOMB)} }`,
      node('xml', 1, { mode: 'xmlToJson', dataPropertyName: 'data', options: {} }),
    ),
    says: /entit|XML|DOCTYPE/i,
  },
];
