import type { Desktop } from './desktop.ts';

/** Asks a service through the window's own gateway, as the page would; answers the parsed body. */
export async function ask(
  desktop: Desktop,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: unknown,
  // biome-ignore lint/suspicious/noExplicitAny: answers are read freely in tests
): Promise<any> {
  const { gateway } = await desktop.services();
  return await desktop.page.evaluate(
    async ({ url, token, at, how, text }) => {
      const answer = await fetch(`${url}${at}`, {
        method: how,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(text === null ? {} : { body: text }),
      });
      if (!answer.ok) throw new Error(`${how} ${at}: ${answer.status} ${await answer.text()}`);
      return await answer.json();
    },
    {
      ...gateway,
      at: path,
      how: method,
      text: body === undefined ? null : JSON.stringify(body),
    },
  );
}

const PROJECT = '/studio/api/projects/default';

/** Makes a draft of a text, an artifact of it, and a run of that; answers the platform's run id. */
export async function runDraft(
  desktop: Desktop,
  name: string,
  text: string,
  input: string,
): Promise<string> {
  const draft = await ask(desktop, 'POST', `${PROJECT}/drafts`, { name, kind: 'spec', text });
  const artifact = await ask(desktop, 'POST', `${PROJECT}/artifacts`, {
    base: { path: draft.ref, revision: draft.revision },
    alias: 'default',
  });
  const run = await ask(desktop, 'POST', `${PROJECT}/test-runs`, {
    artifact_id: artifact.id,
    input,
  });
  return run.platform_run_id;
}
