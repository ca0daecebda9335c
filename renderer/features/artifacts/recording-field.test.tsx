import { expect, test } from 'vitest';
import { drawn } from '../../../test/support/drawn.ts';
import { RecordingField } from './recording-field.tsx';
import type { RecordingDraft } from './recording-model.ts';

const field = (draft: RecordingDraft) =>
  drawn(<RecordingField projectId="default" draft={draft} onChange={() => undefined} />);

test('a name is asked for only when something is recorded or replayed', () => {
  const off = field({ mode: 'off', name: 'order-a7' });
  expect(off.tags('recording-name')).toEqual([]);
  expect(off.text).toContain('nothing is kept beside the run');
  for (const mode of ['record', 'replay'] as const) {
    const page = field({ mode, name: 'order-a7' });
    expect(page.tags('recording-name').join()).toContain('value="order-a7"');
    expect(page.text).toContain('.studio/recordings/order-a7.jsonl');
  }
});

test('a name that no file can have says what is wrong', () => {
  expect(field({ mode: 'record', name: '../x' }).text).toContain('Letters, digits, dots');
  expect(field({ mode: 'record', name: 'fine-1' }).text).not.toContain('Letters, digits, dots');
});
