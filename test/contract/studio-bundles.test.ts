import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  another,
  auditRows,
  freshStudios,
  P,
  platform,
  readyArtifact,
  refused,
  STEPS,
  studio,
  write,
} from '../support/studio-world.ts';

freshStudios();

const CODE = `${STEPS}tools:\n  t:\n    description: d\n    implementation: words.shout\n`;

async function bundle() {
  write('functions/words.ts', 'export const shout = (text: string) => text.toUpperCase();\n');
  const artifact = await readyArtifact(CODE);
  const answer = await studio.call('GET', `${P}/artifacts/${artifact.id}/bundle`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

test('an artifact that cannot travel alone travels as a bundle, signed by its installation', async () => {
  const made = await bundle();
  expect(made.filename).toMatch(/^flow\.[0-9a-f]{8}\.specbundle$/);
  expect(made.manifest.files.map((file: { path: string }) => file.path)).toEqual([
    'functions/words.ts',
    'spec.yaml',
  ]);
  expect(made.manifest.needs).toMatchObject({ functions: ['words.shout'], secrets: [] });
  const key = path.join(studio.folder, 'state', 'bundle-signing.key');
  expect(statSync(key).mode & 0o077).toBe(0);
  expect((await auditRows()).at(-1)).toMatchObject({
    action: 'bundle_artifact',
    outcome: 'allowed',
  });
  const again = await bundle();
  expect(again.signer).toEqual(made.signer);
  const { content } = made;
  const own = await studio.call('POST', '/api/bundles/inspect', { content });
  expect(own.body).toMatchObject({ manifest: made.manifest, signer: { own: true } });
});

test('another machine proves it, shows it and makes a project of it; nothing of it is trusted', async () => {
  const { content, manifest, signer } = await bundle();
  const there = await another(platform.url);
  const seen = await there.call('POST', '/api/bundles/inspect', { content });
  expect(seen.body).toEqual({ manifest, signer: { ...signer, own: false } });
  const opened = await there.call('POST', '/api/bundles/open', { content });
  expect(opened.status, opened.text).toBe(201);
  expect(opened.body).toMatchObject({ project: { name: 'flow' }, ref: 'spec.yaml' });
  const { id } = opened.body.project;
  const root = path.join(there.folder, 'projects', id);
  expect(readFileSync(path.join(root, 'functions/words.ts'), 'utf8')).toContain('shout');
  const draft = await there.call('GET', `/api/projects/${id}/drafts/spec.yaml`);
  expect(draft.body.text).toContain('words.shout');
});

test('a changed bundle, a secret in a function and an artifact that is not ready are refused', async () => {
  const { content } = await bundle();
  const bytes = Buffer.from(content, 'base64');
  bytes.write('toLowerCase', bytes.indexOf('toUpperCase'));
  for (const words of ['inspect', 'open']) {
    const evil = await studio.call('POST', `/api/bundles/${words}`, {
      content: bytes.toString('base64'),
    });
    refused(evil, 422, 'bundle_refused');
    const none = await studio.call('POST', `/api/bundles/${words}`, { content: 'bm8=' });
    refused(none, 422, 'bundle_refused', { problem: 'not_a_bundle' });
  }
  expect(existsSync(path.join(studio.folder, 'projects'))).toBe(false);
  write('functions/words.ts', 'const password = "hunter2-hunter2";\nexport const shout = 1;\n');
  const artifact = await readyArtifact(CODE.replace('description: d', 'description: e'));
  refused(await studio.call('GET', `${P}/artifacts/${artifact.id}/bundle`), 422, 'bundle_refused', {
    problem: 'secret_in_file',
  });
});
