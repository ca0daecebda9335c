import { createEvaluator } from '../../server/expressions/host/create-evaluator.ts';
import type { Evaluator } from '../../server/expressions/port/evaluator.ts';
import type { JsonObject } from '../../server/items/item.ts';
import { callHandler } from '../support/handler-call.ts';
import { BUILT_IN_STEPS, CONVERTERS, type HandlerStep } from './handler-steps.ts';
import { type Figure, measure } from './harness.ts';

const SUITE = 'handlers';
const ITEMS = 100;
/** Calls in one sample: a single one is shorter than the clock of the processor tells apart. */
const CALLS = 10;
/** Samples before the first one that counts: V8 compiles what runs often, the interpreter too. */
const WARMUP = 150;
const REPEATS = 50;
/** What a built-in step may take for 100 items. */
const STEP_MS = 0.5;

/** Items that steps are given, and what the steps may cost with them. */
interface Load {
  readonly what: string;
  readonly row: (n: number) => JsonObject;
  /** Milliseconds of steps for which `STEP_MS` is not meant. */
  readonly atMostMs: Readonly<Record<string, number>>;
  /** Megabytes of such text a second. */
  readonly atLeastMbs: Readonly<Record<string, number>>;
}

/** What is added to a text, by its field, so that only the library of its converter reads it. */
const BESIDE: Readonly<Record<string, string>> = { html: '<!-- x -->', markdown: '\n\n> said' };

const WORDS =
  '<h2>Hi</h2><p>a <strong>b</strong> <em>c</em><br>d</p><ul><li>x</li></ul><a href="http://e.com">e</a>';
const LINES =
  '# Title\n\nText **bold** _it_ ~~no~~\nnext `code`\n\n- a\n- b\n\n[l](http://example.com)';

/** The fields of which a step reads more than a number and a name. */
const MORE: Readonly<Record<string, (n: number) => JsonObject>> = {
  'Split Out': (n) => ({ list: [1, n] }),
  'Date & Time, a format': () => ({ at: '2024-01-31T10:00:00Z' }),
  'XML to JSON': (n) => ({ xml: `<a><b>${n}</b></a>` }),
  'HTML, one text of a page': (n) => ({ html: `${WORDS}${n}` }),
  'HTML to Markdown': (n) => ({ html: `${WORDS}${n}` }),
  'Markdown to HTML': (n) => ({ markdown: `${LINES} ${n}` }),
};

/**
 * As small as those of the recorded runs (`samples/n8n-runs`): of the 2,849 items that a step gave
 * there, half have at most 18 characters of JSON, and nine of ten at most 62. Steps that read more
 * than a number and a name get items with that field too; converters get texts of 100 characters,
 * as there, and no two of them alike. `STEP_MS` is 5 µs for a text, which none of the libraries
 * that write as the source does can keep to: what they read has a budget of throughput.
 */
const RECORDED: Load = {
  what: 'of the recorded size',
  row: (n) => ({ n, name: `n${n % 10}` }),
  atMostMs: {},
  atLeastMbs: {
    'HTML, one text of a page': 3,
    'HTML to Markdown': 2,
    'Markdown to HTML': 0.8,
  },
};

const PAGE = `<div>${'<p>Some <b>bold</b> words and <a href="https://shop.example">a link</a>.</p>'.repeat(10)}</div>`;
const NOTE = '# Title\n\nSome *words* and [a link](https://shop.example).\n\n- one\n- two\n'.repeat(
  5,
);

/** Items as services answer with: pages of 0.7 KB, notes of 0.4 KB. */
const LARGE: Load = {
  what: 'of 1.5 KB',
  row: (n) => ({
    ...{ n, name: `name ${n % 10}`, at: '2026-01-31T10:20:30.000Z', list: [1, 2, n] },
    ...{ inner: { a: n, b: 'x' }, html: PAGE, markdown: NOTE, xml: '<a><b>1</b><b>2</b></a>' },
  }),
  // Code sees all of each item: its items go to the confined interpreter as one text. Converters
  // read 40 to 80 KB, at most eight times as much as in the other load.
  atMostMs: {
    ...{ Code: 3, 'Date & Time, a format': 1, 'XML to JSON': 1 },
    ...{ 'HTML, one text of a page': 2, 'Markdown to HTML': 2, 'HTML to Markdown': 2 },
  },
  atLeastMbs: {
    'HTML, one text of a page': 8,
    'HTML to Markdown': 4,
    'Markdown to HTML': 1.2,
  },
};

/** Milliseconds of the processor that one call takes, in all threads. */
async function costOf(evaluator: Evaluator, step: Parameters<typeof callHandler>[1]) {
  const before = process.cpuUsage();
  for (let done = 0; done < CALLS; done += 1) await callHandler(evaluator, step);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / CALLS;
}

function rowsOf(load: Load, what: string): JsonObject[] {
  return Array.from({ length: ITEMS }, (_, n) => ({ ...MORE[what]?.(n), ...load.row(n) }));
}

function givenTo({ isJoined, ...step }: HandlerStep, rows: readonly JsonObject[]) {
  const items = rows.map((json) => ({ json }));
  return { ...step, inputs: isJoined === true ? [items, items] : [items] };
}

async function stepFigures(evaluator: Evaluator, load: Load): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [what, step] of BUILT_IN_STEPS) {
    const given = givenTo(step, rowsOf(load, what));
    figures.push(
      await measure(SUITE, {
        name: `${what}: ${ITEMS} items ${load.what}`,
        unit: 'ms CPU',
        warmup: WARMUP,
        repeats: REPEATS,
        budget: { atMost: load.atMostMs[what] ?? STEP_MS },
        sample: () => costOf(evaluator, given),
      }),
    );
  }
  return figures;
}

async function libraryFigures(evaluator: Evaluator, load: Load): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [what, step, field] of CONVERTERS) {
    const rows = rowsOf(load, what).map((row) => ({
      ...row,
      [field]: `${row[field]}${BESIDE[field]}`,
    }));
    const given = givenTo(step, rows);
    const bytes = rows.reduce((sum, row) => sum + String(row[field]).length, 0);
    figures.push(
      await measure(SUITE, {
        name: `${what}, by its library: ${ITEMS} items ${load.what}`,
        unit: 'MB/s CPU',
        warmup: WARMUP,
        repeats: REPEATS,
        budget: { atLeast: load.atLeastMbs[what] ?? 1 },
        sample: async () => bytes / 1_000 / (await costOf(evaluator, given)),
      }),
    );
  }
  return figures;
}

/** Built-in steps over 100 items: of the size that items of the recorded runs have, and of 1.5 KB. */
export async function handlersBench(): Promise<readonly Figure[]> {
  const evaluator = createEvaluator();
  try {
    const figures: Figure[] = [];
    for (const load of [RECORDED, LARGE])
      figures.push(
        ...(await stepFigures(evaluator, load)),
        ...(await libraryFigures(evaluator, load)),
      );
    return figures;
  } finally {
    await evaluator.close();
  }
}
