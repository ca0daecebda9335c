import { rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  authored,
  createArtifact,
  freshStudios,
  P,
  refused,
  register,
  SPEC,
  sha,
  studio,
  write,
} from '../support/studio-world.ts';

freshStudios();

test('18 AS-032: what an artifact is made of is read back from its frozen bytes', async () => {
  const base = await authored('b.yaml', `${SPEC}metadata: {tier: one, keep: 1}\n`);
  const texts = ['metadata: {tier: two}\n', 'metadata: {tier: three, keep: null}\n'];
  const overlays = texts.map((text, at) => ({ path: `o${at}.yaml`, revision: sha(text) }));
  for (const [at, text] of texts.entries()) {
    write(`o${at}.yaml`, text);
    await register(`o${at}.yaml`, { kind: 'overlay' });
  }
  const overrides = { agent: { system_prompt: 'é' }, metadata: { tier: 'four' } };
  const artifact = await createArtifact(base, { overlays, overrides });
  const preview = await studio.call('POST', `${P}/specs/compose`, { base, overlays, overrides });
  const target = `${P}/artifacts/${artifact.id}/composition`;
  write('o0.yaml', 'metadata: {tier: changed}\n');
  rmSync(path.join(studio.root, 'o1.yaml'));
  expect((await studio.call('GET', target)).body).toEqual({
    ...preview.body,
    base: { ...base, text: `${SPEC}metadata: {tier: one, keep: 1}\n` },
    overlays: overlays.map((overlay, at) => ({ ...overlay, text: texts[at] })),
    overrides,
  });
  expect(preview.body.overrides_sha256).toBe(artifact.overrides_sha256);
  expect(preview.body.base_text).toContain('metadata:\n  tier: one\n  keep: 1\n');
  expect(preview.body.text).toContain('metadata:\n  tier: four\n');
  const plain = await createArtifact(base);
  const alone = (await studio.call('GET', `${P}/artifacts/${plain.id}/composition`)).body;
  expect([alone.overlays, alone.overrides, alone.text]).toEqual([[], {}, alone.base_text]);
  rmSync(path.join(studio.folder, 'state', 'snapshots'), { recursive: true });
  refused(await studio.call('GET', target), 409, 'snapshot_unavailable');
  refused(await studio.call('GET', `${P}/artifacts/nope/composition`), 404, 'artifact_not_found');
});

test('large layers are unfolded in a thread of their own, with the same answer', async () => {
  const text = `${SPEC}metadata:\n  note: ${'x'.repeat(20_000)}\n`;
  const artifact = await createArtifact(await authored('large.yaml', text));
  const answer = await studio.call('GET', `${P}/artifacts/${artifact.id}/composition`);
  expect([answer.status, answer.body.base.text]).toEqual([200, text]);
  expect(answer.body.origins).toContainEqual({
    path: 'metadata.note',
    origin: 'base',
    overlay: null,
  });
});

test('58 AS-005: of several faults, the one of the first layer is told; kinds go first', async () => {
  const base = await authored('b.yaml', SPEC);
  const overlay = async (name: string, text: string, kind = 'overlay') => {
    const revision = write(name, text);
    await register(name, { kind });
    return { path: name, revision };
  };
  const compose = (overlays: unknown[]) =>
    studio.call('POST', `${P}/specs/compose`, { base, overlays });
  const fine = await overlay('fine.yaml', 'metadata: {a: 1}\n');
  const broken = await overlay('broken.yaml', 'metadata: [\n');
  const wrong = await overlay('wrong.yaml', SPEC, 'spec');
  const stale = { ...fine, revision: sha('other') };
  const gone = { path: 'gone.yaml', revision: sha('') };
  refused(await compose([broken, stale, wrong]), 422, 'component_wrong_kind', {
    path: 'wrong.yaml',
  });
  refused(await compose([fine, stale, gone]), 409, 'draft_stale', { path: 'fine.yaml' });
  refused(await compose([gone, stale]), 409, 'snapshot_unavailable', { path: 'gone.yaml' });
  const told = await compose([fine, broken]);
  refused(told, 422, 'request_invalid');
  expect(told.body.details.errors[0].loc).toEqual(['body', 'overlays', 1]);
  rmSync(path.join(studio.root, 'fine.yaml'));
  refused(await compose([fine]), 409, 'snapshot_unavailable', { path: 'fine.yaml' });
});
