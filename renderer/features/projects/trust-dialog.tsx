import { t } from '../../../preload/texts/t.ts';
import { rich } from '../../ui/rich.ts';
import './trust-dialog.css';
import { Button, Group, Modal } from '@mantine/core';
import { changeTrust, useTrust } from '../../data/trust.ts';
import { useAction } from '../../data/use-action.ts';
import { desktopApi } from '../../desktop/bridge.ts';
import { CopyCode } from '../../ui/copy-code.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { ListSkeleton } from '../../ui/page.tsx';
import { showFolder } from '../../ui/show-folder.ts';
import { Badge } from '../../ui/status-badge.tsx';

/** Asks whether a project's folder is trusted, and says what that allows. */
export function TrustDialog(props: { readonly projectId: string; readonly onClose: () => void }) {
  const { projectId, onClose } = props;
  const trust = useTrust(projectId);
  const change = useAction(async (trusted: boolean) => {
    await changeTrust(projectId, trusted);
    notifyDone(trusted ? t('This folder is trusted') : t('This folder is no longer trusted'));
    onClose();
  });
  const trusted = trust?.state === 'trusted';
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={trusted ? t('This folder is trusted') : t('Trust this folder?')}
    >
      {trust === undefined ? (
        <ListSkeleton rows={3} />
      ) : (
        <div data-testid="trust-dialog" data-state={trust.state}>
          {trust.folder !== null && <Folder folder={trust.folder} />}
          {trust.state === 'unavailable' ? (
            <p>
              {t(
                'Code of a project runs only on the own platform of this computer, and never in a shared studio. Functions of the platform itself work as before.',
              )}
            </p>
          ) : (
            <Meaning />
          )}
          {trust.by === 'start' && (
            <p className="sw-faint">
              {t(
                'Given with --trust when the services were started. Start without it to take that back.',
              )}
            </p>
          )}
          {change.error !== undefined && (
            <ErrorState compact title={t('The answer was not kept')} error={change.error} />
          )}
          <Group justify="flex-end" mt="md">
            <Button variant="default" onClick={onClose}>
              {trusted || trust.state === 'unavailable' ? t('Close') : t('Not now')}
            </Button>
            {trusted && trust.by === 'list' && (
              <Button
                color="red"
                loading={change.busy}
                onClick={() => change.start(false)}
                data-testid="trust-revoke"
              >
                {t('Trust it no longer')}
              </Button>
            )}
            {trust.state === 'untrusted' && (
              <Button
                loading={change.busy}
                onClick={() => change.start(true)}
                data-testid="trust-give"
              >
                {t('Trust this folder')}
              </Button>
            )}
          </Group>
        </div>
      )}
    </Modal>
  );
}

function Folder(props: { readonly folder: string }) {
  return (
    <div className="sw-trust-folder">
      <CopyCode value={props.folder} label={t("Copy the folder's path")} />
      {desktopApi() !== undefined && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => showFolder(props.folder)}
          data-testid="show-folder"
        >
          {t('Show in folder')}
        </Button>
      )}
    </div>
  );
}

function Meaning() {
  return (
    <>
      <p>
        {rich(
          'Trust the folder only if you know who wrote what is in it, its specs too. It counts for this one folder, in the window, in services and on the command line, until you take it back here, in the settings or with {code}.',
          { code: <code>specwright trust remove</code> },
        )}
      </p>
      <dl className="sw-trust-terms">
        <dt>
          <Badge tone="neutral">{t('Without trust')}</Badge>
        </dt>
        <dd>
          {t(
            'Everything in the folder can be read, changed, checked and exported. None of its code runs, none of its programs starts, and a run that needs one says so.',
          )}
        </dd>
        <dt>
          <Badge tone="warning">{t('Functions')}</Badge>
        </dt>
        <dd>
          {rich(
            'Steps, tools, guardrails and retrievers can call code in the folder {code}: {code2} is the export {code3} of {code4}. It gets what a run gives it and can send that to any address, also of this computer.',
            {
              code: <code>{t('functions')}</code>,
              code2: <code>texts.tidy</code>,
              code3: <code>{t('tidy')}</code>,
              code4: <code>functions/texts.ts</code>,
            },
          )}
        </dd>
        <dt>
          <Badge tone="warning">{t('Programs')}</Badge>
        </dt>
        <dd>
          {t(
            'MCP servers that are programs start. They are not fenced at all: they run as you, with your files.',
          )}
        </dd>
        <dt>
          <Badge tone="warning">{t('Variables')}</Badge>
        </dt>
        <dd>
          {t(
            'Specs can read every variable of the environment by its name, and send it to the addresses that they name. Keys of the services themselves stay closed.',
          )}
        </dd>
        <dt>
          <Badge tone="success">{t('Fenced')}</Badge>
        </dt>
        <dd>
          {t(
            "Functions are kept from other files, other processes, starting programs, and the keys of this program; a call that takes over 30 seconds is ended. Node's permission model holds that, which guards against mistakes, not against code that is out to break it, and on Linux, where bubblewrap is installed and allowed, the operating system too. Elsewhere they can also reach socket files of your user. docs/tools.md says it exactly.",
          )}
        </dd>
      </dl>
    </>
  );
}
