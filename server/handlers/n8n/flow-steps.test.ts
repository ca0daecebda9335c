import { afterAll, describe, expect, it } from 'vitest';
import { callHandler, fieldsOf } from '../../../test/support/handler-call.ts';
import { createEvaluator } from '../../expressions/host/create-evaluator.ts';
import type { Item, JsonObject } from '../../items/item.ts';
import { N8N_TRIGGERS } from '../../items/n8n-triggers.ts';
import type { NodeRun } from '../../items/run-record.ts';

const evaluator = createEvaluator();
afterAll(() => evaluator.close());

const NOW = Date.UTC(2026, 0, 31, 17);

describe('Loop Over Items', () => {
  const numbers = (count: number): Item[] =>
    Array.from({ length: count }, (_, v) => ({ json: { v } }));

  /** A loop whose body hands back what it is given; each context is read as a store would hold it. */
  class Loop {
    readonly #settings: { version: number; parameters: JsonObject };
    readonly #record = new Map<string, NodeRun[]>();
    kept: JsonObject = {};
    last: Item[][] = [];

    constructor(version: number, parameters: JsonObject = {}) {
      this.#settings = { version, parameters };
    }

    async take(node: string, items: readonly Item[]): Promise<(JsonObject[] | null)[]> {
      const runs = this.#record.get(node) ?? [];
      this.#record.set(node, [...runs, { sources: [], outputs: [items] }]);
      const answer = await callHandler(evaluator, {
        type: 'splitInBatches',
        ...this.#settings,
        inputs: [items],
        kept: this.kept,
        source: { node, output: 0, run: runs.length },
        record: this.#record,
      });
      this.kept = JSON.parse(JSON.stringify(answer.context)) as JsonObject;
      this.last = answer.outputs.map((output) => [...(output ?? [])]);
      return fieldsOf(answer);
    }
  }

  it.each([
    [1, 0],
    [2, 0],
    [3, 1],
  ])('of version %i hands out through output %i', async (version, output) => {
    const loop = new Loop(version, { batchSize: '={{ 1 + 1 }}' });
    await loop.take('Before', numbers(3));
    expect(loop.last[output]?.map(({ json }) => json['v'])).toEqual([0, 1]);
    await loop.take('Body', loop.last[output] ?? []);
    expect(loop.last[output]?.map(({ json }) => json['v'])).toEqual([2]);
    expect(loop.kept).toMatchObject({ currentRunIndex: 1, maxRunIndex: 2, noItemsLeft: true });
    const ended = await loop.take('Body', loop.last[output] ?? []);
    const gathered = numbers(3).map(({ json }) => json);
    const all = [[], [[], gathered], [gathered, []]][version - 1];
    expect(ended).toEqual(all);
    expect(loop.kept).toMatchObject({ done: true });
  });

  it('hands out ten where an old export leaves the number out', async () => {
    const [batch] = await new Loop(1).take('Before', numbers(12));
    expect(batch).toHaveLength(10);
  });

  it('that ended goes straight to done with what it had and what comes anew', async () => {
    const loop = new Loop(3);
    await loop.take('Before', numbers(1));
    await loop.take('Body', [{ json: { made: 1 } }]);
    const again = await loop.take('Before', [{ json: { raw: 1 } }, { json: { raw: 2 } }]);
    expect(again).toEqual([[{ made: 1 }, { raw: 1 }, { raw: 2 }], []]);
  });

  it('begins anew where its setting says so', async () => {
    const loop = new Loop(3, { options: { reset: '={{ $json.fresh === true }}' } });
    await loop.take('Before', numbers(1));
    await loop.take('Body', loop.last[1] ?? []);
    const again = await loop.take('Before', [{ json: { fresh: true } }, { json: { next: 1 } }]);
    expect(again).toEqual([[], [{ fresh: true }]]);
    expect(loop.kept).toMatchObject({ currentRunIndex: 0, done: false });
  });

  it('says of each item which one it was at the step before, and in the body', async () => {
    const loop = new Loop(3);
    await loop.take('Before', numbers(2));
    await loop.take('Body', [{ json: { made: 0 } }]);
    const [item] = loop.last[1] ?? [];
    const before = { previousNode: 'Before', previousNodeOutput: 0, previousNodeRun: 0 };
    expect(item?.pairedItem).toEqual({ item: 1, sourceOverwrite: before });
    await loop.take('Body', [{ json: { made: 1 } }]);
    const body = { previousNode: 'Body', previousNodeOutput: 0, previousNodeRun: 1 };
    expect(loop.last[0]?.[1]?.pairedItem).toEqual({ item: 0, sourceOverwrite: body });
  });

  it('keeps no more after many rounds than after the first', async () => {
    const loop = new Loop(3);
    await loop.take('Before', numbers(200));
    for (let round = 0; round < 150; round += 1) await loop.take('Body', loop.last[1] ?? []);
    expect(JSON.stringify(loop.kept).length).toBeLessThan(300);
  });

  it('keeps items that stand nowhere', async () => {
    const step = { type: 'splitInBatches', version: 3 } as const;
    const first = await callHandler(evaluator, { ...step, given: [{ v: 1 }, { v: 2 }] });
    const kept = JSON.parse(JSON.stringify(first.context)) as JsonObject;
    const second = await callHandler(evaluator, { ...step, given: [{ made: 1 }], kept });
    expect(fieldsOf(second)).toEqual([[], [{ v: 2 }]]);
  });
});

describe('Stop and Error', () => {
  it.each([
    [{ errorMessage: '={{ $json.v }}' }, 'first'],
    [{ errorType: 'errorObject', errorObject: '{"message": "m", "description": "d"}' }, 'm'],
    [{ errorType: 'errorObject', errorObject: '={{ { error: $json.v } }}' }, 'first'],
    [{ errorType: 'errorObject', errorObject: '{"code": 1}' }, 'Error: {"code":1}'],
  ])('%j', async (parameters, message) => {
    const given = [{ v: 'first' }, { v: 'second' }];
    const call = callHandler(evaluator, { type: 'stopAndError', parameters, given });
    await expect(call).rejects.toThrow(new RegExp(`^${message.replace(/[{}]/g, '\\$&')}$`));
  });

  it('says that it has nothing to tell', async () => {
    const parameters = { message: 'Workflow execution error', options: {} };
    const call = callHandler(evaluator, { type: 'stopAndError', parameters, given: [{}] });
    await expect(call).rejects.toThrow('has no error to tell');
  });

  it('lets the items pass where the run goes on', async () => {
    const step = { type: 'stopAndError', parameters: { errorMessage: 'm' }, given: [{ v: 1 }] };
    const answer = await callHandler(evaluator, { ...step, onError: 'regular_output' });
    expect(answer).toMatchObject({ outputs: [[{ json: { v: 1 } }]], failed: 'm' });
  });
});

describe('Wait', () => {
  it.each([
    [1.1, {}, NOW + 5_000],
    [1, {}, NOW + 3_600_000],
    [1.1, { amount: '={{ $json.v }}', unit: 'minutes' }, NOW + 120_000],
    [1.1, { resume: 'specificTime', dateTime: '2026-02-01T09:00:00' }, Date.UTC(2026, 1, 1, 14)],
    [1.1, { resume: 'specificTime', dateTime: '2020-01-01' }, Date.UTC(2020, 0, 1, 5)],
  ])('of version %d with %j', async (version, parameters, waitUntil) => {
    const answer = await callHandler(evaluator, {
      type: 'wait',
      version,
      parameters,
      given: [{ v: '2' }],
    });
    expect(answer).toMatchObject({ waitUntil, outputs: [[{ json: { v: '2' } }]] });
  });

  it.each([
    [{ amount: -1 }, 'Invalid wait amount'],
    [{ unit: 'weeks' }, 'Invalid wait unit'],
    [{ amount: 1e300 }, 'waits longer than any clock'],
    [{ resume: 'specificTime', dateTime: 'soon' }, 'not a valid date'],
    [{ resume: 'webhook' }, 'nothing here can call it yet'],
    [{ resume: 'form' }, 'nothing here can call it yet'],
  ])('fails with %j', async (parameters, message) => {
    const call = callHandler(evaluator, { type: 'wait', version: 1.1, parameters, given: [{}] });
    await expect(call).rejects.toThrow(message);
  });
});

describe('triggers', () => {
  const given = [{ v: 1 }, { v: 2 }];

  it.each(N8N_TRIGGERS.filter((type) => !type.endsWith('.webhook')))(
    '%s hands on what the run was given',
    async (type) => {
      const answer = await callHandler(evaluator, { type: type.split('.').at(-1) ?? '', given });
      expect(fieldsOf(answer)).toEqual([given]);
    },
  );

  it('give one empty item where the run was given nothing', async () => {
    expect(fieldsOf(await callHandler(evaluator, { type: 'manualTrigger' }))).toEqual([[{}]]);
  });

  it('of a schedule tell the moment in the zone of the workflow', async () => {
    const answer = await callHandler(evaluator, { type: 'scheduleTrigger', given: [{}] });
    expect(fieldsOf(answer)).toEqual([
      [
        {
          timestamp: '2026-01-31T12:00:00.000-05:00',
          'Readable date': 'January 31st 2026, 12:00:00 pm',
          'Readable time': '12:00:00 pm',
          'Day of week': 'Saturday',
          Year: '2026',
          Month: 'January',
          'Day of month': '31',
          Hour: '12',
          Minute: '00',
          Second: '00',
          Timezone: 'America/New_York (UTC-05:00)',
        },
      ],
    ]);
  });

  it.each([
    [{ name: 'Ann' }, { name: 'Ann' }],
    [{ chatInput: 'hi' }, { chatInput: 'hi' }],
    [{ query: 'body of that name' }, { query: 'body of that name' }],
  ])('of a webhook take %j as the body', async (json, body) => {
    const answer = await callHandler(evaluator, { type: 'webhook', version: 2, given: [json] });
    const request = { headers: {}, params: {}, query: {}, body, executionMode: 'test' };
    expect(fieldsOf(answer)).toEqual([[request]]);
  });

  it('of a webhook leave a request as it is', async () => {
    const request = { headers: { a: 'b' }, query: { q: '1' }, body: [1] };
    const answer = await callHandler(evaluator, { type: 'webhook', version: 2, given: [request] });
    expect(fieldsOf(answer)).toEqual([[request]]);
  });

  it('of a webhook with several methods have an output for each', async () => {
    const parameters = { httpMethod: ['GET', 'POST'], multipleMethods: true };
    const read = { query: { q: '1' }, body: {} };
    const sent = { headers: { 'content-length': '5' }, body: 'plain' };
    const step = { type: 'webhook', version: 2, parameters, given: [read, sent] };
    expect(fieldsOf(await callHandler(evaluator, step))).toEqual([[read], [sent]]);
  });
});

describe('Respond to Webhook', () => {
  const JSON_HEADER = { 'content-type': 'application/json; charset=utf-8' };
  const given = [{ a: 1 }, { a: 2 }];

  it.each([
    [{}, { status: 200, headers: JSON_HEADER, body: { a: 1 } }],
    [{ respondWith: 'allIncomingItems' }, { status: 200, headers: JSON_HEADER, body: given }],
    [
      { respondWith: 'allIncomingItems', options: { responseKey: 'rows.x' } },
      { status: 200, headers: JSON_HEADER, body: { rows: { x: given } } },
    ],
    [
      { respondWith: 'json', responseBody: '{"n": 5}', options: { responseCode: 201 } },
      { status: 201, headers: JSON_HEADER, body: { n: 5 } },
    ],
    [
      {
        respondWith: 'text',
        responseBody: '=a is {{ $json.a }}',
        options: { responseHeaders: { entries: [{ name: 'Content-Type', value: 'text/plain' }] } },
      },
      { status: 200, headers: { 'content-type': 'text/plain' }, body: 'a is 1' },
    ],
    [{ respondWith: 'noData' }, { status: 200, headers: JSON_HEADER }],
    [
      { respondWith: 'redirect', redirectURL: 'https://x.test/' },
      { status: 307, headers: { ...JSON_HEADER, location: 'https://x.test/' } },
    ],
  ])('%j', async (parameters, response) => {
    const step = { type: 'respondToWebhook', version: 1.1, parameters, given };
    const answer = await callHandler(evaluator, step);
    expect(answer.response).toEqual(response);
    expect(fieldsOf(answer)).toEqual([given]);
  });

  it('tells the response in an output of its own in version 1.3', async () => {
    const parameters = { respondWith: 'text', responseBody: 'x' };
    const step = { type: 'respondToWebhook', version: 1.3, parameters, given };
    const headers = { 'content-type': 'text/html; charset=utf-8' };
    expect(fieldsOf(await callHandler(evaluator, step))).toEqual([
      given,
      [{ response: { body: 'x', headers, statusCode: 200 } }],
    ]);
  });

  it('fails on JSON that is none, on files, and tells it where the run goes on', async () => {
    const parameters = { respondWith: 'json', responseBody: '{' };
    const step = { type: 'respondToWebhook', version: 1.1, parameters, given };
    await expect(callHandler(evaluator, step)).rejects.toThrow("Invalid JSON in 'Response Body'");
    const answer = await callHandler(evaluator, { ...step, onError: 'regular_output' });
    expect(fieldsOf(answer)).toEqual([[{ error: "Invalid JSON in 'Response Body' field" }]]);
    const file = { ...step, parameters: { respondWith: 'binary' } };
    await expect(callHandler(evaluator, file)).rejects.toThrow('A file cannot be answered with');
  });
});
