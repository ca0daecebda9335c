import type { Cheerio } from 'cheerio/slim';
import { load } from 'cheerio/slim';
import type { AnyNode, Document } from 'domhandler';
import { compile } from 'html-to-text';
import { parse } from 'parse5';
import { adapter } from 'parse5-htmlparser2-tree-adapter';
import type { Item, JsonObject } from '../../../items/item.ts';
import type { HandlerCall } from '../../handler.ts';
import { forEachItem, type OneItem } from '../each-item.ts';
import { getPath, pathOf } from '../field-path.ts';
import { FieldFailure } from '../fields.ts';
import { bytesOf, textOf } from '../files/file-reference.ts';
import type { Settings } from '../step-settings.ts';
import { refuseDeepHtml } from './costly-text.ts';

/** From this version on a text is laid out as a reader would see it. */
const FIRST_LAID_OUT = 1.2;

interface Reading {
  readonly value: JsonObject;
  readonly lays: boolean;
  readonly trims: boolean;
  readonly cleans: boolean;
}

type Nodes = Cheerio<AnyNode>;

/** Bound to no page: one that is bound to a page makes classes, which keep the page for long. */
const $ = load([]);

type Layout = (html: string) => string;

/** The layouts of the last few lists of what is skipped: making one takes longer than using it. */
const LAYOUTS = new Map<string, Layout>();
const MOST_LAYOUTS = 20;

function layoutWithout(skipped: string): Layout {
  const known = LAYOUTS.get(skipped);
  if (known !== undefined) return known;
  const selectors = skipped
    .split(',')
    .map((selector) => selector.trim())
    .filter((selector) => selector !== '');
  const made = compile({
    selectors: selectors.map((selector) => ({ selector, format: 'skip' })),
  });
  if (LAYOUTS.size >= MOST_LAYOUTS) LAYOUTS.clear();
  LAYOUTS.set(skipped, made);
  return made;
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
      return reading.lays
        ? layoutWithout(String(reading.value['skipSelectors'] ?? ''))(nodes.html() ?? '')
        : nodes.text() || undefined;
  }
}

function read(nodes: Nodes, reading: Reading): string | undefined {
  const content = contentOf(nodes, reading);
  const trimmed = reading.trims ? content?.trim() : content;
  return reading.cleans ? trimmed?.trim().replaceAll(/\s+/g, ' ') : trimmed;
}

function found(page: Document, reading: Reading): unknown {
  const selector = String(reading.value['cssSelector'] ?? '');
  let nodes: Nodes;
  try {
    nodes = $(selector, null, page);
  } catch {
    throw new FieldFailure(`'${selector}' is no CSS selector`);
  }
  if (reading.value['returnArray'] !== true) return read(nodes, reading);
  return nodes.toArray().map((node) => read($(node, null, page), reading));
}

function extracted(html: string, one: OneItem): JsonObject {
  const { settings, call } = one;
  refuseDeepHtml(html);
  const page = parse(html, { treeAdapter: adapter });
  const options = {
    lays: isHtml(call) && call.node.version >= FIRST_LAID_OUT,
    trims: settings.value('options.trimValues', true) === true,
    cleans: settings.isOn('options.cleanUpText'),
  };
  const values = settings.list('extractionValues.values');
  return Object.fromEntries(
    values.map((value) => [String(value['key'] ?? ''), found(page, { value, ...options })]),
  );
}

function isHtml({ node }: HandlerCall): boolean {
  return node.type.endsWith('.html');
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
