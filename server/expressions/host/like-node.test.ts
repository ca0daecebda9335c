import fc from 'fast-check';
import { DateTime } from 'luxon';
import { afterAll, describe, expect, it } from 'vitest';
import { evaluateOne, stepWith } from '../../../test/support/expressions.ts';
import { createEvaluator } from './create-evaluator.ts';

const evaluator = createEvaluator();
afterAll(() => evaluator.close());

const ZONES = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Africa/Casablanca',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
];
const LOCALES = ['en-US', 'de-DE', 'fr', 'ja-JP', 'ar-EG', 'pt-BR'];
const moments = fc.integer({ min: -2_000_000_000_000, max: 4_000_000_000_000 });

describe('what the interpreter has no Intl for is as in Node', () => {
  it('moments in zones, with their offsets and names', async () => {
    await fc.assert(
      fc.asyncProperty(
        moments,
        fc.constantFrom(...ZONES),
        fc.constantFrom(...LOCALES),
        async (ms, zone, locale) => {
          const here = DateTime.fromMillis(ms, { zone, locale });
          const pattern = "cccc d LLLL yyyy, HH:mm:ss.SSS ZZZZ 'week' WW";
          const expression = `{{ [DateTime.fromMillis($json.ms, { zone: $json.zone, locale: $json.locale })].map(d => [d.toISO(), d.toFormat($json.pattern), d.toLocaleString(DateTime.DATETIME_FULL), d.startOf('week').plus({ months: 1 }).toISO()])[0] }}`;
          expect(await evaluateOne(evaluator, expression, { ms, zone, locale, pattern })).toEqual([
            here.toISO(),
            here.toFormat(pattern),
            here.toLocaleString(DateTime.DATETIME_FULL),
            here.startOf('week').plus({ months: 1 }).toISO(),
          ]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('local times in zones, also those that a clock skips or has twice', async () => {
    const times = fc.record({
      year: fc.integer({ min: 1980, max: 2040 }),
      month: fc.integer({ min: 1, max: 12 }),
      day: fc.integer({ min: 1, max: 28 }),
      hour: fc.integer({ min: 0, max: 23 }),
      minute: fc.integer({ min: 0, max: 59 }),
    });
    await fc.assert(
      fc.asyncProperty(times, fc.constantFrom(...ZONES), async (time, zone) => {
        const expression = '{{ DateTime.fromObject($json.time, { zone: $json.zone }).toISO() }}';
        expect(await evaluateOne(evaluator, expression, { time, zone })).toBe(
          DateTime.fromObject(time, { zone }).toISO(),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('numbers', async () => {
    const styles = fc.constantFrom(
      {},
      { style: 'currency', currency: 'EUR' },
      { style: 'percent' },
      { maximumFractionDigits: 2 },
      { notation: 'compact' },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.double({ noNaN: true }),
        fc.constantFrom(...LOCALES),
        styles,
        async (number, locale, style) => {
          const json = { number: Object.is(number, -0) ? '-0' : String(number), locale, style };
          const expression = '{{ Number($json.number).toLocaleString($json.locale, $json.style) }}';
          const options = style as Intl.NumberFormatOptions;
          expect(await evaluateOne(evaluator, expression, json)).toBe(
            number.toLocaleString(locale, options),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('the order of texts', async () => {
    const texts = fc.oneof(
      fc.stringMatching(/^[A-Za-z0-9 ]{0,6}$/),
      fc.string({ unit: 'grapheme', maxLength: 5 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(texts, texts), { maxLength: 30 }), async (pairs) => {
        const expression = '{{ $json.pairs.map(([a, b]) => Math.sign(a.localeCompare(b))) }}';
        expect(await evaluateOne(evaluator, expression, { pairs })).toEqual(
          pairs.map(([a, b]) => Math.sign(a.localeCompare(b, 'en-US'))),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('dates that are written in any way, in a process whose zone is UTC', async () => {
    const texts = [
      '2024-02-30',
      '2024-02-29T10:20',
      'Feb 3, 2024',
      '02/03/2024 10:00',
      '02-03-2024',
      '3 March 2024 10:00 GMT+0200',
      'Thu, 01 Jan 1970 00:00:00 GMT',
      '2024-13-01',
      'no date',
      '2024-01-01T24:00:00Z',
      '2024-01-01T10:00:00+02:00',
      '',
    ];
    const expression = '{{ $json.texts.map(text => new Date(text).getTime()) }}';
    const utc = (text: string): number | null => {
      const zoned = /Z$|GMT|[+]/.test(text) || /^\d{4}-\d\d-\d\d$/.test(text);
      const moment = Date.parse(zoned ? text : /T/.test(text) ? `${text}Z` : `${text} UTC`);
      return Number.isNaN(moment) ? null : moment;
    };
    expect(await evaluateOne(evaluator, expression, { texts })).toEqual(texts.map(utc));
    const local =
      '{{ [new Date(2024, 0, 31, 10).toISOString(), new Date(0).getTimezoneOffset()] }}';
    expect(await evaluateOne(evaluator, local)).toEqual(['2024-01-31T10:00:00.000Z', 0]);
  });

  it('bytes, in every coding that code may name', async () => {
    const codings = fc.constantFrom('utf8', 'hex', 'base64', 'base64url', 'latin1', 'utf16le');
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), codings, async (text, coding) => {
        const step = `const b = Buffer.from(${JSON.stringify(text)}); return { v: b.toString('${coding}'), back: Buffer.from(b.toString('${coding}'), '${coding}').toString('hex') }`;
        const code = { source: step, mode: 'all', goesOn: false } as const;
        const { answers } = await evaluator.runCode(stepWith([{}]), code);
        const bytes = Buffer.from(text);
        expect(answers).toMatchObject([
          {
            value: {
              v: bytes.toString(coding),
              back: Buffer.from(bytes.toString(coding), coding).toString('hex'),
            },
          },
        ]);
      }),
      { numRuns: 40 },
    );
  });
});
