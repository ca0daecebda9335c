import { modals } from '@mantine/modals';
import { t } from '../../../preload/texts/t.ts';
import { BUNDLE_EXTENSION } from '../../../server/contract/bundle.ts';
import {
  type InspectedBundle,
  inspectBundle,
  openBundle,
} from '../../../server/contract/studio/bundles.ts';
import { getMe } from '../../../server/contract/studio/session.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { call } from '../../data/api-client.ts';
import { queryClient, routePrefix } from '../../data/query-client.ts';
import { useAction } from '../../data/use-action.ts';
import { pickFiles } from '../../desktop/browser-files.ts';
import { AskForm } from '../../ui/ask-form.tsx';
import { BundleContents } from '../../ui/bundle-contents.tsx';
import { CopyCode } from '../../ui/copy-code.tsx';
import { notifyError } from '../../ui/notify.tsx';

const MODAL = 'open-bundle';
/** What one request carries, as base64. */
const MAX_BYTES = 3 * 1_048_576;
const PART = 0x8000;

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += PART) {
    text += String.fromCharCode(...bytes.subarray(at, at + PART));
  }
  return btoa(text);
}

async function look(file: File): Promise<void> {
  if (file.size > MAX_BYTES) {
    throw new Error(
      t('{name} is larger than 3 MiB. Run it with "specwright bundle run".', { name: file.name }),
    );
  }
  const content = await base64Of(file);
  const found = await call(inspectBundle, { body: { content } });
  modals.open({
    modalId: MODAL,
    title: t('Bundle {name}', { name: found.manifest.name }),
    size: 'xl',
    children: <OpenBundle found={found} content={content} />,
  });
}

/** Proves a bundle and shows what is in it; the person decides whether it becomes a project. */
export function showBundle(file: File): void {
  look(file).catch((error) => notifyError(t('{name} was not opened', { name: file.name }), error));
}

/** The one bundle that was dropped. */
export function bundleIn({ files }: DataTransfer): File | undefined {
  const [file] = files;
  const isBundle = files.length === 1 && file?.name.endsWith(BUNDLE_EXTENSION) === true;
  return isBundle ? file : undefined;
}

/** Lets the person choose a bundle. */
export function chooseBundle(): void {
  void pickFiles({ accept: `${BUNDLE_EXTENSION},.zip` }).then(([file]) => {
    if (file !== undefined) showBundle(file);
  });
}

function Signer(props: { readonly signer: InspectedBundle['signer'] }) {
  const { signer } = props;
  if (signer === null) return <p>{t('Nobody signed it. Its files are those of its list.')}</p>;
  return (
    <p>
      {signer.own
        ? t('Signed by this computer, and unchanged since: ')
        : t('Unchanged since it was signed, by the key ')}
      <CopyCode value={signer.key_id} shown={signer.key_id.slice(0, 16)} label={t('Copy key id')} />
    </p>
  );
}

function OpenBundle(props: { readonly found: InspectedBundle; readonly content: string }) {
  const { found, content } = props;
  const opening = useAction(async () => {
    const { project, ref } = await call(openBundle, { body: { content } });
    await queryClient.invalidateQueries({ queryKey: routePrefix(getMe) });
    modals.close(MODAL);
    navigateTo(paths.draft(project.id, ref));
  });
  return (
    <AskForm
      action={opening}
      failure={t('No project was made')}
      label={t('Open as a project')}
      ready
      onCancel={() => modals.close(MODAL)}
      testId="bundle"
    >
      <Signer signer={found.signer} />
      <BundleContents manifest={found.manifest} />
      <p className="sw-faint">
        {t(
          'It becomes a project in a folder of its own. Its functions and programs do not run before you trust that folder.',
        )}
      </p>
    </AskForm>
  );
}
