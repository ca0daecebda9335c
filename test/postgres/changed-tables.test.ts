// A connection whose statements are known by name, when another program changes their tables.
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { PostgresConnection } from '../../server/store/postgres-connection.ts';
import { externalAt } from '../support/chosen-store.ts';
import { databasesOf } from '../support/postgres-server.ts';

const server = databasesOf(inject('postgres'));
let url = '';
let sync: PostgresConnection;
let other: pg.Client;
beforeEach(async () => {
  url = await server.createDatabase();
  other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query('CREATE TABLE notes (id BIGINT PRIMARY KEY); INSERT INTO notes VALUES (1)');
  sync = await PostgresConnection.open({ external: externalAt(url) });
});
afterEach(async () => {
  await sync.close();
  await other.end();
  await server.dropDatabase(url);
});

test('a statement that answers all columns works on, alone and in a transaction', async () => {
  const all = sync.prepare<[], object>('SELECT * FROM notes ORDER BY id');
  const add = sync.prepare<[number]>('INSERT INTO notes (id) VALUES (?)');
  const addAll = sync.transaction((id: number) => {
    add.run(id);
    return all.all();
  });
  expect(all.all()).toEqual([{ id: 1 }]);
  await other.query('ALTER TABLE notes ADD COLUMN more TEXT');
  expect(all.all()).toEqual([{ id: 1, more: null }]);
  await other.query('ALTER TABLE notes ADD COLUMN most TEXT');
  const rows = [1, 2].map((id) => ({ id, more: null, most: null }));
  expect(addAll(2)).toEqual(rows);
  expect(all.all()).toEqual(rows);
});
