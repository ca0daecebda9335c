// A secret of an import stands in no file of the studio's folder and names none (SECURITY.md).
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startTestPlatform } from '../support/platform.ts';
import { startStudioUnderTest } from '../support/studio-app.ts';

const SECRET = 'Qz7kP4vT9wR2xLm8';

function element(change: Record<string, unknown>): Record<string, unknown> {
  const usual = { id: 'a', name: 'A', type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 };
  return { ...usual, parameters: {}, ...change };
}

test('an export with secrets in every place leaves none behind', async () => {
  const platform = await startTestPlatform();
  const studio = await startStudioUnderTest(platform.url);
  const named = `Cookie: sid=${SECRET}`;
  const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
  const raw = JSON.stringify({
    name: `password: ${SECRET}`,
    nodes: [
      element({ id: 't', name: 'T', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 }),
      element({
        parameters: {
          url: `https://x.example?api_key=${SECRET}`,
          jsonBody: `{"api_key":"${SECRET}"}`,
          text: `curl -u ada:${SECRET} https://x.example`,
        },
        credentials: { httpHeaderAuth: { id: '1', name: SECRET } },
      }),
      element({
        id: 'b',
        name: named,
        parameters: { query: `CREATE USER ada IDENTIFIED BY '${SECRET}'` },
      }),
    ],
    connections: { T: to('A'), A: to(named) },
  });
  try {
    const body = { alias: 'default', raw, source_name: `password: ${SECRET}.json` };
    const made = await studio.call('POST', '/api/projects/default/import/n8n', body);
    expect(made.status).toBe(201);
    expect(made.text).not.toContain(SECRET);
    await studio.stop();
    const files = readdirSync(studio.folder, { recursive: true, encoding: 'utf8' });
    expect(files.some((file) => file.endsWith('.yaml'))).toBe(true);
    for (const file of files) {
      expect(file.toLowerCase()).not.toContain(SECRET.toLowerCase());
      const whole = path.join(studio.folder, file);
      if (statSync(whole).isFile()) {
        expect(readFileSync(whole, 'latin1').includes(SECRET), file).toBe(false);
      }
    }
  } finally {
    await studio.dispose();
    await platform.stop();
  }
});
