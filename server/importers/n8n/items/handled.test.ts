import { describe, expect, it } from 'vitest';
import { analyze } from '../../analyze.ts';

const BASE = 'n8n-nodes-base.';

/** The draft of a flow with a step between two that run here, and what is told of that step. */
function between(type: string, parameters: object) {
  const nodes = ['manualTrigger', type, 'set'].map((one, at) => ({
    id: String(at),
    name: `n${at}`,
    type: `${BASE}${one}`,
    typeVersion: 1.1,
    position: [at * 200, 0],
    parameters: one === type ? parameters : {},
  }));
  const main = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
  const connections = { n0: main('n1'), n1: main('n2') };
  const raw = JSON.stringify({ name: 'Desk', nodes, connections });
  const outcome = analyze({ source: 'n8n', raw, conversion: 'extended' });
  if (!outcome.ok) throw new Error(outcome.message);
  const told = outcome.gaps.filter(({ spec_ref }) => spec_ref === 'n1');
  return {
    spec: outcome.spec,
    told: told.map(({ severity, kind: gap }) => `${severity} ${gap}`),
    words: told.map(({ detail }) => detail).join(' '),
  };
}

describe('a step that has a built-in handler', () => {
  it.each([
    ['wait', { amount: 1 }, 'function'],
    ['wait', { resume: 'specificTime', dateTime: '2026-01-31' }, 'function'],
    ['respondToWebhook', { respondWith: 'json', responseBody: '{}' }, 'function'],
  ])('runs by it: %s %j', (type, parameters, kind) => {
    const made = between(type, parameters);
    expect(made).toMatchObject({ spec: { workflow: { nodes: { n1: { kind } } } }, told: [] });
  });

  it.each([
    ['wait', { resume: 'webhook' }, 'human'],
    ['wait', { resume: 'form' }, 'human'],
    ['respondToWebhook', { respondWith: 'binary' }, 'function'],
  ])('is told where its settings ask for what the handler does not do: %s %j', (...given) => {
    const [type, parameters, kind] = given;
    const made = between(type, parameters);
    expect(made).toMatchObject({ spec: { workflow: { nodes: { n1: { kind } } } } });
    expect(made.told).toEqual(['manual carried_as']);
  });

  it.each([
    ['readWriteFile', { operation: 'read', fileSelector: '/etc/passwd' }],
    ['spreadsheetFile', { operation: 'toFile' }],
    ['convertToFile', { operation: 'xlsx' }],
    ['code', { language: 'python', pythonCode: 'return []' }],
  ])('blocks where its handler would fail at each run: %s %j', (type, parameters) => {
    expect(between(type, parameters).told).toEqual(['blocking proprietary_node']);
  });

  const mail = { fromEmail: 'a@example.com', toEmail: '={{ $json.to }}', options: {} };
  it.each([
    ['emailSend', {}, "no 'toEmail'"],
    ['emailSend', { ...mail, toEmail: ' ' }, "no 'toEmail'"],
    ['emailSend', { sendTo: 'a@example.com' }, "the setting 'sendTo'"],
    ['emailSend', { ...mail, options: { priority: 'high' } }, "the option 'priority'"],
    [
      'emailSend',
      { ...mail, options: { allowUnauthorizedCerts: true } },
      'options.allowUnauthorizedCerts = true',
    ],
    ['rssFeedRead', { url: 'https://example.com', options: { since: 1 } }, "the option 'since'"],
    ['postgres', {}, "no 'table'"],
    ['postgres', { table: { __rl: true, mode: 'list', value: '' } }, "no 'table'"],
    ['postgres', { operation: 'executeQuery', query: '' }, "no 'query'"],
  ])('says which setting it is: %s %j', (type, parameters, words) => {
    const made = between(type, parameters);
    expect(made.told).toEqual(['blocking proprietary_node']);
    const lack = words.startsWith('no ') ? 'without which' : 'which';
    expect(made.words).toContain(`"n1" has ${words}, ${lack}`);
  });

  it('is carried with a recipient that is computed', () => {
    const made = between('emailSend', mail);
    expect(made.told).toEqual([]);
    expect(made.spec).toMatchObject({
      metadata: { flow: { steps: { n1: { parameters: { toEmail: '={{ $json.to }}' } } } } },
    });
  });
});
