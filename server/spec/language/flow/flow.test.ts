import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../edit/text-edit.ts';
import { completionsAt } from '../completion.ts';
import { hoverAt } from '../hover.ts';
import { openDocument } from '../open-document.ts';
import { quickFixes } from '../quick-fix.ts';

const DRAFT = `version: v1
agent: {name: desk}
workflow:
  type: graph
  start: webhook
  nodes:
    webhook: {id: webhook, kind: function, ref: webhook}
    check: {id: check, kind: function, ref: check}
    join: {id: join, kind: function, ref: join}
  edges:
  - {from: webhook, to: check}
  - {from: check, to: join, condition: {type: metadata_equals, key: output_1, value: true}}
components:
  functions:
    webhook: {implementation: n8n.webhook}
    check: {implementation: n8n.if}
    join: {implementation: n8n.merge}
metadata:
  flow:
    source: n8n
    order: v1
    steps:
      webhook:
        name: Webhook
        type: n8n-nodes-base.webhook
        version: 2
        parameters:
          path: refunds
      check:
        name: Is it paid?
        type: n8n-nodes-base.if
        version: 2.2
        parameters:
          conditions: {left: "={{ $('Webhook').item.json.paid }}"}
      join:
        name: Join
        type: n8n-nodes-base.merge
        version: 3
        parameters:
          mode: append
        inputs:
        - - step: check
            output: 0
`;

function findings(text: string) {
  return openDocument(text)
    .findings()
    .filter(({ code }) => code.startsWith('W_FLOW'));
}

/** The text after the first fix, if there is one. */
function fixed(text: string): string | undefined {
  const document = openDocument(text);
  const [fix] = document.findings().flatMap((finding) => quickFixes(document, finding));
  return fix && applyEdits(text, fix.edits);
}

describe('the settings of an imported flow', () => {
  it('are without findings as an import writes them', () => {
    expect(openDocument(DRAFT).findings()).toEqual([]);
  });

  it.each([
    [
      'implementation: n8n.if}',
      'implementation: n8n.fi}',
      'W_FLOW_HANDLER',
      ['Change to "n8n.if"'],
    ],
    ['- - step: check', '- - step: chek', 'W_FLOW_STEP', true],
    ['output: 0\n', 'output: 2\n', 'W_FLOW_OUTPUT', false],
    ['key: output_1', 'key: output_2', 'W_FLOW_OUTPUT', false],
    ['mode: append', 'mode: apend', 'W_FLOW_SETTING', true],
    ['mode: append', 'moed: append', 'W_FLOW_SETTING', true],
    ["$('Webhook')", "$('Webhok')", 'W_FLOW_REFERENCE', true],
    ['json.paid }}', 'json.paid + }}', 'W_FLOW_EXPRESSION', false],
    ['order: v1', 'order: v7', 'W_FLOW_SETTINGS', false],
    ['      join:\n', '      joni:\n', 'W_FLOW_STEP', true],
  ])('%j → %j is %s', (good, bad, code, isMended) => {
    const text = DRAFT.replace(good, bad);
    expect(text).not.toBe(DRAFT);
    expect(findings(text).map((finding) => finding.code)).toEqual([code]);
    const made = fixed(text);
    expect(made === undefined).toBe(!isMended);
    if (made !== undefined)
      expect(openDocument(made).parsed.value).toEqual(openDocument(DRAFT).parsed.value);
  });

  it('tells where in its text an expression cannot be read', () => {
    const text = DRAFT.replace('json.paid }}', 'json.paid ++ 1 }}');
    const [finding] = findings(text);
    const { start } = finding?.range ?? {};
    expect(text.slice(start?.offset, (start?.offset ?? 0) + 1)).toBe('1');
    expect(finding?.path).toBe('metadata.flow.steps.check.parameters.conditions.left');
  });
});

function offered(text: string): string[] {
  const offset = text.indexOf('|');
  const document = openDocument(text.slice(0, offset) + text.slice(offset + 1));
  return completionsAt(document, offset).map(({ label }) => label);
}

describe('completion in an imported flow', () => {
  it('offers the members of a step that it does not have', () => {
    const labels = offered(DRAFT.replace('        inputs:\n', '        |\n        inputs:\n'));
    expect(labels).toEqual(expect.arrayContaining(['on_error', 'retry', 'execute_once', 'prompt']));
    expect(labels).not.toContain('parameters');
  });

  it('offers settings of its type, and their values', () => {
    const keys = offered(
      DRAFT.replace('          mode: append\n', '          mode: append\n          |\n'),
    );
    expect(keys).toEqual(expect.arrayContaining(['numberInputs', 'combineBy']));
    expect(keys).not.toContain('mode');
    expect(offered(DRAFT.replace('mode: append', 'mode: |'))).toEqual(
      expect.arrayContaining(['append', 'chooseBranch']),
    );
  });

  it('offers steps, types and the ways to fail', () => {
    expect(offered(DRAFT.replace('step: check', 'step: |'))).toEqual(['webhook', 'check', 'join']);
    expect(offered(DRAFT.replace('type: n8n-nodes-base.if', 'type: |'))).toContain(
      'n8n-nodes-base.httpRequest',
    );
    const failing = DRAFT.replace('        inputs:\n', '        on_error: |\n        inputs:\n');
    expect(offered(failing)).toEqual(['regular_output', 'error_output']);
  });
});

describe('completion of a vendor’s node', () => {
  const node = `        name: Tell
        type: n8n-nodes-base.telegram
        version: 1.2
        parameters:
          resource: message
          operation: sendMessage
`;
  const text = DRAFT.replace(/ {8}name: Join[\s\S]*$/, node);

  it('offers its operations, and the settings of the one that is chosen', () => {
    expect(offered(text.replace('operation: sendMessage', 'operation: |'))).toContain('sendPhoto');
    expect(offered(`${text}          |`)).toEqual(expect.arrayContaining(['chatId', 'text']));
    expect(openDocument(text).findings()).toEqual([]);
  });
});

describe('hover in an imported flow', () => {
  const said = (word: string): string =>
    hoverAt(openDocument(DRAFT), DRAFT.indexOf(word) + 1)?.markdown ?? '';

  it('says what a setting does, and whose it is in the source', () => {
    expect(said('mode: append')).toContain('How the inputs become one list');
    expect(said('mode: append')).toContain(
      'In the source: "Join" (n8n-nodes-base.merge, version 3).',
    );
    expect(said('inputs:')).toContain('outputs that feed it');
    expect(said('order: v1')).toContain('depth first');
  });
});
