import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { SavedFile } from '../../../preload/desktop-api.ts';
import { t } from '../../../preload/texts/t.ts';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import { type BundleView, bundleArtifact } from '../../../server/contract/studio/bundles.ts';
import { call } from '../../data/api-client.ts';
import { saveBinaryFile, saveTextFile } from '../../desktop/bridge.ts';
import { BundleContents } from '../../ui/bundle-contents.tsx';
import { CapabilityFindings } from '../../ui/capability-findings.tsx';
import { CopyCode } from '../../ui/copy-code.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyDone, notifyError } from '../../ui/notify.tsx';
import { ListSkeleton } from '../../ui/page.tsx';
import { rich } from '../../ui/rich.ts';

function saveBundle({ filename, content }: BundleView): Promise<SavedFile> {
  const bytes = Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0));
  return saveBinaryFile(filename, bytes, 'application/zip');
}

/** Saves a file and says what became of it. */
async function saveTold(save: () => Promise<SavedFile>, failure: string): Promise<void> {
  try {
    const { saved, name } = await save();
    if (saved) notifyDone(t('Exported {name}', { name: name ?? '' }));
  } catch (error) {
    notifyError(failure, error);
  }
}

/** The artifact as a bundle: what goes along, what must be there, and the file. */
export function BundlePanel(props: { readonly artifact: AuthoredArtifact }) {
  const { artifact } = props;
  const params = { project_id: artifact.project_id, artifact_id: artifact.id };
  const bundle = useQuery({
    queryKey: ['studio', 'bundle_artifact', artifact.id],
    queryFn: () => call(bundleArtifact, { params }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  if (bundle.isPending) return <ListSkeleton rows={8} />;
  if (bundle.isError) {
    return (
      <>
        <ErrorState
          title={t('The bundle cannot be made yet')}
          error={bundle.error}
          onRetry={() => void bundle.refetch()}
        />
        <CapabilityFindings error={bundle.error} />
      </>
    );
  }
  const { signer, manifest } = bundle.data;
  const saveKey = () =>
    saveTold(
      () => saveTextFile('specwright-bundles.pub', signer.public_key),
      t('The key was not written'),
    );
  const save = () => saveTold(() => saveBundle(bundle.data), t('The bundle was not written'));
  return (
    <>
      <p>
        {rich(
          'One file with the draft and what it names, for {code} or another window. It holds names of secrets, never a value. Signed by this computer: {code2}',
          {
            code: <code>specwright bundle run</code>,
            code2: (
              <CopyCode
                value={signer.key_id}
                shown={signer.key_id.slice(0, 16)}
                label={t('Copy key id')}
              />
            ),
          },
        )}
      </p>
      <BundleContents manifest={manifest} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => void saveKey()}>
          {t('Save public key')}
        </Button>
        <Button onClick={() => void save()} data-testid="bundle-save">
          {t('Save bundle')}
        </Button>
      </Group>
    </>
  );
}
