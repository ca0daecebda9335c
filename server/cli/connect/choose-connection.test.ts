import { expect, test } from 'vitest';
import { chooseConnection } from './choose-connection.ts';
import type { Profiles } from './profiles.ts';

const profiles: Profiles = {
  active: 'team',
  path: 'profiles.json',
  profiles: {
    team: { service_url: 'https://team.example/base', api_key: 'team-key', api_key_secret: null },
    bare: { service_url: 'https://bare.example', api_key: null, api_key_secret: null },
    kept: { service_url: 'https://kept.example', api_key: null, api_key_secret: 'platform:kept.0' },
  },
};

const HERE = 'http://127.0.0.1:8000';
const choose = (projectUrl: string | undefined, options = {}, key?: string) =>
  chooseConnection(options, {
    settings: { apiKey: 'env-key' },
    profiles: () => profiles,
    projectUrl: () => projectUrl,
    served: () => ({ url: HERE, key }),
  });

test('the address of a project comes before the active profile (platform.md 13)', () => {
  expect(choose('http://127.0.0.1:8000/')).toEqual({
    kind: 'remote',
    url: 'http://127.0.0.1:8000',
    apiKey: 'env-key',
  });
  expect(choose(HERE, {}, 'key-of-this-start')).toMatchObject({ apiKey: 'key-of-this-start' });
  expect(choose(undefined)).toMatchObject({
    url: 'https://team.example/base',
    apiKey: 'team-key',
  });
});

test('a foreign address that a project file names gets no key that was not meant for it', () => {
  expect(choose('https://elsewhere.example')).toMatchObject({ apiKey: undefined });
  expect(choose('http://127.0.0.1:9999')).toMatchObject({ apiKey: undefined });
  expect(choose('http://127.0.0.1.elsewhere.example')).toMatchObject({ apiKey: undefined });
  expect(choose('https://team.example.elsewhere.example')).toMatchObject({ apiKey: undefined });
});

test('a place that a profile of the person names gets that profile’s key, else the environment’s', () => {
  expect(choose('https://team.example')).toMatchObject({ apiKey: 'team-key' });
  expect(choose('https://bare.example/x')).toMatchObject({ apiKey: 'env-key' });
});

test('a stored key is named for the places of its profile only', () => {
  expect(choose('https://kept.example/x')).toMatchObject({ secret: 'platform:kept.0' });
  expect(choose(undefined, { profile: 'kept' })).toMatchObject({ secret: 'platform:kept.0' });
  for (const url of ['https://kept.example.elsewhere.example', 'https://team.example']) {
    expect(choose(url)).not.toHaveProperty('secret');
  }
});

test('a typed address gets the key of the environment', () => {
  expect(choose(undefined, { serviceUrl: 'https://typed.example' })).toMatchObject({
    apiKey: 'env-key',
  });
});
