import { Button } from '@mantine/core';
import { IconCode } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { writeFunction } from '../../../server/contract/studio/functions.ts';
import type { SketchedPart } from '../../../server/spec/edit/function-sketch.ts';
import { call } from '../../data/api-client.ts';
import { invalidateAuthoring } from '../../data/studio.ts';
import { readTrust, useTrust } from '../../data/trust.ts';
import { desktopApi } from '../../desktop/bridge.ts';
import { listText } from '../../ui/list-text.ts';
import { notifyDone, notifyError } from '../../ui/notify.tsx';
import { showFolder } from '../../ui/show-folder.ts';
import { trustRequestStore } from '../../workbench/trust-request.ts';
import { type DraftAt, fetchDraftText } from './gap-queries.ts';

/** Code that was written from this window, by project and gap. */
const written = new Map<string, readonly string[]>();

/** Makes the function that a gap waits for, then asks whether the project's code may run. */
export function WriteFunction(props: {
  readonly projectId: string;
  readonly gapId: string;
  readonly draft: DraftAt | undefined;
  /** Undefined where nothing waits for code (any more). */
  readonly part: SketchedPart | undefined;
}) {
  const { projectId, draft, part } = props;
  const key = `${projectId}\n${props.gapId}`;
  const [writing, setWriting] = useState(false);
  const write = async (draft: DraftAt, part: SketchedPart): Promise<void> => {
    setWriting(true);
    try {
      const params = { project_id: projectId };
      const made = await call(writeFunction, { params, body: { draft, ...part } });
      written.set(key, made.files);
      notifyDone(
        t('{files} written; the draft calls {implementation}', {
          files: listText(made.files),
          implementation: made.implementation,
        }),
      );
      await fetchDraftText(projectId, draft.path);
      await invalidateAuthoring();
      const trust = await readTrust(projectId);
      if (trust?.state === 'untrusted') trustRequestStore.set(projectId);
    } catch (error) {
      notifyError(t('The function was not written'), error);
    } finally {
      setWriting(false);
    }
  };
  if (part !== undefined && draft !== undefined) {
    return (
      <Button
        size="xs"
        variant="default"
        leftSection={<IconCode size={14} aria-hidden />}
        loading={writing}
        onClick={() => void write(draft, part)}
        data-testid="write-function"
      >
        {t('Write the function')}
      </Button>
    );
  }
  return <Written projectId={projectId} files={written.get(key) ?? []} />;
}

function Written(props: { readonly projectId: string; readonly files: readonly string[] }) {
  const folder = useTrust(props.projectId)?.folder ?? null;
  const [code] = props.files;
  return code === undefined ? null : (
    <span className="sw-gap-written" data-testid="written-function">
      <code>{code}</code>
      {folder !== null && desktopApi() !== undefined && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => showFolder(`${folder}/functions`)}
        >
          {t('Show in folder')}
        </Button>
      )}
    </span>
  );
}
