import { expect, test } from 'vitest';
import { newRow } from '../runs/start-run.ts';
import type { RunChange } from './run-columns.ts';
import { outcomeTexts } from './run-texts.ts';

const setup = {
  run_id: 'run-1',
  target: 'agent',
  input_text: '',
  environment: null,
  timeout_seconds: null,
  deadline_at: null,
} as const;
const row: RunChange = {
  ...newRow(setup, {
    async_mode: false,
    session_id: null,
    strict: true,
    parent_run_id: null,
    caller: null,
    code_bundle: null,
    metadata: '{}',
    at: 0,
  }),
  status: 'completed',
  agent_name: 'desk',
  output_text: 'done',
};

const said = (content: string) => ({ role: 'user', content, name: null, metadata: {} });

test('a list shows the messages of a short run whole and redacted (contract/platform.md 3.3)', () => {
  const messages = [said('password=hunter2')];
  const texts = outcomeTexts({ ...row, messages: JSON.stringify(messages) });
  expect(texts.short_fields).toBeNull();
  expect(JSON.parse(texts.fields).messages).toEqual([said('password=[REDACTED]')]);
});

test('a list shows the first messages of a long run, redacted, and how many follow', () => {
  const messages = Array.from({ length: 50 }, (_, n) =>
    said(`password=hunter2 ${'x'.repeat(2000)}${n}`),
  );
  const text = JSON.stringify(messages);
  const texts = outcomeTexts({ ...row, messages: text });
  const listed = JSON.parse(texts.short_fields ?? '{}');
  expect(listed).toMatchObject({ status: 'completed', output_text: 'done' });
  expect(listed.messages).toHaveLength(21);
  expect(listed.messages[20]).toEqual({ _truncated_items: 30 });
  expect(listed.messages[0].content).toMatch(
    /^password=\[REDACTED\] x+\.\.\.\[truncated \d+ chars\]$/,
  );
  expect(JSON.stringify(texts)).not.toContain('hunter2');
  expect(texts.fields.length).toBeLessThan(1000);
  expect(outcomeTexts({ ...row, messages: text }, messages)).toEqual(texts);
});
