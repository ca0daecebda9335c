// A step of each built-in handler that computes, as exports have it, over the items of a load.
import type { callHandler } from '../support/handler-call.ts';

type Try = Parameters<typeof callHandler>[1];

export interface HandlerStep extends Omit<Try, 'given' | 'inputs'> {
  /** It gets the items twice, on two inputs. */
  readonly isJoined?: true;
}

const filter = (leftValue: unknown) => ({
  conditions: {
    options: { caseSensitive: true, typeValidation: 'strict', version: 2 },
    conditions: [{ leftValue, rightValue: 50, operator: { type: 'number', operation: 'gt' } }],
    combinator: 'and',
  },
});
const dated = { date: '={{ $json.at }}', options: {} };

/** Steps that convert a text, and the field that holds it. */
export const CONVERTERS: readonly (readonly [what: string, step: HandlerStep, field: string])[] = [
  [
    'HTML, one text of a page',
    {
      type: 'html',
      version: 1.2,
      parameters: {
        operation: 'extractHtmlContent',
        dataPropertyName: 'html',
        extractionValues: { values: [{ key: 'a', cssSelector: 'b, strong', returnValue: 'text' }] },
        options: {},
      },
    },
    'html',
  ],
  [
    'Markdown to HTML',
    {
      type: 'markdown',
      parameters: { mode: 'markdownToHtml', markdown: '={{ $json.markdown }}', options: {} },
    },
    'markdown',
  ],
  [
    'HTML to Markdown',
    {
      type: 'markdown',
      parameters: { mode: 'htmlToMarkdown', html: '={{ $json.html }}', options: {} },
    },
    'html',
  ],
];

/** A step of each built-in handler that computes, as exports have it. */
export const BUILT_IN_STEPS: readonly (readonly [what: string, step: HandlerStep])[] = [
  ['No Operation', { type: 'noOp' }],
  ['Limit', { type: 'limit', parameters: { maxItems: 50 } }],
  ['If, one expression', { type: 'if', version: 2.2, parameters: filter('={{ $json.n }}') }],
  ['If, one computation', { type: 'if', version: 2.2, parameters: filter('={{ $json.n * 2 }}') }],
  [
    'If, one call of a function',
    { type: 'if', version: 2.2, parameters: filter('={{ Math.round($json.n / 2) }}') },
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
  [
    'Merge, append',
    { type: 'merge', version: 3.2, isJoined: true, parameters: { mode: 'append' } },
  ],
  [
    'Merge by a field',
    {
      type: 'merge',
      version: 3.2,
      isJoined: true,
      parameters: { mode: 'combine', fieldsToMatchString: 'n', options: {} },
    },
  ],
  ['Loop Over Items', { type: 'splitInBatches', version: 3, parameters: { batchSize: 10 } }],
  [
    'Crypto, a hash',
    { type: 'crypto', parameters: { action: 'hash', type: 'SHA256', value: '={{ $json.name }}' } },
  ],
  [
    'Date & Time, a format',
    { type: 'dateTime', version: 2, parameters: { ...dated, operation: 'formatDate' } },
  ],
  ['XML to JSON', { type: 'xml', parameters: { dataPropertyName: 'xml', options: {} } }],
  ...CONVERTERS.map(([what, step]) => [what, step] as const),
];
