import { Builder, Parser } from 'xml2js';
import type { Item, JsonObject } from '../../items/item.ts';
import { isObject } from '../../kernel/json.ts';
import { type Handler, itemsOf, StepFailure } from '../handler.ts';
import type { OneItem } from './each-item.ts';
import { keptByOptions } from './kept-by-options.ts';
import { settingsByItem } from './step-settings.ts';

const PARSER_OPTIONS = [
  ...['attrkey', 'charkey', 'explicitArray', 'explicitRoot', 'ignoreAttrs', 'mergeAttrs'],
  ...['normalize', 'normalizeTags', 'trim'],
];
const BUILDER_OPTIONS = [
  'allowSurrogateChars',
  'attrkey',
  'cdata',
  'charkey',
  'headless',
  'rootName',
];

function chosen(options: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(options).filter(([name, value]) => names.includes(name) && value !== ''),
  );
}

/** It is what it was at first behind each text, also behind one that is no XML. */
const parserFor = keptByOptions(
  (options) =>
    new Parser({ mergeAttrs: true, explicitArray: false, ...chosen(options, PARSER_OPTIONS) }),
);

function parsed(text: string, options: JsonObject): Promise<unknown> {
  return parserFor(options)
    .parseStringPromise(text)
    .catch((error: unknown) => {
      const [line = ''] = error instanceof Error ? error.message.split('\n') : [];
      throw new StepFailure(line === '' ? 'The text is no XML' : line);
    });
}

async function fromXml({ item, at, settings }: OneItem): Promise<Item> {
  const name = settings.text('dataPropertyName', 'data');
  const text = item.json[name];
  if (text === undefined) throw new StepFailure(`Item has no JSON property called "${name}"`);
  const json = await parsed(String(text), settings.object('options'));
  return { json: isObject(json) ? json : {}, pairedItem: { item: at } };
}

function toXml({ item, at, settings }: OneItem): Item {
  const name = settings.text('dataPropertyName', 'data');
  const options = chosen(settings.object('options'), BUILDER_OPTIONS);
  const text = new Builder({ cdata: false, ...options }).buildObject(item.json);
  return { json: { [name]: text }, pairedItem: { item: at } };
}

/** XML, both ways. Under an error that does not stop the run nothing of the item is given. */
export const handleXml: Handler = async (call) => {
  const items = itemsOf(call);
  const made: Item[] = [];
  const bad: Item[] = [];
  for (const [at, settings] of (await settingsByItem(call, items)).entries()) {
    const one = { call, item: items[at] ?? { json: {} }, at, settings };
    try {
      const isToXml = settings.text('mode', 'xmlToJson') === 'jsonToxml';
      made.push(isToXml ? toXml(one) : await fromXml(one));
    } catch (error) {
      if (!(error instanceof StepFailure) || call.node.onError === 'stop') throw error;
    }
  }
  return call.node.onError === 'error_output' ? [made, bad] : [made];
};
