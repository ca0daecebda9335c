import type { Cheerio } from 'cheerio/slim';
import { load } from 'cheerio/slim';
import { compile as compileSelector, selectAll } from 'css-select';
import type { AnyNode, Document, Element } from 'domhandler';
import { compile } from 'html-to-text';
import { parse } from 'parse5';
import { adapter } from 'parse5-htmlparser2-tree-adapter';
import type { Item, JsonObject } from '../../../items/item.ts';
import { setOwn } from '../../../kernel/json.ts';
import type { HandlerCall } from '../../handler.ts';
import { forEachItem, type OneItem } from '../each-item.ts';
import { getPath, pathOf } from '../field-path.ts';
import { FieldFailure } from '../fields.ts';
import { bytesOf, textOf } from '../files/file-reference.ts';
import { keptByText } from '../kept-by-text.ts';
import type { Settings } from '../step-settings.ts';
import { refuseDeepHtml } from './costly-text.ts';
import { plainPage } from './plain-page.ts';
import { plainWords } from './plain-words.ts';

/** From this version on a text is laid out as a reader would see it. */
const FIRST_LAID_OUT = 1.2;

interface Reading {
  readonly key: string;
  readonly selector: string;
  readonly value: JsonObject;
  readonly lays: boolean;
  readonly trims: boolean;
  readonly cleans: boolean;
}

type Nodes = Cheerio<AnyNode>;

/** Bound to no page: one that is bound to a page makes classes, which keep the page for long. */
const $ = load([]);

/** Selectors that name neither their place in what is found nor the page itself. */
const PLAIN_SELECTOR = /^(?!.*(?:^|,)\s*[>+~,])[^:<]*[^:<\s]$/;
const compiledSelector = keptByText(100, (selector: string) =>
  compileSelector<AnyNode, Element>(selector),
);

const layoutWithout = keptByText(20, (skipped: string) => {
  const selectors = skipped
    .split(',')
    .map((selector) => selector.trim())
    .filter((selector) => selector !== '');
  return compile({ selectors: selectors.map((selector) => ({ selector, format: 'skip' })) });
});

function laidOut(nodes: Nodes, reading: Reading): string {
  const first = nodes.get(0);
  const plain = first === undefined ? '' : plainWords(first);
  return plain ?? layoutWithout(String(reading.value['skipSelectors'] ?? ''))(nodes.html() ?? '');
}

function contentOf(nodes: Nodes, reading: Reading): string | undefined {
  switch (reading.value['returnValue'] ?? 'text') {
    case 'attribute':
      return nodes.attr(String(reading.value['attribute'] ?? ''));
    case 'html':
      return nodes.html() ?? undefined;
    case 'value': {
      const found = nodes.val();
      return Array.isArray(found) ? found.join(',') : found;
    }
    default:
      return reading.lays ? laidOut(nodes, reading) : nodes.text() || undefined;
  }
}

function read(nodes: Nodes, reading: Reading): string | undefined {
  const content = contentOf(nodes, reading);
  const trimmed = reading.trims ? content?.trim() : content;
  return reading.cleans ? trimmed?.trim().replaceAll(/\s+/g, ' ') : trimmed;
}

function found(page: Document, reading: Reading): unknown {
  const { selector } = reading;
  let nodes: Nodes;
  try {
    nodes = PLAIN_SELECTOR.test(selector)
      ? $(selectAll(compiledSelector(selector), page.children))
      : $(selector, null, page);
  } catch {
    throw new FieldFailure(`'${selector}' is no CSS selector`);
  }
  if (reading.value['returnArray'] !== true) return read(nodes, reading);
  return nodes.toArray().map((node) => read($(node, null, page), reading));
}

function parsedPage(html: string): Document {
  refuseDeepHtml(html);
  return parse(html, { treeAdapter: adapter });
}

function isHtml({ node }: HandlerCall): boolean {
  return node.type.endsWith('.html');
}

function readingsIn({ settings, call }: OneItem): readonly Reading[] {
  const options = {
    lays: isHtml(call) && call.node.version >= FIRST_LAID_OUT,
    trims: settings.value('options.trimValues', true) === true,
    cleans: settings.isOn('options.cleanUpText'),
  };
  return settings.list('extractionValues.values').map((value) => ({
    ...{ key: String(value['key'] ?? ''), selector: String(value['cssSelector'] ?? ''), value },
    ...options,
  }));
}

/** What is read of each text of a step whose settings are the same for all items. */
const READINGS = new WeakMap<Settings, readonly Reading[]>();

function readingsOf(one: OneItem): readonly Reading[] {
  const known = READINGS.get(one.settings);
  if (known !== undefined) return known;
  const readings = readingsIn(one);
  READINGS.set(one.settings, readings);
  return readings;
}

function extracted(html: string, one: OneItem): JsonObject {
  const page = plainPage(html) ?? parsedPage(html);
  const json: JsonObject = {};
  for (const reading of readingsOf(one)) setOwn(json, reading.key, found(page, reading));
  return json;
}

function sourceFile({ binary }: Item, name: string): string {
  const file = binary?.[name];
  if (file === undefined) throw new FieldFailure(`No property named "${name}" exists!`);
  return textOf(bytesOf(file));
}

function sourcesOf(item: Item, settings: Settings): string[] {
  const name = settings.text('dataPropertyName', 'data');
  if (settings.text('sourceData', 'json') === 'binary') return [sourceFile(item, name)];
  const source = getPath(item.json, pathOf(name));
  if (source === undefined) throw new FieldFailure(`No property named "${name}" exists!`);
  return Array.isArray(source) ? source.map(String) : [String(source)];
}

/** HTML Extract, and that operation of HTML: fields by CSS selectors, an item for each text. */
export const handleHtmlExtract = forEachItem((one) => {
  const { item, at, settings } = one;
  return sourcesOf(item, settings).map((html): Item => {
    return { json: extracted(html, one), pairedItem: { item: at } };
  });
});
