// The example of docs/tools.md, run over HTTP as its text says.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startTestPlatform } from '../support/platform.ts';

const DOCS = fileURLToPath(new URL('../../docs', import.meta.url));

test('docs/examples/parts-desk gives the answer that the page shows', async () => {
  const page = readFileSync(`${DOCS}/tools.md`, 'utf8');
  const readme = readFileSync(`${DOCS}/../README.md`, 'utf8');
  const [, input = '', output = ''] =
    /parts-desk\.yaml -i "([^"]*)" --trust\n(.*)\n/.exec(page) ?? [];
  expect(readme).toContain(output);
  const platform = await startTestPlatform({
    specRoot: `${DOCS}/examples/parts-desk`,
    trusted: true,
  });
  try {
    const spec_path = 'parts-desk.yaml';
    const checked = await platform.post('/v1/specs/compile', { spec_path });
    expect(checked.body).toMatchObject({ ok: true, diagnostics: [] });
    const run = await platform.post('/v1/runs', { spec_path, input });
    expect(run.body).toMatchObject({ status: 'completed', output_text: output });
    expect(output).toBe('Final answer based on tool results: 12 × gear, 3 × belt');
    const searched = await platform.post('/v1/runs', { spec_path, input: 'hello' });
    expect(searched.body.output_text).toBe('Final answer: hello');
  } finally {
    await platform.stop();
  }
});
