import { createEvaluator } from '../../server/expressions/host/create-evaluator.ts';
import type { Evaluator } from '../../server/expressions/port/evaluator.ts';
import { callHandler } from '../support/handler-call.ts';
import { type Figure, measure } from './harness.ts';

const SUITE = 'handlers';
const ITEMS = 100;
/** Calls in one sample: a single one is shorter than the clock of the processor tells apart. */
const CALLS = 10;

type Try = Parameters<typeof callHandler>[1];

const PAGE = `<div>${'<p>Some <b>bold</b> words and <a href="https://shop.example">a link</a>.</p>'.repeat(10)}</div>`;
const NOTE = '# Title\n\nSome *words* and [a link](https://shop.example).\n\n- one\n- two\n'.repeat(
  5,
);
const ROW = (n: number) => ({
  ...{ n, name: `name ${n % 10}`, at: '2026-01-31T10:20:30.000Z', list: [1, 2, n] },
  ...{ inner: { a: n, b: 'x' }, html: PAGE, markdown: NOTE, xml: '<a><b>1</b><b>2</b></a>' },
});
const GIVEN = Array.from({ length: ITEMS }, (_, n) => ROW(n));
const TWO = [GIVEN, GIVEN].map((list) => list.map((json) => ({ json })));

const filter = (leftValue: unknown) => ({
  conditions: {
    options: { caseSensitive: true, typeValidation: 'strict', version: 2 },
    conditions: [{ leftValue, rightValue: 50, operator: { type: 'number', operation: 'gt' } }],
    combinator: 'and',
  },
});
const dated = { date: '={{ $json.at }}', options: {} };

/** What a step of the program's own code may take. */
const OWN_MS = 0.5;
/** The fields that it computes with go to the confined interpreter. */
const COMPUTED_MS = 1.5;
/** Its items go to the confined interpreter as text and its results come back so. */
const CODE_MS = 3;
/** A library reads and writes a date of a zone, or a short document, for each item. */
const LIBRARY_MS = 1;
/** It reads a whole page for each item: 0.06 ms for each. */
const PAGE_MS = 10;
/** The source's own converters: 0.1 to 0.2 ms for each text. */
const MARKDOWN_MS = 25;

/** A step of each built-in handler that computes, as exports have it. */
const STEPS: readonly (readonly [what: string, step: Try, atMost?: number])[] = [
  ['No Operation', { type: 'noOp' }],
  ['Limit', { type: 'limit', parameters: { maxItems: 50 } }],
  ['If, one expression', { type: 'if', version: 2.2, parameters: filter('={{ $json.n }}') }],
  [
    'If, one computation',
    { type: 'if', version: 2.2, parameters: filter('={{ $json.n * 2 }}') },
    COMPUTED_MS,
  ],
  [
    'Filter, one expression',
    { type: 'filter', version: 2.2, parameters: filter('={{ $json.n }}') },
  ],
  [
    'Switch, one rule',
    { type: 'switch', version: 3.2, parameters: { rules: { values: [filter('={{ $json.n }}')] } } },
  ],
  [
    'Edit Fields, one text',
    {
      type: 'set',
      version: 3.4,
      parameters: {
        assignments: { assignments: [{ id: 'a', name: 'a', value: 'x', type: 'string' }] },
      },
    },
  ],
  [
    'Code',
    {
      type: 'code',
      version: 2,
      parameters: { jsCode: 'return items.map(({ json }) => ({ json: { n: json.n + 1 } }));' },
    },
    CODE_MS,
  ],
  [
    'Aggregate, all items',
    { type: 'aggregate', parameters: { aggregate: 'aggregateAllItemData', options: {} } },
  ],
  ['Split Out', { type: 'splitOut', parameters: { fieldToSplitOut: 'list', options: {} } }],
  [
    'Sort',
    {
      type: 'sort',
      parameters: { sortFieldsUi: { sortField: [{ fieldName: 'name', order: 'descending' }] } },
    },
  ],
  [
    'Remove Duplicates',
    {
      type: 'removeDuplicates',
      version: 2,
      parameters: { compare: 'selectedFields', fieldsToCompare: 'name', options: {} },
    },
  ],
  [
    'Summarize',
    {
      type: 'summarize',
      version: 1.1,
      parameters: {
        fieldsToSummarize: { values: [{ aggregation: 'sum', field: 'n' }] },
        fieldsToSplitBy: 'name',
        options: {},
      },
    },
  ],
  [
    'Rename Keys',
    { type: 'renameKeys', parameters: { keys: { key: [{ currentKey: 'n', newKey: 'm' }] } } },
  ],
  ['Merge, append', { type: 'merge', version: 3.2, inputs: TWO, parameters: { mode: 'append' } }],
  [
    'Merge by a field',
    {
      type: 'merge',
      version: 3.2,
      inputs: TWO,
      parameters: { mode: 'combine', fieldsToMatchString: 'n', options: {} },
    },
  ],
  ['Loop Over Items', { type: 'splitInBatches', version: 3, parameters: { batchSize: 10 } }],
  [
    'Crypto, a hash',
    { type: 'crypto', parameters: { action: 'hash', type: 'SHA256', value: 'x' } },
  ],
  [
    'Date & Time, a format',
    { type: 'dateTime', version: 2, parameters: { ...dated, operation: 'formatDate' } },
    LIBRARY_MS,
  ],
  [
    'HTML, one text of a page of 0.7 KB',
    {
      type: 'html',
      version: 1.2,
      parameters: {
        operation: 'extractHtmlContent',
        dataPropertyName: 'html',
        extractionValues: { values: [{ key: 'a', cssSelector: 'b', returnValue: 'text' }] },
        options: {},
      },
    },
    PAGE_MS,
  ],
  [
    'Markdown, to HTML, 0.4 KB',
    { type: 'markdown', parameters: { mode: 'markdownToHtml', markdown: NOTE, options: {} } },
    MARKDOWN_MS,
  ],
  [
    'Markdown, of HTML, 0.7 KB',
    { type: 'markdown', parameters: { mode: 'htmlToMarkdown', html: PAGE, options: {} } },
    MARKDOWN_MS,
  ],
  [
    'XML to JSON',
    { type: 'xml', parameters: { dataPropertyName: 'xml', options: {} } },
    LIBRARY_MS,
  ],
];

/** Milliseconds of the processor that one call takes, in all threads. */
async function costOf(evaluator: Evaluator, step: Try): Promise<number> {
  const before = process.cpuUsage();
  for (let done = 0; done < CALLS; done += 1) await callHandler(evaluator, step);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / CALLS;
}

/** A built-in step over 100 items, by handler. */
export async function handlersBench(): Promise<readonly Figure[]> {
  const evaluator = createEvaluator();
  const figures: Figure[] = [];
  try {
    for (const [what, given, atMost = OWN_MS] of STEPS) {
      const step = given.inputs === undefined ? { ...given, given: GIVEN } : given;
      figures.push(
        await measure(SUITE, {
          name: `${what}: ${ITEMS} items`,
          unit: 'ms CPU',
          warmup: 10,
          repeats: 20,
          budget: { atMost },
          sample: () => costOf(evaluator, step),
        }),
      );
    }
  } finally {
    await evaluator.close();
  }
  return figures;
}
