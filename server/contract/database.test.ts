import { expect, test } from 'vitest';
import { databaseAddress, isPostgresAddress } from './database.ts';

const read = (given: string) => databaseAddress.schema.safeParse(given);

test.each([
  ['postgres://u:p@db.example/x', { host: 'db.example', port: 5432, ssl: 'verify-full' }],
  ['postgresql://u:p@127.0.0.1:5433/x', { port: 5433, ssl: 'disable' }],
  ['POSTGRES://u:p@[::1]/x', { host: '::1', ssl: 'disable' }],
  ['postgres://u@db/x?sslmode=require', { password: '', ssl: 'require' }],
  ['postgres://a%40b:p%2F%3A%40@db/x%20y', { user: 'a@b', password: 'p/:@', database: 'x y' }],
])('the address %s is read', (given, parts) => {
  expect(read(given).data).toMatchObject(parts);
  expect(isPostgresAddress(given)).toBe(true);
});

test.each([
  'postgres://db/x',
  'postgres://u:p@db',
  'postgres://u:p@db/',
  'postgres://u:p@db:0/x',
  'postgres://u:p@db:99999/x',
  'postgres://u:p@one,two/x',
  'postgres://u:p@db/x?sslmode=prefer',
  'postgres://u:p@db/x?options=-c%20a%3Db',
  'postgres://u:100%@db/x',
  'mysql://u:p@db/x',
])('the address %s is refused, without its text', (given) => {
  const { success, error } = read(given);
  expect(success).toBe(false);
  expect(error?.message).not.toContain('@db');
});
