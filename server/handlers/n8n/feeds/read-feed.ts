import { Builder, Parser } from 'xml2js';
import type { JsonObject } from '../../../items/item.ts';
import { isObject } from '../../../kernel/json.ts';
import { StepFailure } from '../../handler.ts';
import { listIn, objectIn } from '../settings.ts';
import { snippetOf } from './snippet.ts';

type Fields = readonly (readonly [from: string, to: string])[];

const SAME = ['title', 'link', 'pubDate', 'author', 'summary'];
/** What an item has, in the order of the source; a later one of a name wins. */
const OF_ITEM: Fields = [
  ['author', 'creator'],
  ...['creator', 'date', 'language', 'rights', 'source', 'title'].map(
    (name) => [`dc:${name}`, name] as const,
  ),
  ...[...SAME, 'content:encoded', 'enclosure', 'dc:creator', 'dc:date', 'comments'].map(
    (name) => [name, name] as const,
  ),
];
const OF_PODCAST: Fields = [
  ...['author', 'subtitle', 'summary', 'explicit', 'duration', 'image', 'episode', 'season'],
  ...['keywords', 'episodeType'],
].map((name) => [`itunes:${name}`, name] as const);
const WITH_SNIPPET = 'content:encoded';

function firstIn(element: unknown, name: string): unknown {
  const found = isObject(element) ? element[name] : undefined;
  return Array.isArray(found) ? found[0] : undefined;
}

/** The text of an element that has attributes, or the element as it is. */
function textIn(element: unknown): unknown {
  return isObject(element) && typeof element['_'] === 'string' ? element['_'] : element;
}

function copied(element: JsonObject, fields: Fields): JsonObject {
  const found = fields.flatMap(([from, to]) => {
    const value = textIn(firstIn(element, from));
    if (value === undefined) return [];
    const isLong = to === WITH_SNIPPET && typeof value === 'string';
    const snippet = isLong ? [[`${to}Snippet`, snippetOf(value)] as const] : [];
    return [[to, value] as const, ...snippet];
  });
  return Object.fromEntries(found);
}

/** Text of an element; elements in it as markup. */
function contentOf(element: unknown): unknown {
  const text = textIn(element);
  if (!isObject(text)) return text;
  const renderOpts = { pretty: false };
  return new Builder({ headless: true, rootName: 'div', renderOpts }).buildObject(text);
}

function isoOf(text: unknown): string | undefined {
  const date = new Date(String(text).trim());
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function withIsoDate(item: JsonObject): JsonObject {
  const isoDate = isoOf(item['pubDate'] || item['date'] || undefined);
  return isoDate === undefined ? item : { ...item, isoDate };
}

function given(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function bodyOf(content: unknown): JsonObject {
  if (content === undefined) return {};
  const text = contentOf(content);
  return given({
    content: text,
    contentSnippet: typeof text === 'string' ? snippetOf(text) : undefined,
  });
}

function podcastOf(element: JsonObject): JsonObject {
  const image = objectIn(firstIn(element, 'itunes:image'), '$')['href'];
  return { ...copied(element, OF_PODCAST), ...given({ image }) };
}

function rssItem(element: JsonObject, more: Fields, isPodcast: boolean): JsonObject {
  const guid = textIn(firstIn(element, 'guid'));
  const enclosure = firstIn(element, 'enclosure');
  const item = {
    ...copied(element, [...OF_ITEM, ...more]),
    ...(enclosure === undefined ? {} : given({ enclosure: objectIn(enclosure, '$') })),
    ...bodyOf(firstIn(element, 'description')),
    ...given({ guid, 'rdf:about': objectIn(element, '$')['rdf:about'] }),
    ...given({ categories: element['category'] }),
  };
  return { ...withIsoDate(item), ...(isPodcast ? { itunes: podcastOf(element) } : {}) };
}

function linkOf(element: JsonObject): unknown {
  const links = listIn(element, 'link').map((link) => objectIn(link, '$'));
  return (links.find(({ rel }) => rel === 'alternate') ?? links[0])?.['href'];
}

/** When an entry was published, or else changed. @throws StepFailure when that is no date */
function publishedAt(element: JsonObject): string | undefined {
  const text = firstIn(element, 'published') || firstIn(element, 'updated');
  if (typeof text !== 'string' || text === '') return undefined;
  const date = isoOf(text);
  if (date === undefined) throw new StepFailure('Invalid time value');
  return date;
}

function atomItem(element: JsonObject, more: Fields): JsonObject {
  const title = textIn(firstIn(element, 'title'));
  const summary = firstIn(element, 'summary');
  const item = {
    ...copied(element, more),
    ...given({ title: title === '' ? undefined : title, link: linkOf(element) }),
    ...given({ pubDate: publishedAt(element) }),
    ...given({ author: firstIn(firstIn(element, 'author'), 'name') }),
    ...bodyOf(firstIn(element, 'content')),
    ...(summary === undefined ? {} : { summary: contentOf(summary) }),
    ...given({ id: firstIn(element, 'id') }),
  };
  return withIsoDate(item);
}

async function parsed(text: string): Promise<JsonObject> {
  try {
    const found: unknown = await new Parser({}).parseStringPromise(text);
    if (isObject(found)) return found;
  } catch (error) {
    const [line = ''] = error instanceof Error ? error.message.split('\n') : [];
    throw new StepFailure(line === '' ? 'Unable to parse XML.' : line);
  }
  throw new StepFailure('Unable to parse XML.');
}

/**
 * The items of a feed: RSS 0.9 to 2.0, RDF or Atom.
 *
 * @param more Names of elements that each item has as well.
 * @throws StepFailure when the text is no feed
 */
export async function readFeed(text: string, more: readonly string[]): Promise<JsonObject[]> {
  const { feed, rss, 'rdf:RDF': rdf } = await parsed(text);
  const fields = more.map((name) => [name, name] as const);
  if (isObject(feed)) return listIn(feed, 'entry').map((entry) => atomItem(entry, fields));
  if (isObject(rdf)) return listIn(rdf, 'item').map((item) => rssItem(item, fields, false));
  const { version, 'xmlns:itunes': itunes } = objectIn(rss, '$');
  if (!/^2|0\.9/.test(String(version ?? '')))
    throw new StepFailure('Feed not recognized as RSS 1 or 2.');
  const isPodcast = String(version).startsWith('2') && itunes !== undefined;
  const items = listIn(firstIn(rss, 'channel'), 'item');
  return items.map((item) => rssItem(item, fields, isPodcast));
}
