import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ShownCopy, UpdateAfter } from '../../../preload/desktop-api.ts';
import { t } from '../../../preload/texts/t.ts';
import { useGoBack } from '../../data/updates.ts';
import { useAction } from '../../data/use-action.ts';
import { desktopApi } from '../../desktop/bridge.ts';
import { CopyCode } from '../../ui/copy-code.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { megabytesText } from '../../ui/megabytes-text.ts';
import { TimeAgo } from '../../ui/time-ago.tsx';

const QUERY = ['shell', 'storeCopies'] as const;

const WHAT = { before: t('before an update'), newer: t('put aside when you went back') } as const;

/** Copies that updates made of the stores: where they are, how large, the way back, and away with them. */
export function StoreCopies(props: { readonly after: UpdateAfter | null }) {
  const api = desktopApi();
  const client = useQueryClient();
  const back = useGoBack();
  const removing = useAction(async () => {
    client.setQueryData(QUERY, await api?.removeStoreCopies());
  });
  const read = useQuery({
    queryKey: QUERY,
    queryFn: async () => (await api?.storeCopies()) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (api === undefined || !read.data) {
    return null;
  }
  const { copies, earlier, problem } = read.data;
  const version = props.after?.from ?? earlier;
  const busy = back.busy || removing.busy;
  return (
    <section
      className="sw-store-copies"
      aria-label={t('Copies of your data')}
      data-testid="store-copies"
    >
      <h3 className="sw-section-title">{t('Copies of your data')}</h3>
      {problem !== null && <p role="alert">{problem}</p>}
      {copies.length === 0 ? (
        <p className="sw-faint">
          {t(
            'An update that changes how data is stored copies it first. There is no such copy yet.',
          )}
        </p>
      ) : (
        <>
          <p className="sw-faint">
            {t('An update changed how data is stored and copied it first: {megabytes} in all.', {
              megabytes: megabytesText(copies.reduce((sum, { bytes }) => sum + bytes, 0)),
            })}
          </p>
          <ul className="sw-rows">
            {copies.map((copy) => (
              <Copy key={copy.file} copy={copy} />
            ))}
          </ul>
        </>
      )}
      {version !== null && copies.some(({ kind }) => kind === 'before') && (
        <p>
          {t(
            'Going back to {version} puts these copies in place; what was done since stays beside them.',
            { version },
          )}
        </p>
      )}
      <p role="alert">{back.failure}</p>
      {removing.error !== undefined && <ErrorState compact error={removing.error} />}
      <div className="sw-key-actions">
        {version !== null && (
          <Button
            size="compact-sm"
            variant="default"
            disabled={busy}
            onClick={() => back.start()}
            data-testid="go-back"
          >
            {t('Go back to {version}', { version })}
          </Button>
        )}
        {copies.length > 0 && (
          <Button
            size="compact-sm"
            variant="default"
            disabled={busy}
            onClick={() => removing.start()}
            data-testid="remove-copies"
          >
            {t('Remove the copies')}
          </Button>
        )}
      </div>
    </section>
  );
}

function Copy(props: { readonly copy: ShownCopy }) {
  const { store, kind, file, bytes, made_at } = props.copy;
  return (
    <li data-testid="store-copy">
      <span>
        {store}, {WHAT[kind]}, <TimeAgo at={made_at} />, {megabytesText(bytes)}
      </span>
      <CopyCode value={file} label={t('Copy path')} />
    </li>
  );
}
