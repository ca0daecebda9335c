import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { Desktop } from './desktop.ts';

/** A spec of the fixtures, with changes made to it. */
export function fixtureSpec(name: string, change: (spec: Spec) => void = () => undefined): Spec {
  const file = path.resolve(import.meta.dirname, '../../fixtures/specs', name);
  const spec: Spec = parse(readFileSync(file, 'utf8'));
  change(spec);
  return spec;
}

// biome-ignore lint/suspicious/noExplicitAny: documents of tests are edited freely
type Spec = any;

/** Starts a run on the window's own platform; answers its id. */
export async function startRun(
  desktop: Desktop,
  body: { readonly spec: Spec; readonly input: string; readonly session_id?: string },
): Promise<string> {
  const { gateway } = await desktop.services();
  return await desktop.page.evaluate(
    async ({ url, token, text }) => {
      const answer = await fetch(`${url}/platform/v1/runs`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: text,
      });
      const run = await answer.json();
      if (typeof run.run_id !== 'string') throw new Error(JSON.stringify(run));
      return run.run_id;
    },
    { ...gateway, text: JSON.stringify({ async_mode: true, ...body }) },
  );
}

/** Gives the page of the window a size. */
export async function resize(desktop: Desktop, width: number, height: number): Promise<void> {
  await desktop.app.evaluate(
    ({ BrowserWindow }, size) => {
      BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height);
    },
    { width, height },
  );
  await desktop.page.waitForTimeout(300);
}
