import { t } from '../../../../preload/texts/t.ts';
import { rich } from '../../../ui/rich.ts';
import '../../../ui/rows.css';
import './credentials.css';
import { Button, Modal, Skeleton } from '@mantine/core';
import { IconKey, IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  deleteModelKey,
  listModelKeys,
  type ModelKey,
  type ModelKeyList,
} from '../../../../server/contract/gateway/model-keys.ts';
import type { CredentialNeed } from '../../../../server/spec/reports/credential-needs.ts';
import { call } from '../../../data/api-client.ts';
import { KEEPERS } from '../../../data/key-places.ts';
import { queryClient, routePrefix, routeQuery } from '../../../data/query-client.ts';
import { useAction } from '../../../data/use-action.ts';
import { AskForm } from '../../../ui/ask-form.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { notifyDone } from '../../../ui/notify.tsx';
import { Badge } from '../../../ui/status-badge.tsx';
import { TimeAgo } from '../../../ui/time-ago.tsx';
import { BindDialog } from './bind-dialog.tsx';
import { titleOfNeed } from './credential-words.ts';

interface Asking {
  readonly what: 'bind' | 'remove';
  readonly need: CredentialNeed;
}

function readAgain(): void {
  void queryClient.invalidateQueries({ queryKey: routePrefix(listModelKeys) });
}

/** The credentials that a draft's steps need: what each is bound to is stored, replaced and removed here, never shown. */
export function CredentialsDialog(props: {
  readonly needs: readonly CredentialNeed[];
  /** Its binding is asked for at once, and nothing else. */
  readonly asked?: CredentialNeed;
  readonly onClose: () => void;
  /** A binding has changed. */
  readonly onChanged: () => void;
}) {
  const query = useQuery(routeQuery(listModelKeys));
  const { asked } = props;
  const [asking, setAsking] = useState<Asking | null>(
    asked === undefined ? null : { what: 'bind', need: asked },
  );
  const back = (): void => (asked === undefined ? setAsking(null) : props.onClose());
  const changed = (): void => {
    readAgain();
    props.onChanged();
  };
  if (asking?.what === 'bind' && query.data?.here !== false) {
    const keeper = KEEPERS[query.data?.keeper ?? 'file'];
    return <BindDialog need={asking.need} keeper={keeper} onClose={back} onStored={changed} />;
  }
  if (asking?.what === 'remove') {
    return <RemoveDialog need={asking.need} onClose={back} onRemoved={changed} />;
  }
  return (
    <Modal opened onClose={props.onClose} title={t('Credentials')} size="lg">
      <div data-testid="credentials">
        {query.isPending && <Skeleton height={120} radius="sm" />}
        {query.isError && (
          <ErrorState compact error={query.error} onRetry={() => void query.refetch()} />
        )}
        {query.isSuccess && <Needs needs={props.needs} list={query.data} onAsk={setAsking} />}
      </div>
    </Modal>
  );
}

function Needs(props: {
  readonly needs: readonly CredentialNeed[];
  readonly list: ModelKeyList;
  readonly onAsk: (asking: Asking) => void;
}) {
  const { needs, list } = props;
  if (needs.length === 0) {
    return (
      <EmptyState compact icon={<IconKey size={24} />} title={t('This draft needs no credentials')}>
        {t('Steps of an imported workflow that send one are listed here.')}
      </EmptyState>
    );
  }
  return (
    <>
      {!list.here && (
        <p className="sw-faint" data-testid="credentials-elsewhere">
          {t(
            'The runs of this connection execute on another computer. Its credentials are set there, under the names below.',
          )}
        </p>
      )}
      <ul className="sw-rows sw-credentials">
        {needs.map((need) => (
          <NeedRow
            key={need.secret}
            need={need}
            here={list.here}
            stored={list.keys.find(({ name }) => name === need.secret)}
            onAsk={props.onAsk}
          />
        ))}
      </ul>
    </>
  );
}

function NeedRow(props: {
  readonly need: CredentialNeed;
  readonly here: boolean;
  readonly stored: ModelKey | undefined;
  readonly onAsk: (asking: Asking) => void;
}) {
  const { need, stored, onAsk } = props;
  const title = titleOfNeed(need);
  const isBound = (stored?.kept_in ?? null) !== null;
  const bind = isBound ? t('Replace…') : t('Bind…');
  return (
    <li data-testid={`credential-${need.secret}`}>
      <span className="sw-row-name">
        <strong>{title}</strong>
        <span className="sw-faint">{need.steps.map(({ name }) => name).join(', ')}</span>
        <code>{need.secret}</code>
      </span>
      {props.here && (
        <span className="sw-credential-actions">
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => onAsk({ what: 'bind', need })}
            aria-label={`${bind} ${title}`}
          >
            {bind}
          </Button>
          {isBound && (
            <Button
              size="compact-sm"
              variant="subtle"
              color="red"
              onClick={() => onAsk({ what: 'remove', need })}
              aria-label={t('Remove… {title}', { title })}
            >
              {t('Remove…')}
            </Button>
          )}
        </span>
      )}
      {props.here && <BindingState stored={stored} />}
    </li>
  );
}

function BindingState(props: { readonly stored: ModelKey | undefined }) {
  const keptIn = props.stored?.kept_in ?? null;
  if (keptIn === null) {
    return (
      <span className="sw-row-state">
        <Badge tone="warning">{t('not bound')}</Badge>
        <span className="sw-faint">{t('no secret of this name is stored here')}</span>
      </span>
    );
  }
  return (
    <span className="sw-row-state">
      <Badge tone="success" icon={<IconLock size={13} aria-hidden />}>
        {t('bound')}
      </Badge>
      <span className="sw-faint">
        {rich('in {keepers}, {time}', {
          keepers: KEEPERS[keptIn],
          time: <TimeAgo at={props.stored?.stored_at ?? null} />,
        })}
      </span>
    </span>
  );
}

function RemoveDialog(props: {
  readonly need: CredentialNeed;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}) {
  const { need } = props;
  const removing = useAction(async () => {
    try {
      await call(deleteModelKey, { params: { name: need.secret } });
    } finally {
      props.onRemoved();
    }
    notifyDone(t('{titleOfNeed} is bound to nothing', { titleOfNeed: titleOfNeed(need) }));
    props.onClose();
  });
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={t('Remove what {titleOfNeed} is bound to?', { titleOfNeed: titleOfNeed(need) })}
    >
      <AskForm
        action={removing}
        failure={t('The binding was not removed')}
        label={t('Remove')}
        ready
        onCancel={props.onClose}
        testId="credential-remove"
      >
        {t(
          'Every draft that names this credential loses it: a run fails at the step that sends it.',
        )}
      </AskForm>
    </Modal>
  );
}
