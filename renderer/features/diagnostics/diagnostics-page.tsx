import { t } from '../../../preload/texts/t.ts';
import './diagnostics.css';
import { Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DesktopApi, DiagnosticsFile } from '../../../preload/desktop-api.ts';
import { desktopApi, writtenOrThrow } from '../../desktop/bridge.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { notifyDone, notifyError } from '../../ui/notify.tsx';
import { Page } from '../../ui/page.tsx';
import { Unread } from '../../ui/unread.tsx';

/** What a report of a fault needs, shown file by file before it is saved. */
export function DiagnosticsPage() {
  const api = desktopApi();
  return api === undefined ? (
    <Page title={t('Diagnostics')} testId="diagnostics-page">
      <EmptyState title={t('A browser has no diagnostics of the program')}>
        {t('Open the window on the computer where the services run.')}
      </EmptyState>
    </Page>
  ) : (
    <Diagnostics api={api} />
  );
}

function Diagnostics({ api }: { readonly api: DesktopApi }) {
  const read = useQuery({
    queryKey: ['shell', 'diagnostics'],
    queryFn: () => api.diagnostics(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const files = read.data ?? [];
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [shown, setShown] = useState<string>();
  const isChosen = ({ name, chosen }: DiagnosticsFile): boolean => changed.get(name) ?? chosen;
  const names = files.filter(isChosen).map(({ name }) => name);
  const file = files.find(({ name }) => name === shown) ?? files[0];
  const save = async (): Promise<void> => {
    const saved = writtenOrThrow(await api.saveDiagnostics(names), t('The bundle'));
    if (saved.saved) {
      notifyDone(t('{name} is saved', { name: saved.name }));
    }
  };
  return (
    <Page
      title={t('Diagnostics')}
      sub={t(
        'What helps to find a fault. Nothing is sent: you read it, save it and hand it on yourself.',
      )}
      flush
      testId="diagnostics-page"
      actions={
        <>
          <Button size="xs" variant="default" onClick={() => void read.refetch()}>
            {t('Collect again')}
          </Button>
          <Button
            size="xs"
            disabled={names.length === 0}
            onClick={() =>
              save().catch((error) => notifyError(t('The bundle was not saved'), error))
            }
            data-testid="diagnostics-save"
          >
            {t('Save {count, plural, one {# file} other {# files}}…', { count: names.length })}
          </Button>
        </>
      }
    >
      <div className="sw-diagnostics">
        <Unread query={read} />
        <ul className="sw-diagnostics-files" aria-label={t('Files of the bundle')}>
          {files.map((one) => (
            <li key={one.name} data-shown={one === file}>
              <Checkbox
                size="xs"
                checked={isChosen(one)}
                label={one.name}
                onChange={({ currentTarget }) =>
                  setChanged(new Map(changed).set(one.name, currentTarget.checked))
                }
              />
              <p className="sw-faint">{one.about}</p>
              <Button
                size="compact-xs"
                variant="default"
                aria-pressed={one === file}
                onClick={() => setShown(one.name)}
                aria-label={t('Show {name}', { name: one.name })}
              >
                {t('Show')}
              </Button>
            </li>
          ))}
        </ul>
        {file !== undefined && (
          <textarea
            className="sw-diagnostics-text"
            readOnly
            aria-label={t('Content of {name}', { name: file.name })}
            value={file.text === '' ? 'Nothing was noted.' : file.text}
            data-testid="diagnostics-text"
          />
        )}
      </div>
    </Page>
  );
}
