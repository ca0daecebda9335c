import { expect, test } from 'vitest';
import type {
  CredentialInventory,
  CredentialNeed,
} from '../../../server/contract/dashboard/credentials.ts';
import { credentialSections, credentialState } from './credentials-model.ts';

const entry = (name: string, env_var: string, present = false) => ({
  ...{ name, env_var, present, status: present ? 'present' : 'missing' },
  ...{ expires_at: null, last_checked: null },
});
const need = (env_var: string, more: Partial<CredentialNeed> = {}): CredentialNeed => ({
  ...{ env_var, provider: null, title: null, present: false, usable: false },
  ...{ runs: 1, workflows: [], ...more },
});
const INVENTORY: CredentialInventory = {
  sections: [
    {
      section: 'providers',
      entries: [
        entry('provider:openai', 'OPENAI_API_KEY', true),
        entry('provider:openai-agents', 'OPENAI_API_KEY', true),
        entry('provider:anthropic', 'ANTHROPIC_API_KEY'),
        entry('provider:google', 'GOOGLE_API_KEY'),
      ],
    },
    { section: 'service_tokens', entries: [entry('service:SERV_API_KEY', 'SERV_API_KEY')] },
  ],
  ...{ present_count: 2, missing_count: 3 },
};

function states(needs: CredentialNeed[]) {
  const told = { available: true, runs_looked_at: 9, runs_left_out: 0, needs };
  return credentialSections(INVENTORY, told).flatMap(({ section, rows }) =>
    rows.map((row) => [section, row.names.join(', '), credentialState(row).text]),
  );
}

test('aliases of one secret are one row; missing is a warning only where it is needed', () => {
  expect(states([need('ANTHROPIC_API_KEY', { provider: 'anthropic' })])).toEqual([
    ['providers', 'openai, openai-agents', 'present'],
    ['providers', 'anthropic', 'missing and needed'],
    ['providers', 'google', 'not set'],
    ['service_tokens', 'SERV_API_KEY', 'not set'],
  ]);
});

test('what only specs name stands among the other secrets; one that they do not get says so', () => {
  const refused = need('OTHER', { present: true });
  const bound = need('CRED_SLACK_ABC', { title: 'Slack (slackApi)', present: true, usable: true });
  expect(states([refused, bound]).slice(4)).toEqual([
    ['extra', 'OTHER', 'present, not given to specs'],
    ['extra', 'Slack (slackApi)', 'present'],
  ]);
});

test('a person stores keys and plain secrets here, and neither tokens nor whole credentials', () => {
  const told = {
    ...{ available: true, runs_looked_at: 1, runs_left_out: 0 },
    needs: [need('MY_KEY'), need('lower_case'), need('CRED_X', { title: 'Slack (slackApi)' })],
  };
  const rows = credentialSections(INVENTORY, told).flatMap((each) => each.rows);
  expect(rows.filter(({ settable }) => settable).map(({ variable }) => variable)).toEqual([
    'OPENAI_API_KEY',
    'ANTHROPIC_API_KEY',
    'GOOGLE_API_KEY',
    'MY_KEY',
  ]);
});
