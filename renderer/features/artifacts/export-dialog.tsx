import { Button, Group, Modal, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import { saveTextFile } from '../../desktop/bridge.ts';
import { CapabilityFindings } from '../../ui/capability-findings.tsx';
import { CopyCode } from '../../ui/copy-code.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyDone, notifyError } from '../../ui/notify.tsx';
import { ListSkeleton } from '../../ui/page.tsx';
import { rich } from '../../ui/rich.ts';
import { readExport } from './artifact-queries.ts';
import { BundlePanel } from './bundle-panel.tsx';

type Form = 'spec' | 'bundle';

const FORMS = [
  { value: 'spec', label: t('Spec file') },
  { value: 'bundle', label: t('Bundle for another machine') },
] as const;

/** The artifact as one spec file, or as a bundle with what it names. */
export function ExportDialog(props: {
  readonly artifact: AuthoredArtifact;
  /** What is shown at first. */
  readonly first: Form;
  readonly onClose: () => void;
}) {
  const { artifact, onClose } = props;
  const [form, setForm] = useState<Form>(props.first);
  return (
    <Modal opened onClose={onClose} title={t('Export')} size="xl" data-testid="export-dialog">
      <SegmentedControl
        value={form}
        onChange={(value) => setForm(value === 'bundle' ? 'bundle' : 'spec')}
        data={[...FORMS]}
        aria-label={t('Form of the export')}
        data-testid="export-form"
        mb="sm"
      />
      <p className="sw-faint" data-testid="export-alias">
        {rich('Checked for alias {b}, generation {alias_generation}', {
          b: <strong>{artifact.alias}</strong>,
          alias_generation: artifact.alias_generation,
        })}
      </p>
      {form === 'spec' ? (
        <SpecFile artifact={artifact} onClose={onClose} />
      ) : (
        <BundlePanel artifact={artifact} />
      )}
    </Modal>
  );
}

/** Shows the file that would be written, then saves it where the user says. */
function SpecFile(props: { readonly artifact: AuthoredArtifact; readonly onClose: () => void }) {
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
        notifyDone(t('Exported {name}', { name: saved.name ?? name }));
        props.onClose();
      }
    } catch (error) {
      notifyError(t('The file was not written'), error);
    } finally {
      setSaving(false);
    }
  };
  return (
    <>
      {file.isPending && <ListSkeleton rows={10} />}
      {file.isError && (
        <>
          <ErrorState
            title={t('The artifact cannot be exported yet')}
            error={file.error}
            onRetry={() => void file.refetch()}
          />
          <CapabilityFindings error={file.error} />
        </>
      )}
      {file.isSuccess && (
        <>
          <div>
            {rich('The file is written as {code}', {
              code: <CopyCode value={file.data.filename} label={t('Copy name')} />,
            })}
          </div>
          <section
            className="sw-text-box sw-export-text"
            aria-label={t("The file's text")}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: long texts are scrolled by keyboard too
            tabIndex={0}
            data-testid="export-text"
          >
            <pre>{file.data.spec_yaml}</pre>
          </section>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => copyText(file.data.spec_yaml, t('The text'))}>
              {t('Copy text')}
            </Button>
            <Button
              loading={saving}
              onClick={() => void save(file.data.filename, file.data.spec_yaml)}
              data-testid="export-save"
            >
              {t('Save file')}
            </Button>
          </Group>
        </>
      )}
    </>
  );
}
