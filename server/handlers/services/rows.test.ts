import { afterAll, describe, expect, it } from 'vitest';
import { bearer, one } from '../../../test/support/service-cases.ts';
import { startServicePeer } from '../../../test/support/service-peer.ts';

const peer = await startServicePeer();
afterAll(() => peer.close());

describe('how a credential is sent', () => {
  it.each([
    ['slack', 2.2, bearer, 'authorization', 'Bearer S3CRET'],
    ['deepL', 1, bearer, 'authorization', 'DeepL-Auth-Key S3CRET'],
    ['deepL', 1, { kind: 'header', name: 'X-Key', value: 'v' }, 'x-key', 'v'],
    ['notion', 2.2, bearer, 'notion-version', '2022-02-22'],
  ] as const)('to %s', async (type, version, credential, name, value) => {
    const page = type === 'notion' ? { resource: 'user', operation: 'get' } : {};
    const { asked } = await peer.run({
      type,
      version,
      credential,
      parameters: page,
      answers: one({}),
    });
    expect(asked[0]?.headers[name]).toBe(value);
  });
});

describe('what a service refuses', () => {
  it('is told, also where the status is a good one', async () => {
    const { failed } = await peer.run({
      ...{ type: 'slack', version: 2.2, credential: bearer, parameters: {} },
      answers: one({ ok: false, error: 'channel_not_found' }),
    });
    expect(failed).toBe('Slack answered with status 200: channel_not_found');
  });

  it('nothing is changed where nothing narrows what is', async () => {
    const { asked, failed } = await peer.run({
      ...{ type: 'supabase', version: 1, credential: { ...bearer, server: 'https://p.example' } },
      parameters: { operation: 'delete', tableId: 't' },
    });
    expect(asked).toEqual([]);
    expect(failed).toContain("'filters.conditions' is empty");
  });

  it('a next page on another server is not asked', async () => {
    const { asked, failed } = await peer.run({
      ...{ type: 'microsoftOutlook', version: 2, credential: bearer },
      parameters: { operation: 'getAll', output: 'raw', returnAll: true },
      answers: one({ value: [{ id: 1 }], '@odata.nextLink': 'https://evil.example/next' }),
    });
    expect(asked).toHaveLength(1);
    expect(failed).toContain('another server');
  });

  it('a server of its own has to be named', async () => {
    const parameters = { channelId: 'c', message: 'x' };
    const { failed } = await peer.run({ type: 'mattermost', credential: bearer, parameters });
    expect(failed).toContain('Name its address where the credential is bound');
  });
});
