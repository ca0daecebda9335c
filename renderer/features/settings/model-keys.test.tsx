import { expect, test } from 'vitest';
import { listModelKeys, type ModelKey } from '../../../server/contract/gateway/model-keys.ts';
import { drawn } from '../../../test/support/drawn.ts';
import { routeQuery } from '../../data/query-client.ts';
import { ModelKeys } from './model-keys.tsx';

const KEY: ModelKey = {
  ...{ name: 'OPENAI_API_KEY', provider: 'openai', kept_in: null, stored_at: null },
  in_environment: false,
};

const settings = (keys: ModelKey[], here = true) =>
  drawn(<ModelKeys />, [[routeQuery(listModelKeys).queryKey, { here, keeper: 'file', keys }]]);

test('a key that is missing and one of the environment say what answers, and neither can be removed', () => {
  const page = settings([
    KEY,
    { ...KEY, name: 'ANTHROPIC_API_KEY', provider: 'anthropic', in_environment: true },
    { ...KEY, name: 'MISTRAL_API_KEY', provider: null },
  ]);
  expect(page.text).toContain('OpenAI OPENAI_API_KEY no key the offline runtime answers');
  expect(page.text).toContain('Anthropic ANTHROPIC_API_KEY from the environment');
  expect(page.text).toContain('MISTRAL_API_KEY no key');
  expect(page.tags('key-remove-')).toEqual([]);
  const labels = page
    .tags('data-testid="key-set-')
    .map((tag) => /aria-label="([^"]+)"/.exec(tag)?.[1]);
  expect(labels).toEqual(['Set key… OpenAI', 'Set key… Anthropic', 'Set key… MISTRAL_API_KEY']);
});

test('where keys are kept is said before one is entrusted', () => {
  const kept = (keeper: string) =>
    drawn(<ModelKeys />, [[routeQuery(listModelKeys).queryKey, { here: true, keeper, keys: [] }]]);
  expect(kept('keychain').text).toContain('kept in the keychain of this computer');
  expect(kept('file').text).toContain('kept in an encrypted file of the data folder');
});

test('keys of runs on another computer are not set here', () => {
  const page = settings([KEY], false);
  expect(page.text).toContain('execute on another computer');
  expect(page.tags('key-set-')).toEqual([]);
});
