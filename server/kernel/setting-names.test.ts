import { expect, test } from 'vitest';
import { straySettings } from './setting-names.ts';

const KNOWN = ['SERV_DURABILITY', 'SERV_PORT', 'SERV_WORKER_CONCURRENCY', 'DASH_PORT'];

test('a slip in a name is told with the name that was meant', () => {
  const env = {
    SERV_DURABILTY: 'full',
    SERV_WORKER_CONCURRENYC: '2',
    SERV_PORTS: '1',
    SERV_PORT: '2',
    SERV_MY_OWN_SECRET: 'x',
    DASH_PROT: '1',
    PATH: '/bin',
  };
  expect(straySettings(env, 'SERV_', KNOWN)).toEqual([
    { setting: 'SERV_DURABILTY', meant: 'SERV_DURABILITY' },
    { setting: 'SERV_WORKER_CONCURRENYC', meant: 'SERV_WORKER_CONCURRENCY' },
    { setting: 'SERV_PORTS', meant: 'SERV_PORT' },
  ]);
  expect(straySettings(env, 'DASH_', KNOWN)).toEqual([
    { setting: 'DASH_PROT', meant: 'DASH_PORT' },
  ]);
});
