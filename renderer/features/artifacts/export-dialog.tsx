import { Button, Group, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import { saveTextFile } from '../../desktop/bridge.ts';
import { CapabilityFindings } from '../../ui/capability-findings.tsx';
import { CopyCode } from '../../ui/copy-code.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyDone, notifyError } from '../../ui/notify.tsx';
import { ListSkeleton } from '../../ui/page.tsx';
import { readExport } from './artifact-queries.ts';

/** Shows the file that would be written, then saves it where the user says. */
export function ExportDialog(props: {
  readonly artifact: AuthoredArtifact;
  readonly onClose: () => void;
}) {
  const { artifact } = props;
  const [saving, setSaving] = useState(false);
  const file = useQuery({
    queryKey: ['studio', 'export_artifact', artifact.id],
    queryFn: () => readExport(artifact.project_id, artifact.id),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  const save = async (name: string, text: string): Promise<void> => {
    setSaving(true);
    try {
      const saved = await saveTextFile(name, text);
      if (saved.saved) {
        notifyDone(`Exported ${saved.name ?? name}`);
        props.onClose();
      }
    } catch (error) {
      notifyError('The file was not written', error);
    } finally {
      setSaving(false);
    }
  };
  return (
    <Modal opened onClose={props.onClose} title="Export" size="xl" data-testid="export-dialog">
      {file.isPending && <ListSkeleton rows={10} />}
      {file.isError && (
        <>
          <ErrorState
            title="The artifact cannot be exported yet"
            error={file.error}
            onRetry={() => void file.refetch()}
          />
          <CapabilityFindings error={file.error} />
        </>
      )}
      {file.isSuccess && (
        <>
          <div>
            The file is written as <CopyCode value={file.data.filename} label="Copy name" />
          </div>
          <section
            className="sw-text-box sw-export-text"
            aria-label="The file's text"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: long texts are scrolled by keyboard too
            tabIndex={0}
            data-testid="export-text"
          >
            <pre>{file.data.spec_yaml}</pre>
          </section>
          <Group justify="flex-end" gap="xs">
            <Button
              variant="default"
              onClick={() => void navigator.clipboard.writeText(file.data.spec_yaml)}
            >
              Copy text
            </Button>
            <Button
              loading={saving}
              onClick={() => void save(file.data.filename, file.data.spec_yaml)}
              data-testid="export-save"
            >
              Save file
            </Button>
          </Group>
        </>
      )}
    </Modal>
  );
}
