import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { Member, TransferView } from '../../../server/contract/studio/members.ts';
import type { Me } from '../../../server/contract/studio/session.ts';
import { useAction } from '../../data/use-action.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { rich } from '../../ui/rich.ts';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Unread } from '../../ui/unread.tsx';
import { answerOffer, offerStorage, useLimits, useTransfer } from './member-queries.ts';
import { limitLines } from './member-words.ts';

interface Shared {
  readonly projectId: string;
  readonly me: Me;
  readonly members: readonly Member[];
}

/** Whose storage carries the project, how it goes to somebody else, and how full the project is. */
export function Storage(props: Shared) {
  const { projectId, me, members } = props;
  const transfer = useTransfer(projectId);
  const limits = useLimits(projectId);
  const carrier = members.find(({ is_quota_principal }) => is_quota_principal);
  const isMine = carrier?.principal_id === me.principal_id;
  return (
    <section className="sw-share-section" data-testid="storage">
      <h2 className="sw-section-title">{t('Storage and limits')}</h2>
      <p>
        {rich(
          'What artifacts keep of their drafts counts against one person, at most 1 GiB over all projects. Here that is {b}.',
          {
            b: (
              <strong>
                {isMine ? t('you') : (carrier?.display_name ?? t('somebody who is no member'))}
              </strong>
            ),
          },
        )}
      </p>
      <Unread query={transfer} rows={1} compact />
      {transfer.data !== undefined && transfer.data !== null && (
        <OpenOffer {...props} transfer={transfer.data} />
      )}
      {transfer.data === null && isMine && members.length > 1 && <OfferForm {...props} />}
      <Unread query={limits} rows={2} compact />
      {limits.data !== undefined && (
        <dl className="sw-share-facts" data-testid="limits">
          {limitLines(limits.data).map(({ name, text }) => (
            <div key={name} className="sw-share-fact">
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function OpenOffer(props: Shared & { readonly transfer: TransferView }) {
  const { projectId, me, members, transfer } = props;
  const nameOf = (id: string): string =>
    id === me.principal_id
      ? 'you'
      : (members.find(({ principal_id }) => principal_id === id)?.display_name ?? 'somebody');
  const answering = useAction(async (accepted: boolean) => {
    await answerOffer(projectId, transfer.id, accepted);
    notifyDone(accepted ? t('You carry the storage now') : t('The offer is declined'));
  });
  return (
    <div className="sw-share-offer" data-testid="storage-offer">
      <span>
        {rich('Offered to {b} by {name} {time}; ends {time2}.', {
          b: <strong>{nameOf(transfer.to_principal)}</strong>,
          name: nameOf(transfer.from_principal),
          time: <TimeAgo at={transfer.proposed_at} />,
          time2: <TimeAgo at={transfer.expires_at} />,
        })}
      </span>
      {transfer.to_principal === me.principal_id && (
        <>
          <Button
            size="xs"
            loading={answering.busy}
            onClick={() => answering.start(true)}
            data-testid="accept-storage"
          >
            {t('Accept')}
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={answering.busy}
            onClick={() => answering.start(false)}
          >
            {t('Decline')}
          </Button>
        </>
      )}
      {answering.error !== undefined && (
        <ErrorState compact title={t('The offer was not answered')} error={answering.error} />
      )}
    </div>
  );
}

function OfferForm(props: Shared) {
  const { projectId, me, members } = props;
  const [person, setPerson] = useState('');
  const offering = useAction(async () => {
    await offerStorage(projectId, person);
    setPerson('');
  });
  return (
    <form
      className="sw-share-form"
      onSubmit={(event) => {
        event.preventDefault();
        offering.start();
      }}
    >
      <NativeSelect
        size="xs"
        label={t('Offer it to')}
        data={[
          { value: '', label: t('Choose…') },
          ...members
            .filter(({ principal_id }) => principal_id !== me.principal_id)
            .map((one) => ({ value: one.principal_id, label: one.display_name })),
        ]}
        value={person}
        onChange={(event) => setPerson(event.currentTarget.value)}
        data-testid="offer-to"
      />
      <Button
        type="submit"
        size="xs"
        variant="default"
        loading={offering.busy}
        disabled={person === ''}
        data-testid="offer-storage"
      >
        {t('Offer')}
      </Button>
      <p className="sw-faint">
        {t('They have seven days to accept. Until then it stays with you.')}
      </p>
      {offering.error !== undefined && (
        <ErrorState compact title={t('Nothing was offered')} error={offering.error} />
      )}
    </form>
  );
}
