import { expect, test } from 'vitest';
import { carriedSecrets } from './carried-secrets.ts';

const FOUND: [string, string][] = [
  ['Cookie: sid=0a1b2c3d; theme=dark', 'sid=0a1b2c3d; theme=dark'],
  ["curl -H 'Cookie: sid=0a1b2c3d' https://x.example", 'sid=0a1b2c3d'],
  ['curl -u ada:hunter2 https://x.example', 'hunter2'],
  ['curl --user "ada:correct horse" https://x', 'correct'],
  ["curl -H 'X-Api-Key: 9f8e7d6c5b' https://x.example", '9f8e7d6c5b'],
  ["CREATE USER 'ada'@'%' IDENTIFIED BY 'swordfish'", 'swordfish'],
  ["ALTER USER ada IDENTIFIED WITH mysql_native_password BY 'swordfish'", 'swordfish'],
  ["CREATE ROLE ada LOGIN PASSWORD 'swordfish'", 'swordfish'],
  ['Server=db;User Id=ada;Password=swordfish;', 'swordfish'],
  ['AccountName=a;AccountKey=Zm9vYmFyYmF6;EndpointSuffix=x', 'Zm9vYmFyYmF6'],
  ['Log in as ada, password: hunter22.', 'hunter22'],
  ['The password is Tr0ub4dor&3, keep it.', 'Tr0ub4dor'],
  ['the api key is 12ab34cd', '12ab34cd'],
];

test.each(FOUND)('%s', (text, secret) => {
  expect(carriedSecrets(text)).toContain(secret);
});

test.each([
  'Ask the user for the password: never store it.',
  'Say whether the token is expired or valid.',
  'password: required, at least 12 characters',
  'The password is mandatory.',
  'token: string',
  'curl https://x.example -u "$NAME:$PASSWORD"',
  'docker run -u 1000:1000 image',
  'cookie: a small biscuit',
  'Identified by the police as the owner',
  'Password={{ $json.password }};Server=x',
  'Send the header X-Api-Key: YOUR_API_KEY',
  'the key is in the drawer',
])('%s: nothing', (text) => {
  expect(carriedSecrets(text)).toEqual([]);
});
