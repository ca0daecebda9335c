import { afterAll, describe, expect, it } from 'vitest';
import { callHandler, fieldsOf } from '../../../../test/support/handler-call.ts';
import { startPostgres } from '../../../../test/support/memory-postgres.ts';
import { n8nPorts } from '../../../../test/support/n8n-ports.ts';
import { createEvaluator } from '../../../expressions/host/create-evaluator.ts';
import type { HandlerNode } from '../../handler.ts';

const evaluator = createEvaluator();
const server = await startPostgres(`
  CREATE TABLE people (id serial PRIMARY KEY, name text UNIQUE, age int, tags jsonb, big bigint);
  CREATE TABLE "odd ""name" (a text);
`);
afterAll(async () => {
  await evaluator.close();
  await server.close();
});

interface Asked extends Partial<HandlerNode> {
  readonly given?: readonly Record<string, unknown>[];
}

async function run(parameters: Record<string, unknown>, asked: Asked = {}) {
  const { given = [{}], ...node } = asked;
  const ports = n8nPorts({ postgres: server.credential });
  const of = { type: 'postgres', version: 2.6, parameters, given, ports, ...node };
  return callHandler(evaluator, of);
}

async function rows(parameters: Record<string, unknown>, asked: Asked = {}) {
  return fieldsOf(await run(parameters, asked))[0];
}

const TABLE = {
  schema: { __rl: true, mode: 'list', value: 'public' },
  table: { __rl: true, mode: 'list', value: 'people', cachedResultName: 'people' },
};
const AUTO = { ...TABLE, columns: { mappingMode: 'autoMapInputData', value: null } };

function sql(query: string, queryReplacement?: unknown) {
  const options = queryReplacement === undefined ? {} : { queryReplacement };
  return { operation: 'executeQuery', query, options };
}

describe('rows of Postgres', () => {
  it('are inserted, each item one, and given as they were written', async () => {
    const given = [
      { name: "O'Hara; DROP TABLE people; --", age: 30, tags: ['a', { b: 1 }] },
      { name: 'Eve', age: null },
    ];
    const made = await run({ ...AUTO, options: {} }, { given });
    expect(fieldsOf(made)[0]).toMatchObject([
      { id: 1, name: given[0]?.name, age: 30, tags: ['a', { b: 1 }] },
      { id: 2, name: 'Eve', age: null },
    ]);
    expect(made.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([
      { item: 0 },
      { item: 1 },
    ]);
  });

  it('are mapped column by column, in words of each version', async () => {
    const value = { name: '={{ $json.who }}', age: '41' };
    const mapped = { ...TABLE, columns: { mappingMode: 'defineBelow', value, schema: [] } };
    expect(await rows(mapped, { given: [{ who: 'Ann' }] })).toMatchObject([
      { name: 'Ann', age: 41 },
    ]);
    const values = [{ column: 'name', value: 'Bob' }];
    const pairs = { ...TABLE, dataMode: 'defineBelow', valuesToSend: { values } };
    expect(await rows(pairs, { version: 2 })).toMatchObject([{ name: 'Bob' }]);
    const first = { table: 'people', columns: 'name, age', returnFields: 'name' };
    const old = { version: 1, given: [{ name: 'Cid', age: 5, other: 1 }] };
    expect(await rows(first, old)).toEqual([{ name: 'Cid' }]);
  });

  it('are updated and upserted where columns match', async () => {
    const columns = { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['name'] };
    const given = [{ name: 'Ann', age: 42 }];
    const update = { ...TABLE, operation: 'update', columns };
    expect(await rows(update, { given })).toMatchObject([{ name: 'Ann', age: 42 }]);
    const upsert = { ...update, operation: 'upsert', options: { outputColumns: ['name', 'age'] } };
    const both = [...given, { name: 'Dan', age: 1 }];
    expect(await rows(upsert, { given: both })).toEqual(both);
    expect(await rows(update, { given: [{ name: 'Nobody', age: 1 }] })).toEqual([
      { success: true },
    ]);
    await expect(rows(update, { given: [{ age: 1 }] })).rejects.toThrow("found by 'name'");
    const old = { operation: 'update', table: 'people', updateKey: 'name', columns: 'age' };
    const asked = { version: 1, given: [{ name: 'Ann', age: 43 }] };
    expect(await rows(old, asked)).toMatchObject([{ name: 'Ann', age: 43 }]);
  });

  it('are selected by rules, in an order and up to a number', async () => {
    const where = { values: [{ column: 'age', condition: '>', value: '={{ $json.min }}' }] };
    const sort = { values: [{ column: 'age', direction: 'DESC' }] };
    const select = { ...TABLE, operation: 'select', where, sort, limit: 2 };
    const options = { outputColumns: ['name', 'age'] };
    expect(await rows({ ...select, options }, { given: [{ min: 1 }] })).toEqual([
      { name: 'Ann', age: 43 },
      { name: "O'Hara; DROP TABLE people; --", age: 30 },
    ]);
    const none = {
      values: [
        { column: 'age', condition: 'IS NULL' },
        { column: 'name', value: "' OR 1=1" },
      ],
    };
    expect(await rows({ ...select, where: none })).toEqual([]);
    const either = { ...select, where: none, combineConditions: 'OR', returnAll: true };
    expect((await rows(either))?.map(({ name }) => name)).toEqual(['Eve', 'Bob']);
  });

  it('are deleted by rules; a table is emptied or dropped by its quoted name', async () => {
    const where = { values: [{ column: 'name', value: 'Eve' }] };
    const gone = { ...TABLE, operation: 'deleteTable', deleteCommand: 'delete', where };
    expect(await rows(gone)).toEqual([{ success: true }]);
    expect(await rows(sql("SELECT 1 AS one FROM people WHERE name = 'Eve'"))).toEqual([]);
    const odd = { operation: 'deleteTable', table: { value: 'odd "name' } };
    expect(await rows(odd)).toEqual([{ success: true }]);
    expect(await rows({ ...odd, deleteCommand: 'drop' })).toEqual([{ success: true }]);
    await expect(rows(odd)).rejects.toThrow('does not exist');
  });
});

describe('a query of the author', () => {
  it('has its parameters bound, one by one', async () => {
    const query = 'SELECT $1::text AS a, $2::int AS b';
    const given = [{ a: "'; x", b: 7 }];
    const expected = [{ a: "'; x", b: 7 }];
    expect(await rows(sql(query, '={{ $json.a }}, {{ $json.b }}'), { given })).toEqual(expected);
    expect(await rows(sql(query, '={{ [$json.a, $json.b] }}'), { given })).toEqual(expected);
    expect(await rows(sql(query, 'x, 7'))).toEqual([{ a: 'x', b: 7 }]);
    expect(await rows(sql(query, "={{ 'x,7' }}"))).toEqual([{ a: 'x', b: 7 }]);
    const old = { ...sql(query), additionalFields: { queryParams: 'a,b' } };
    expect(await rows(old, { given, version: 1 })).toEqual(expected);
  });

  it('has in its text what the author computed there, and may be several statements', async () => {
    const query = 'SELECT {{ $json.n }} AS n; SELECT 2 AS n';
    expect(await rows(sql(query), { given: [{ n: 1 }] })).toEqual([{ n: 1 }, { n: 2 }]);
    expect(await rows(sql('={{ $json.q }}'), { given: [{ q: 'SELECT 3 AS n' }] })).toEqual([
      { n: 3 },
    ]);
  });

  it('gives large numbers as texts unless numbers are asked for, and dates as texts', async () => {
    const query =
      "SELECT 9007199254740993::bigint AS big, 1.5::numeric AS d, '2026-01-02T03:04:05Z'::timestamptz AS at";
    const at = '2026-01-02T03:04:05.000Z';
    expect(await rows(sql(query))).toEqual([{ big: '9007199254740993', d: '1.5', at }]);
    const numbers = { ...sql(query), options: { largeNumbersOutput: 'numbers' } };
    expect(await rows(numbers)).toEqual([{ big: 9007199254740992, d: 1.5, at }]);
  });

  it('says when names are asked for as parameters', async () => {
    await expect(rows(sql('SELECT * FROM $1:name', 'people'))).rejects.toThrow("'$1:n");
  });

  it('undoes all when one fails, and nothing where each is on its own', async () => {
    const given = [{ name: 'Zoe' }, { name: 'Zoe' }];
    await expect(run(AUTO, { given })).rejects.toThrow('duplicate key');
    const count = sql("SELECT count(*)::int AS n FROM people WHERE name = 'Zoe'");
    expect(await rows(count)).toEqual([{ n: 0 }]);
    const alone = { ...AUTO, options: { queryBatching: 'independently' } };
    const went = await run(alone, { given, onError: 'error_output' });
    expect(went.outputs.map((list) => list?.length)).toEqual([1, 1]);
    expect(await rows(count)).toEqual([{ n: 1 }]);
    const skipped = { ...AUTO, options: { skipOnConflict: true } };
    expect(await rows(skipped, { given })).toEqual([{ success: true }, { success: true }]);
  });

  it('may not give too much', async () => {
    const many = sql('SELECT generate_series(1, 60000) AS n');
    await expect(rows(many)).rejects.toThrow('more than 50000 rows');
    const long = sql("SELECT repeat('x', 1000000) AS t FROM generate_series(1, 40)");
    await expect(rows(long)).rejects.toThrow('32 MiB');
  });
});

describe('a connection', () => {
  it('is refused where the policy says so, and told where nobody answers', async () => {
    const at = (host: string, port = '1') => ({
      ...n8nPorts({ postgres: { ...server.credential, host, port } as typeof server.credential }),
    });
    const ask = (ports: ReturnType<typeof at>) =>
      callHandler(evaluator, {
        ...{ type: 'postgres', version: 2.6, parameters: sql('SELECT 1'), given: [{}], ports },
      });
    await expect(ask(at('169.254.169.254'))).rejects.toThrow('keys of its own');
    await expect(ask(at('127.0.0.1'))).rejects.toThrow('ECONNREFUSED');
  });
});
