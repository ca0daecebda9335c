import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { callHandler, fieldsOf } from '../../../../test/support/handler-call.ts';
import { n8nPorts } from '../../../../test/support/n8n-ports.ts';
import { createEvaluator } from '../../../expressions/host/create-evaluator.ts';
import type { HandlerNode } from '../../handler.ts';
import { snippetOf } from './snippet.ts';

const RSS = `<?xml version="1.0"?>
<rss version="2.0" xmlns:dc="dc" xmlns:content="c" xmlns:itunes="i"><channel><title>Desk</title>
<item>
  <title>One &amp; only</title><link>https://example.com/1</link>
  <guid isPermaLink="false">id-1</guid>
  <pubDate>Wed, 04 May 2016 06:53:45 GMT</pubDate>
  <dc:creator>Ann</dc:creator>
  <description><![CDATA[<p>First</p><p>Second&nbsp;line</p>]]></description>
  <content:encoded><![CDATA[<b>All</b> of it]]></content:encoded>
  <category>News</category><category domain="d">Tech</category>
  <enclosure url="https://example.com/a.mp3" length="3" type="audio/mpeg"/>
  <itunes:duration>74</itunes:duration>
  <rating max="5">4</rating>
</item>
<item><title>Two</title><pubDate>someday</pubDate></item>
</channel></rss>`;
const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom"><title>A</title><entry>
  <title type="html">Entry</title><id>urn:1</id>
  <link rel="self" href="https://example.com/self"/><link rel="alternate" href="https://example.com/e"/>
  <updated>2026-01-02T03:04:05+01:00</updated><author><name>Eve</name></author>
  <summary>Short</summary><content type="html">&lt;i&gt;Long&lt;/i&gt;</content>
</entry></feed>`;
const RDF = `<rdf:RDF xmlns:rdf="r"><channel/><item rdf:about="https://example.com/r"><title>R</title></item></rdf:RDF>`;

const PAGES: Readonly<Record<string, string>> = {
  '/rss': RSS,
  '/atom': ATOM,
  '/rdf': RDF,
  '/page': '<html><body/></html>',
  '/broken': '<rss version="2.0"><channel>',
};
const server = createServer(({ url = '' }, response) => {
  const page = PAGES[url];
  if (page === undefined) response.writeHead(404).end();
  else response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(page);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const evaluator = createEvaluator();
afterAll(async () => {
  server.close();
  await evaluator.close();
});

function read(
  url: string,
  { given = [{}], ...node }: Partial<HandlerNode> & { given?: object[] } = {},
  options = {},
) {
  const parameters = { url, options };
  return callHandler(evaluator, {
    ...{ type: 'rssFeedRead', version: 1.2, parameters, ports: n8nPorts() },
    ...node,
    given: given.map((json) => ({ ...json })),
  });
}

describe('RSS Read', () => {
  it('gives the entries of a feed of RSS', async () => {
    const run = await read(`${base}/rss`);
    expect(fieldsOf(run)).toEqual([
      [
        {
          title: 'One & only',
          link: 'https://example.com/1',
          guid: 'id-1',
          pubDate: 'Wed, 04 May 2016 06:53:45 GMT',
          isoDate: '2016-05-04T06:53:45.000Z',
          creator: 'Ann',
          'dc:creator': 'Ann',
          content: '<p>First</p><p>Second&nbsp;line</p>',
          contentSnippet: 'First\nSecond\u00a0line',
          'content:encoded': '<b>All</b> of it',
          'content:encodedSnippet': 'All of it',
          categories: ['News', { _: 'Tech', $: { domain: 'd' } }],
          enclosure: { url: 'https://example.com/a.mp3', length: '3', type: 'audio/mpeg' },
          itunes: { duration: '74' },
        },
        { title: 'Two', pubDate: 'someday', itunes: {} },
      ],
    ]);
  });

  it('gives the entries of Atom and RDF', async () => {
    expect(fieldsOf(await read(`${base}/atom`))).toEqual([
      [
        {
          title: 'Entry',
          link: 'https://example.com/e',
          pubDate: '2026-01-02T02:04:05.000Z',
          isoDate: '2026-01-02T02:04:05.000Z',
          author: 'Eve',
          content: '<i>Long</i>',
          contentSnippet: 'Long',
          summary: 'Short',
          id: 'urn:1',
        },
      ],
    ]);
    expect(fieldsOf(await read(`${base}/rdf`))).toEqual([
      [{ title: 'R', 'rdf:about': 'https://example.com/r' }],
    ]);
  });

  it('reads the feed of each item, in version 1 of the first alone', async () => {
    const given = [{ feed: '/rdf' }, { feed: '/atom' }];
    const each = await read(`=${base}{{ $json.feed }}`, { given });
    expect(each.outputs[0]?.map(({ json, pairedItem }) => [json['title'], pairedItem])).toEqual([
      ['R', { item: 0 }],
      ['Entry', { item: 1 }],
    ]);
    const once = await read(`=${base}{{ $json.feed }}`, { given, version: 1 });
    expect(once.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([
      [{ item: 0 }, { item: 1 }],
    ]);
  });

  it('gives elements that are asked for by name', async () => {
    const run = await read(`${base}/rss`, {}, { customFields: 'rating, none' });
    expect(fieldsOf(run)[0]?.[0]).toMatchObject({ rating: '4' });
  });

  it.each([
    ['/gone', 'Status code 404'],
    ['/page', 'Feed not recognized as RSS 1 or 2.'],
    ['/broken', 'Unclosed root tag'],
  ])('fails where there is no feed: %s', async (path, words) => {
    await expect(read(`${base}${path}`)).rejects.toThrow(words);
    const run = await read(`${base}${path}`, { onError: 'regular_output' });
    expect(fieldsOf(run)).toEqual([[{ error: words }]]);
  });

  it('fails without an address, with one of no server, and with certificates unchecked', async () => {
    await expect(read('')).rejects.toThrow('"URL" has to be set');
    await expect(read('somewhere')).rejects.toThrow('is not valid');
    await expect(read('http://127.0.0.1:1/')).rejects.toThrow('ECONNREFUSED');
    await expect(read(base, {}, { ignoreSSL: true })).rejects.toThrow('always checked');
  });
});

describe('a snippet', () => {
  it.each([
    ['a<br>b<br/>\nc', 'a\nb\nc'],
    ['<p>x</p> &lt;y&gt; &eacute;', 'x\n &lt;y&gt; é'.replace('&lt;', '<').replace('&gt;', '>')],
    ['1 < 2', '1 < 2'],
  ])('%s', (markup, text) => expect(snippetOf(markup)).toBe(text));

  it.each(['<', 'a<p>\n', '<p', 'x<br'])('costs no more than its length: %s', (part) => {
    const begun = performance.now();
    snippetOf(part.repeat(300_000));
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});
