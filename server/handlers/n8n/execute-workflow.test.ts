import { afterAll, describe, expect, it } from 'vitest';
import { callHandler, fieldsOf } from '../../../test/support/handler-call.ts';
import { createEvaluator } from '../../expressions/host/create-evaluator.ts';

const evaluator = createEvaluator();
afterAll(() => evaluator.close());

const calls = (parameters: object, version = 1.2) =>
  callHandler(evaluator, {
    type: 'executeWorkflow',
    version,
    parameters: { ...parameters },
    given: [{ n: 1, secret: 'x' }, { n: 2 }],
    isCalling: true,
  });

describe('Execute Workflow', () => {
  it('fails where no workflow stands behind it', async () => {
    const alone = callHandler(evaluator, { type: 'executeWorkflow', given: [{}] });
    await expect(alone).rejects.toThrow('Workflow does not exist.');
  });

  it('calls with its items, once or for each, and waits unless it says not to', async () => {
    const plain = await calls({ workflowInputs: { value: { n: 7 } } }, 1.1);
    expect(fieldsOf(plain)).toEqual([[{ n: 1, secret: 'x' }, { n: 2 }]]);
    expect(plain.calls).toEqual({ each: false, waits: true });
    const each = await calls({ mode: 'each', options: { waitForSubWorkflow: false } });
    expect(each.calls).toEqual({ each: true, waits: false });
  });

  it('puts the fields that it maps over those of each item, without the removed ones', async () => {
    const schema = [
      { id: 'n', displayName: 'n' },
      { id: 'secret', displayName: 'secret', removed: true },
    ];
    const value = { n: '={{ $json.n * 10 }}', added: 'a' };
    const mapped = await calls({ workflowInputs: { mappingMode: 'defineBelow', value, schema } });
    expect(fieldsOf(mapped)).toEqual([
      [
        { n: 10, added: 'a' },
        { n: 20, added: 'a' },
      ],
    ]);
  });
});

describe('the trigger of a called workflow', () => {
  const begins = (parameters: object, given: object[] = [{ n: 1, more: true }]) =>
    callHandler(evaluator, {
      type: 'executeWorkflowTrigger',
      version: 1.1,
      parameters: { ...parameters },
      given: given.map((one) => ({ ...one })),
    });

  it('takes all fields, or those that it names', async () => {
    const whole = [[{ n: 1, more: true }]];
    expect(fieldsOf(await begins({ inputSource: 'passthrough' }))).toEqual(whole);
    expect(fieldsOf(await begins({}))).toEqual(whole);
    const values = [{ name: 'n', type: 'number' }, { name: 'gone' }];
    expect(fieldsOf(await begins({ workflowInputs: { values } }))).toEqual([
      [{ n: 1, gone: null }],
    ]);
    const example = { inputSource: 'jsonExample', jsonExample: '{"more": false}' };
    expect(fieldsOf(await begins(example))).toEqual([[{ more: true }]]);
    expect(fieldsOf(await begins({ inputSource: 'jsonExample' }))).toEqual([[{}]]);
  });

  it('gives one empty item where it was given none, and refuses an example that is none', async () => {
    expect(fieldsOf(await begins({}, []))).toEqual([[{}]]);
    await expect(begins({ inputSource: 'jsonExample', jsonExample: '{' })).rejects.toThrow(
      'no JSON',
    );
  });
});
