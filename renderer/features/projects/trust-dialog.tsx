import './trust-dialog.css';
import { Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import { changeTrust, useTrust } from '../../data/trust.ts';
import { desktopApi } from '../../desktop/bridge.ts';
import { CopyCode } from '../../ui/copy-code.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyDone, notifyError } from '../../ui/notify.tsx';
import { ListSkeleton } from '../../ui/page.tsx';
import { Badge } from '../../ui/status-badge.tsx';

function showFolder(folder: string): void {
  desktopApi()
    ?.showFolder(folder)
    .then((shown) => {
      if (!shown) {
        throw new Error('The folder is not there, or no file manager answers.');
      }
    })
    .catch((error: unknown) => notifyError('The folder was not shown', error));
}

/** Asks whether the code in a project's folder may run, and says what that means. */
export function TrustDialog(props: { readonly projectId: string; readonly onClose: () => void }) {
  const { projectId, onClose } = props;
  const trust = useTrust(projectId);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const change = (trusted: boolean): void => {
    setBusy(true);
    setError(undefined);
    changeTrust(projectId, trusted)
      .then(() => {
        notifyDone(trusted ? 'Functions of this folder may run' : 'Functions no longer run');
        onClose();
      })
      .catch(setError)
      .finally(() => setBusy(false));
  };
  const trusted = trust?.state === 'trusted';
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={trusted ? 'Functions of this project may run' : 'Let functions of this project run?'}
    >
      {trust === undefined ? (
        <ListSkeleton rows={3} />
      ) : (
        <div data-testid="trust-dialog" data-state={trust.state}>
          {trust.folder !== null && <Folder folder={trust.folder} />}
          {trust.state === 'unavailable' ? (
            <p>
              Code of a project runs only on the own platform of this computer, and never in a
              shared studio. Functions of the platform itself work as before.
            </p>
          ) : (
            <Meaning />
          )}
          {trust.by === 'start' && (
            <p className="sw-faint">
              Given with --trust when the services were started. Start without it to take that back.
            </p>
          )}
          {error !== undefined && (
            <ErrorState compact title="The answer was not kept" error={error} />
          )}
          <Group justify="flex-end" mt="md">
            <Button variant="default" onClick={onClose}>
              {trusted || trust.state === 'unavailable' ? 'Close' : 'Not now'}
            </Button>
            {trusted && trust.by === 'window' && (
              <Button
                color="red"
                loading={busy}
                onClick={() => change(false)}
                data-testid="trust-revoke"
              >
                Let them run no longer
              </Button>
            )}
            {trust.state === 'untrusted' && (
              <Button loading={busy} onClick={() => change(true)} data-testid="trust-give">
                Trust this folder
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
      <CopyCode value={props.folder} label="Copy the folder's path" />
      {desktopApi() !== undefined && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => showFolder(props.folder)}
          data-testid="show-folder"
        >
          Show in folder
        </Button>
      )}
    </div>
  );
}

function Meaning() {
  return (
    <>
      <p>
        Steps, tools, guardrails and retrievers of this project&apos;s specs can call code in the
        folder <code>functions</code>: <code>texts.tidy</code> is the export <code>tidy</code> of{' '}
        <code>functions/texts.ts</code>. Trust the folder only if you know who wrote that code.
      </p>
      <dl className="sw-trust-terms">
        <dt>
          <Badge tone="warning">It can</Badge>
        </dt>
        <dd>
          read its functions folder, get what a run gives it, and send that to any address of the
          network, also of this computer
        </dd>
        <dt>
          <Badge tone="success">It is kept from</Badge>
        </dt>
        <dd>
          other files, other processes, starting programs, and the keys and variables of this
          program; a call that takes over 30 seconds is ended
        </dd>
        <dt>
          <Badge>Held by</Badge>
        </dt>
        <dd>
          Node&apos;s permission model, which guards against mistakes, not against code that is out
          to break it, and on Linux, where bubblewrap is installed and allowed, by the operating
          system too. Elsewhere the code can also reach socket files of your user. docs/tools.md
          says it exactly.
        </dd>
        <dt>
          <Badge>It is about</Badge>
        </dt>
        <dd>
          this one folder, until you take it back here. Programs of MCP servers are not fenced at
          all; they and variables of the environment need a start with --trust.
        </dd>
      </dl>
    </>
  );
}
