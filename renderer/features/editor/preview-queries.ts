import { type PreviewView, previewDraft } from '../../../server/contract/studio/govern.ts';
import { call } from '../../data/api-client.ts';

/** Asks the platform to validate and compile the buffer; nothing is written. */
export async function previewText(input: {
  readonly projectId: string;
  readonly alias: string;
  readonly ref: string;
  readonly revision: string;
  readonly text: string;
  readonly signal: AbortSignal;
}): Promise<PreviewView> {
  return await call(
    previewDraft,
    {
      params: { project_id: input.projectId },
      body: {
        alias: input.alias,
        draft: { path: input.ref, revision: input.revision },
        text: input.text,
      },
    },
    { signal: input.signal },
  );
}
