import { expect, test } from 'vitest';
import { environmentProxies, PROXY_KIND_UNKNOWN, readSystemWays } from './system-proxy.ts';

const through = (address: string) => ({ HTTP_PROXY: address, HTTPS_PROXY: address });

test.each([
  ['DIRECT', undefined],
  ['PROXY proxy.example:3128', through('http://proxy.example:3128')],
  ['HTTPS proxy.example:443; DIRECT', through('https://proxy.example:443')],
  ['SOCKS5 far.example:1080; PROXY near.example:80', through('http://near.example:80')],
  ['SOCKS far.example:1080;DIRECT', undefined],
  ['proxy [::1]:3128', through('http://[::1]:3128')],
])('of the ways %s the first that can be gone is taken', (ways, found) => {
  expect(readSystemWays(ways)).toEqual(found);
});

test.each(['SOCKS5 far.example:1080', '', 'PROXY', 'PROXY a b'])(
  'ways that nobody can go are an error with a code: "%s"',
  (ways) => {
    expect(() => readSystemWays(ways)).toThrow(
      expect.objectContaining({ code: PROXY_KIND_UNKNOWN }),
    );
  },
);

test('the environment never leads to this computer by a proxy', () => {
  const found = environmentProxies({ https_proxy: 'http://p:1', NO_PROXY: 'x.example' });
  expect(found).toEqual({
    HTTPS_PROXY: 'http://p:1',
    NO_PROXY: 'x.example,localhost,127.0.0.1,::1',
  });
});
