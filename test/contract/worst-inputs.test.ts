// Inputs made to cost as much as they can are answered or refused, and the services go on. How long they hold the event loop is measured by `npm run bench -- worst`.
import { afterAll, expect, test } from 'vitest';
import { startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { type StudioUnderTest, startStudioUnderTest } from '../support/studio-app.ts';
import { startWorstDashboard, startWorstGateway } from '../support/worst-doors.ts';
import { throwWorst, type WorstThrow } from '../support/worst-throw.ts';

const started: Pick<TestPlatform | StudioUnderTest, 'stop'>[] = [];
afterAll(async () => {
  for (const service of started.reverse()) await service.stop();
});

test('the worst inputs found are answered or refused with a code', {
  timeout: 300_000,
}, async () => {
  const platform = await startTestPlatform({ checkResponses: false, thread: true });
  started.push(platform);
  const studio = await startStudioUnderTest('', {
    checkResponses: false,
    platform: { url: platform.url, apiKey: 'admin-key' },
  });
  started.push(studio);
  const dashboard = await startWorstDashboard(platform.url);
  started.push({ stop: () => dashboard.stop() });
  const gateway = await startWorstGateway(platform.url);
  started.push({ stop: () => gateway.stop() });
  const all: WorstThrow[] = [];
  const told = async (one: WorstThrow): Promise<void> => void all.push(one);
  const dangerous =
    /10 MB|1,000 deep|small: |guardrail patterns|97 KB|dense|draft .*(\[,,,,|\[0,0|aliases|merge)|headers|members|of keys|a price|a search|a run of|edits of|names|objects|pieces|cookie/;
  const targets = {
    platform: platform.url,
    studio: studio.url,
    dashboard: dashboard.url,
    gateway: gateway.url,
  };
  await throwWorst(targets, told, dangerous);
  const odd = all.filter(({ status, code }) => status >= 500 || (status >= 400 && code === ''));
  expect(odd).toEqual([]);
  const guarded = all.filter(({ what }) => what.includes('guardrail patterns'));
  expect(guarded.map(({ text }) => text.includes('guardrail_limit_exceeded'))).toEqual([
    true,
    true,
  ]);
  expect(all.length).toBeGreaterThan(50);
  expect((await platform.get('/healthz')).status).toBe(200);
  expect((await studio.call('GET', '/api/projects/default/drafts')).status).toBe(200);
});
