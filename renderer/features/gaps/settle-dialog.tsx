import { t } from '../../../preload/texts/t.ts';
import { ServiceText } from '../../ui/service-text.tsx';
import './gap-dialogs.css';
import { Button, Group, Modal, Progress } from '@mantine/core';
import { IconCircle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useState } from 'react';
import { ApiError, toApiError } from '../../data/api-error.ts';
import { remedyOf } from '../../ui/remedies.ts';
import type { GapCard, GapContext } from './gap-model.ts';
import type { GapActions, SettleEvent, SettleRequest } from './use-gap-actions.ts';

type Outcome = { readonly done: true } | { readonly done: false; readonly reason: string };

const WORDS: Readonly<Record<SettleEvent, { verb: string; past: string }>> = {
  attest: { verb: t('Attest'), past: 'attested' },
  retract: { verb: t('Retract'), past: 'retracted' },
  acknowledge: { verb: t('Acknowledge'), past: 'acknowledged' },
};

function aboutText(event: SettleEvent, { draft, artifact }: GapContext): string {
  const revision = draft?.revision?.slice(0, 8) ?? '';
  if (event === 'attest') {
    return t(
      'You attest that each of these is resolved in {path} at revision {revision}. A later edit needs a new attestation.',
      { path: draft?.path ?? '', revision },
    );
  }
  if (event === 'retract') {
    return t(
      'Artifacts that rely on these attestations of {path} lose their source analysis state.',
      { path: draft?.path ?? '' },
    );
  }
  return t(
    'For artifact {id} of {path}. Your name and the time are recorded; an acknowledgement cannot be taken back.',
    { id: artifact?.id.slice(0, 8) ?? '', path: artifact?.base.path ?? '' },
  );
}

/** True when every further gap would be refused in the same way. */
function endsAll(error: unknown): boolean {
  const always = [
    ...['draft_stale', 'draft_not_found', 'forbidden', 'artifact_deleted'],
    ...['analysis_quarantined', 'analysis_payload_reclaimed', 'analysis_stale'],
    ...['analysis_not_for_ref', 'resolution_requires_an_edit'],
  ];
  return !(error instanceof ApiError) || always.includes(error.code);
}

/** Asks before several gaps are settled, then says what became of each. */
export function SettleDialog(props: {
  readonly request: SettleRequest;
  readonly context: GapContext;
  readonly actions: GapActions;
}) {
  const { request, actions } = props;
  const { event, cards } = request;
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const [state, setState] = useState<'asking' | 'running' | 'over'>('asking');
  const { verb, past } = WORDS[event];
  const done = cards.filter((card) => outcomes.get(card.gap.ref.gap_id)?.done === true);
  const run = async (): Promise<void> => {
    setState('running');
    const settled: GapCard[] = [];
    const found = new Map<string, Outcome>();
    for (const card of cards) {
      const id = card.gap.ref.gap_id;
      try {
        await actions.settle(event, card);
        settled.push(card);
        found.set(id, { done: true });
      } catch (error) {
        const { code, message } = toApiError(error);
        found.set(id, { done: false, reason: `${message} ${remedyOf(code) ?? ''}`.trim() });
        if (endsAll(error)) break;
      } finally {
        setOutcomes(new Map(found));
      }
    }
    await actions.settled(event, settled);
    setState('over');
    if (settled.length === cards.length) {
      actions.close();
    }
  };
  return (
    <Modal
      opened
      onClose={state === 'running' ? () => undefined : actions.close}
      size="lg"
      title={t('{verb} {count} gaps', { verb, count: cards.length })}
      closeButtonProps={{ 'aria-label': t('Close') }}
      data-testid="settle-dialog"
    >
      <p style={{ marginTop: 0 }}>{aboutText(event, props.context)}</p>
      {state !== 'asking' && (
        <Progress
          value={(outcomes.size / cards.length) * 100}
          size="sm"
          aria-label={t('{count} of {count2} gaps', { count: outcomes.size, count2: cards.length })}
        />
      )}
      <ul className="sw-settle-list" aria-label={t('Gaps')}>
        {cards.map((card) => (
          <SettleLine
            key={card.gap.ref.gap_id}
            card={card}
            outcome={outcomes.get(card.gap.ref.gap_id)}
            over={state === 'over'}
          />
        ))}
      </ul>
      <Group justify="flex-end" gap="xs">
        {state === 'over' && (
          <span role="status" style={{ marginRight: 'auto' }}>
            {t('{count} {past}, {count2} not.', {
              count: done.length,
              past,
              count2: cards.length - done.length,
            })}
          </span>
        )}
        <Button variant="default" onClick={actions.close} disabled={state === 'running'}>
          {state === 'over' ? t('Close') : t('Cancel')}
        </Button>
        {state !== 'over' && (
          <Button
            data-autofocus
            loading={state === 'running'}
            onClick={() => void run()}
            data-testid="settle-confirm"
          >
            {t('{verb} {count} gaps', { verb, count: cards.length })}
          </Button>
        )}
      </Group>
    </Modal>
  );
}

function SettleLine(props: {
  readonly card: GapCard;
  readonly outcome: Outcome | undefined;
  readonly over: boolean;
}) {
  const { card, outcome, over } = props;
  const skipped = over && outcome === undefined;
  const Icon = outcome === undefined ? IconCircle : outcome.done ? IconCircleCheck : IconCircleX;
  return (
    <li data-outcome={outcome === undefined ? 'none' : outcome.done ? 'done' : 'refused'}>
      <Icon size={15} aria-hidden />
      <span>
        <ServiceText>{card.gap.title}</ServiceText>
        {outcome?.done === false && <div className="sw-faint">{outcome.reason}</div>}
        {skipped && (
          <div className="sw-faint">{t('Not tried: the refusal above meets it too.')}</div>
        )}
      </span>
    </li>
  );
}
