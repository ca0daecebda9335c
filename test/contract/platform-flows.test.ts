import { describe, expect, test } from 'vitest';
import { adds, code, type FlowSpecStep, flowSpec } from '../support/flow-specs.ts';
import { flaky, p, resume, sharePlatform } from '../support/platform-world.ts';

// Graphs that run as item flows (decision record 0024).

sharePlatform();

const ASKED = { agents: { speak: { name: 'speak' } } };
const speak: FlowSpecStep = {
  kind: 'agent',
  type: '@n8n/n8n-nodes-langchain.agent',
};

async function run(spec: unknown, input: unknown, more: Record<string, unknown> = {}) {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  return p.post('/v1/runs', { input: text, spec, ...more });
}

async function nodesOf(id: string): Promise<string[]> {
  const { body } = await p.get(`/v1/runs/${id}/checkpoints`);
  return body.checkpoints
    .filter(({ type }: { type: string }) => type === 'node_completed')
    .map(({ node_id }: { node_id: string }) => node_id);
}

describe('item flows', () => {
  test('items go along every wire, depth first; a step that two wires reach runs twice', async () => {
    const spec = flowSpec(
      {
        start: adds('a', 'x'),
        left: adds('side', 'left'),
        right: adds('side', 'right'),
        end: adds('end', '={{ $json.side }} of {{ $("start").item.json.n }}'),
      },
      [
        ['start', 'left'],
        ['start', 'right'],
        ['left', 'end'],
        ['right', 'end'],
      ],
    );
    const { status, body } = await run(spec, [{ n: 1 }, { n: 2 }]);
    expect(status).toBe(200);
    expect(JSON.parse(body.output_text)).toEqual([
      { n: 1, a: 'x', side: 'right', end: 'right of 1' },
      { n: 2, a: 'x', side: 'right', end: 'right of 2' },
    ]);
    expect(await nodesOf(body.run_id)).toEqual(['start', 'left', 'end', 'right', 'end']);
    const items = await p.get(`/v1/runs/${body.run_id}/items?offset=3&limit=1`);
    expect(items.body).toMatchObject({ total: 5, runs: [{ at: 3, step: 'right', run: 0 }] });
    const [right] = items.body.runs;
    expect(right.sources).toEqual([{ node: 'start', output: 0, run: 0 }]);
    expect(right.outputs[0][1]).toEqual({ n: 2, a: 'x', side: 'right' });
  });

  test('an output without items leads nowhere; a step that is switched off hands its items on', async () => {
    const spec = flowSpec(
      {
        start: adds('a', 'x'),
        none: code('return [];'),
        never: adds('b', 'y'),
        off: { ...adds('c', 'z'), disabled: true },
        end: adds('d', 'w'),
      },
      [
        ['start', 'none'],
        ['none', 'never'],
        ['start', 'off'],
        ['off', 'end'],
      ],
    );
    const { body } = await run(spec, 'hello');
    expect(JSON.parse(body.output_text)).toEqual({ chatInput: 'hello', a: 'x', d: 'w' });
    expect(await nodesOf(body.run_id)).toEqual(['start', 'none', 'off', 'end']);
  });

  test('what passes a step that is switched off, or is pinned, knows what it was made of', async () => {
    const named = adds('n', '={{ $("start").item.json.id }} of {{ $json.id }}');
    const spec = flowSpec(
      {
        start: adds('a', 'x'),
        turned: code('return $input.all().reverse();'),
        off: { ...adds('c', 'z'), disabled: true },
        fetch: code('throw new Error("never called")'),
        end: named,
      },
      [
        ['start', 'turned'],
        ['turned', 'off'],
        ['off', 'fetch'],
        ['fetch', 'end'],
      ],
    );
    const pinned = { fetch: [{ id: 'p1' }, { id: 'p2' }] };
    const { body } = await run(spec, { items: [{ id: 'a' }, { id: 'b' }], pinned });
    const ends = JSON.parse(body.output_text).map(({ n }: { n: string }) => n);
    expect(ends).toEqual(['b of p1', 'a of p2']);
  });

  test('a step that goes on after an error fails the run when nothing ran behind it', async () => {
    const broken: FlowSpecStep = { ...code('return 5;'), on_error: 'regular_output' };
    const alone = flowSpec({ start: broken }, []);
    const { body: failed } = await run(alone, [{ n: 1 }], { async_mode: true });
    const { body } = await p.waitFor(failed.run_id, 'failed', 'completed');
    expect(body.error.message).toContain("Code doesn't return items properly");
    const followed = flowSpec({ start: broken, end: adds('a', 'x') }, [['start', 'end']]);
    const { body: ended } = await run(followed, [{ n: 1 }]);
    expect(JSON.parse(ended.output_text)).toEqual({ n: 1, a: 'x' });
  });

  test('a run may begin at another trigger, and bring the items of steps along', async () => {
    const spec = flowSpec(
      {
        first: adds('from', 'first'),
        second: adds('from', 'second'),
        fetch: code('throw new Error("never called")'),
        end: adds('end', '={{ $json.from }}{{ $json.answer }}'),
      },
      [
        ['first', 'fetch'],
        ['second', 'fetch'],
        ['fetch', 'end'],
      ],
    );
    const { body } = await run(spec, {
      trigger: 'second',
      items: [{ n: 1 }],
      pinned: { fetch: [{ answer: 42 }] },
    });
    expect(JSON.parse(body.output_text)).toMatchObject({ answer: 42, end: '42' });
    expect(await nodesOf(body.run_id)).toEqual(['second', 'fetch', 'end']);
    const refused = await run(spec, { trigger: 'nobody', items: [] }, { session_id: 'no-trigger' });
    expect(refused.status).toBe(400);
  });

  test('a step of text is asked for each item, by its prompt where it has one', async () => {
    const spec = flowSpec(
      {
        start: adds('a', 'x'),
        speak: { ...speak, prompt: '=Say {{ $json.word }}' },
        end: adds('end', '={{ $json.output }} ({{ $("start").item.json.word }})'),
      },
      [
        ['start', 'speak'],
        ['speak', 'end'],
      ],
      { components: ASKED },
    );
    const { body } = await run(spec, [{ word: 'yes' }, { word: 'no' }]);
    expect(JSON.parse(body.output_text).map(({ end }: { end: string }) => end)).toEqual([
      'Final answer: Say yes (yes)',
      'Final answer: Say no (no)',
    ]);
  });

  test('a person is asked once, and the items go on with the answer', async () => {
    const spec = flowSpec(
      {
        start: adds('a', 'x'),
        ask: { kind: 'human', type: 'n8n-nodes-base.wait' },
        end: adds('end', '={{ $json.output }}{{ $json.a }}'),
      },
      [
        ['start', 'ask'],
        ['ask', 'end'],
      ],
      { components: { humans: { ask: { description: 'Go on?', request_type: 'freeform' } } } },
    );
    const { body: blocked } = await run(spec, [{ n: 1 }, { n: 2 }]);
    expect(blocked.status).toBe('blocked');
    const answer = await resume(blocked, { decision: 'provided', content: 'yes' });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body.output_text)).toEqual([
      { n: 1, a: 'x', output: 'yes', end: 'yesx' },
      { n: 2, a: 'x', output: 'yes', end: 'yesx' },
    ]);
  });

  test('a failed flow goes on at the step that failed, with the items that it had', async () => {
    const spec = flowSpec(
      {
        start: adds('text', '={{ $json.chatInput }}!'),
        work: { kind: 'function', type: 'author' },
        end: adds('end', '={{ $json.output }} {{ $("start").item.json.chatInput }}'),
      },
      [
        ['start', 'work'],
        ['work', 'end'],
      ],
      { components: { functions: { work: { implementation: 'work.flaky' } } } },
    );
    flaky.fails = true;
    const failed = await run(spec, 'again', { async_mode: true });
    const { body: ended } = await p.waitFor(failed.body.run_id, 'failed', 'completed');
    expect(ended.error.message).toContain('not yet');
    flaky.fails = false;
    const answer = await p.post(`/v1/runs/${failed.body.run_id}/continue`, {});
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body.output_text).end).toContain('"text":"again!"} again');
    expect(await nodesOf(failed.body.run_id)).toEqual(['start', 'work', 'end']);
  });

  test('a rerun goes on from a checkpoint with the items of the steps before', async () => {
    const spec = flowSpec(
      {
        start: adds('a', 'x'),
        middle: adds('b', '={{ $json.a }}y'),
        end: adds('c', '={{ $json.b }}{{ $("start").item.json.n }}'),
      },
      [
        ['start', 'middle'],
        ['middle', 'end'],
      ],
    );
    const { body } = await run(spec, [{ n: 7 }]);
    const { body: rows } = await p.get(`/v1/runs/${body.run_id}/checkpoints`);
    const row = rows.checkpoints.find(({ node_id }: { node_id: string }) => node_id === 'start');
    const again = await p.post(`/v1/runs/${body.run_id}/rerun`, {
      checkpoint_sequence: row.sequence,
    });
    expect(again.status).toBeLessThan(300);
    const { body: done } = await p.waitFor(again.body.run_id, 'completed', 'failed');
    expect(JSON.parse(done.output_text)).toEqual({ n: 7, a: 'x', b: 'xy', c: 'xy7' });
    expect(await nodesOf(again.body.run_id)).toEqual(['middle', 'end']);
  });

  test('a circle ends at max_steps', async () => {
    const round = flowSpec({ start: adds('a', 'x') }, [['start', 'start']], { max_steps: 20 });
    const circle = await run(round, 'x', { async_mode: true });
    const { body } = await p.waitFor(circle.body.run_id, 'failed', 'completed');
    expect(body.error.type).toBe('max_iterations');
  });

  test('a step that fails at last has been tried as often as its settings say', async () => {
    const fails: FlowSpecStep = {
      ...code('throw new Error(`try ${$runIndex}`)'),
      retry: { tries: 3, wait_ms: 200 },
    };
    const spec = flowSpec({ start: fails }, []);
    const begun = performance.now();
    const queued = await run(spec, 'x', { async_mode: true });
    const { body } = await p.waitFor(queued.body.run_id, 'failed', 'completed');
    expect(body.error.message).toContain('try 0');
    expect(performance.now() - begun).toBeGreaterThan(390);
  });

  test('settings without a known form are refused with their place', async () => {
    const spec = flowSpec({ start: adds('a', 'x') }, [], { flow: { order: 'v9' } });
    const { status, body } = await run(spec, 'x');
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('metadata.flow.order');
  });

  test('a built-in step outside of a flow says where it belongs (RP-124)', async () => {
    const { metadata: _, ...spec } = flowSpec({ start: adds('a', 'x') }, []);
    const queued = await run(spec, 'x', { async_mode: true });
    const { body } = await p.waitFor(queued.body.run_id, 'failed', 'completed');
    expect(body.error.message).toContain('metadata.flow');
  });
});
