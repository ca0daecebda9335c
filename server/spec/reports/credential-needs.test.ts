import { expect, test } from 'vitest';
import { credentialSecretName } from '../../contract/credentials.ts';
import { credentialNeeds } from './credential-needs.ts';

const request = {
  type: 'n8n-nodes-base.httpRequest',
  version: 4.2,
  parameters: { authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' },
  credentials: { httpHeaderAuth: 'Desk', httpBasicAuth: 'left from before' },
};

function needs(steps: object) {
  return credentialNeeds({ metadata: { flow: { source: 'n8n', order: 'v1', steps } } as never });
}

test('one row for each credential that steps send, with all its steps', () => {
  const found = needs({
    hook: { name: 'Hook', type: 'n8n-nodes-base.webhook', version: 2, credentials: { x: 'y' } },
    first: { name: 'First', ...request },
    off: { name: 'Off', disabled: true, ...request, credentials: { httpHeaderAuth: 'Other' } },
    chat: {
      name: 'Chat',
      type: 'n8n-nodes-base.slack',
      version: 2,
      credentials: { slackApi: 'S' },
    },
    second: { name: 'Second', ...request },
    plain: { name: 'Plain', ...request, parameters: {} },
  });
  expect(found).toEqual([
    {
      type: 'httpHeaderAuth',
      name: 'Desk',
      kinds: ['header'],
      secret: credentialSecretName('httpHeaderAuth', 'Desk'),
      steps: [
        { name: 'First', path: 'metadata.flow.steps.first.credentials.httpHeaderAuth' },
        { name: 'Second', path: 'metadata.flow.steps.second.credentials.httpHeaderAuth' },
      ],
    },
    expect.objectContaining({ type: 'slackApi', name: 'S', steps: [expect.anything()] }),
  ]);
  expect(found[1]?.kinds).toHaveLength(6);
});

test('a request that names none needs one all the same, at the step itself', () => {
  const { credentials: _, ...bare } = request;
  expect(needs({ ask: { name: 'Ask', ...bare } })).toMatchObject([
    { type: 'httpHeaderAuth', name: '', steps: [{ path: 'metadata.flow.steps.ask' }] },
  ]);
});

test('what an agent may call as a tool counts as a step', () => {
  const tool = { ...request, type: 'n8n-nodes-base.httpRequestTool', name: 'Look up' };
  expect(credentialNeeds({ metadata: { tools: { look_up: tool } } })).toMatchObject([
    {
      name: 'Desk',
      steps: [{ name: 'Look up', path: 'metadata.tools.look_up.credentials.httpHeaderAuth' }],
    },
  ]);
});

test('a spec without a flow needs none', () => {
  expect(credentialNeeds({ metadata: null })).toEqual([]);
  expect(credentialNeeds({ metadata: { flow: 'x' } })).toEqual([]);
});

test('called workflows need credentials as the one that calls them does', () => {
  const type = 'n8n-nodes-base.slack';
  const step = { name: 'Post', type, version: 2, credentials: { slackApi: 'Team' } };
  const flows = { inner: { source: 'n8n', order: 'v1', steps: { post: step } } };
  expect(credentialNeeds({ metadata: { flows } })).toMatchObject([
    { type: 'slackApi', name: 'Team', steps: [{ path: expect.stringContaining('flows.inner') }] },
  ]);
});
