// What a run leaves holds no secret in the end, and the loop turns while a large one is masked.
import { afterEach, expect, test } from 'vitest';
import { maskLeft, type RunLeft } from './mask-run.ts';
import { createMasker, type Masker } from './masker.ts';

let masker: Masker | undefined;
afterEach(async () => {
  await masker?.close();
});

function left(text: string): RunLeft {
  return {
    row: {
      input_text: text,
      output_text: null,
      messages: '[]',
      error: null,
      created_metadata: JSON.stringify({ note: text }),
      run_metadata: '{}',
    },
    state: undefined,
  };
}

function secrets(count: number): string {
  return Array.from({ length: count }, (_, i) => `password="hunter2-${i}-x"`).join('\n');
}

test('a small run is masked where it is asked for', async () => {
  masker = createMasker();
  const kept = await masker.mask(left(secrets(3)));
  expect(kept).toEqual(maskLeft(left(secrets(3))));
  expect(JSON.stringify(kept)).not.toContain('hunter2');
});

test('a text of 900 KB full of secrets is masked beside the event loop, with the same result', async () => {
  masker = createMasker();
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  }, 1);
  const kept = await masker.mask(left(secrets(35_000)));
  clearInterval(counting);
  expect(turns).toBeGreaterThan(20);
  expect(JSON.stringify(kept)).not.toContain('hunter2');
  expect(kept.row.input_text).toBe(maskLeft(left(secrets(35_000))).row.input_text);
}, 60_000);
