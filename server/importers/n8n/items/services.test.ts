import { describe, expect, it } from 'vitest';
import { readJson } from '../../read-json.ts';
import { ledgerFaults } from '../../testing/check-ledger.ts';
import { analysisOf, BASE, textOf, trigger } from '../../testing/item-exports.ts';

/** What is told of a step behind a trigger. */
function told(type: string, version: number, parameters: object) {
  const raw = textOf({ t: trigger, a: { type: `${BASE}${type}`, version, parameters } });
  const outcome = analysisOf(raw);
  expect(ledgerFaults(readJson(raw), outcome)).toEqual([]);
  const gaps = outcome.gaps.filter(
    ({ spec_ref, severity }) => spec_ref === 'a' && severity === 'blocking',
  );
  return gaps.map(({ detail }) => detail);
}

describe('a node of a vendor', () => {
  it.each([
    ['telegram', 1.2, { chatId: '=1', text: 'x', additionalFields: { appendAttribution: false } }],
    ['telegram', 1, { resource: 'file', fileId: '={{ 1 }}' }],
    [
      'telegram',
      1.2,
      { operation: 'sendVideo', binaryData: true, chatId: '1', additionalFields: {} },
    ],
    [
      'slack',
      2.2,
      { select: 'channel', channelId: { __rl: true, mode: 'list', value: 'C' }, text: 'x' },
    ],
    [
      'notion',
      2.2,
      {
        resource: 'databasePage',
        databaseId: {
          __rl: true,
          mode: 'url',
          value: 'https://www.notion.so/1375b6e0c94f80108161c65e2c0f093a',
        },
      },
    ],
    ['discord', 2, { authentication: '{{ $credentials.webhook }}', content: 'x', options: {} }],
    [
      'airtable',
      2.1,
      {
        operation: 'create',
        base: {},
        table: {},
        columns: { mappingMode: 'autoMapInputData', value: {} },
      },
    ],
  ])('runs by its row: %s %d %j', (type, version, parameters) => {
    expect(told(type, version, parameters)).toEqual([]);
  });

  it.each([
    ['telegram', { operation: 'fly' }, 'the operation message/fly'],
    ['telegram', { operation: '={{ $json.x }}' }, 'operation computed for each item'],
    [
      'telegram',
      { chatId: '1', text: 'x', additionalFields: { effect: 'fire' } },
      'the setting additionalFields.effect',
    ],
    [
      'telegram',
      { chatId: '1', text: 'x', replyMarkup: '={{ $json.x }}' },
      'the setting replyMarkup computed for each item',
    ],
    ['telegram', { chatId: '1', text: 'x', replyMarkup: 'game' }, 'the setting replyMarkup = game'],
    [
      'telegram',
      { operation: 'sendPhoto', binaryData: '={{ 1 }}' },
      'binaryData computed for each item',
    ],
    [
      'telegram',
      { chatId: '1', additionalFields: '={{ $json }}' },
      'the setting additionalFields computed as a whole',
    ],
    [
      'notion',
      { resource: 'databasePage', propertiesUi: { propertyValues: [{ key: 'A|button' }] } },
      'key = A|button',
    ],
    [
      'slack',
      {
        select: 'channel',
        channelId: { __rl: true, mode: 'url', value: 'https://a.slack.com/archives/C' },
      },
      'channelId given as an address',
    ],
    ['github', { authentication: 'none' }, 'the setting authentication = none'],
  ])('blocks, and names what no row carries out: %s %j', (type, parameters, words) => {
    const version =
      new Map([
        ['notion', 2.2],
        ['slack', 2.2],
      ]).get(type) ?? 1.1;
    const [detail = '', ...more] = told(type, version, parameters);
    expect(detail).toContain(words);
    expect(more).toEqual([]);
  });
});
