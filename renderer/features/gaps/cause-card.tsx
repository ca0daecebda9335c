import { Button } from '@mantine/core';
import { t } from '../../../preload/texts/t.ts';
import { plainTitle } from '../../../server/gaps/estate/shared-causes.ts';
import { rich } from '../../ui/rich.ts';
import { SERVICE_TEXT, ServiceText } from '../../ui/service-text.tsx';
import { SingleKey } from '../../ui/single-key.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { CauseTitle } from './cause-title.tsx';
import { attestHindrance, type GapContext, isOpen, kindText, standingText } from './gap-model.ts';
import type { Cause } from './gap-rows.ts';
import { ImportOf } from './review/analysis-words.tsx';
import type { GapActions } from './use-gap-actions.ts';

/** Several gaps of one cause: what they say, whom they are about, what can be done with all of them. */
export function CauseCardPane(props: {
  readonly cause: Cause;
  readonly context: GapContext;
  readonly actions: GapActions;
  readonly onGap: (gapId: string) => void;
}) {
  const { cause } = props;
  const [first] = cause.cards;
  return (
    <article className="sw-gap-card" aria-live="polite" data-testid="cause-card">
      <div className="sw-gap-card-head">
        <StatusBadge status={cause.severity} />{' '}
        <span className="sw-faint" title={kindText(first?.gap.kind ?? '')}>
          {cause.by === 'words'
            ? t('The same in {count} places', { count: cause.cards.length })
            : t('{count} gaps of one element', { count: cause.cards.length })}
        </span>
      </div>
      <h2>
        <CauseTitle cause={cause} />
        {cause.subject !== '' && <span className="sw-faint"> · {cause.subject}</span>}
      </h2>
      {cause.by === 'words' && (
        <p className="sw-gap-detail">
          {rich('For example: {detail}', {
            detail: <ServiceText>{first?.gap.detail}</ServiceText>,
          })}
        </p>
      )}
      <CauseActions {...props} />
      {props.context.entry !== undefined && (
        <p className="sw-faint" data-testid="gap-import">
          <ImportOf entry={props.context.entry} />
        </p>
      )}
      <h3 className="sw-section-title">{cause.by === 'words' ? t('Where') : t('What')}</h3>
      <ul className="sw-cause-members">
        {cause.cards.map((card) => (
          <li key={card.gap.ref.gap_id}>
            <button type="button" onClick={() => props.onGap(card.gap.ref.gap_id)}>
              {cause.by === 'words' ? (
                card.gap.source_ref.source_label
              ) : (
                <ServiceText>{plainTitle(card.gap)}</ServiceText>
              )}
            </button>
            {cause.by === 'element' && <span {...SERVICE_TEXT}> {card.gap.detail}</span>}
            {!isOpen(card) && card.standing !== 'not_needed' && (
              <span className="sw-faint"> {standingText(card.standing)}</span>
            )}
          </li>
        ))}
      </ul>
    </article>
  );
}

function CauseActions(props: {
  readonly cause: Cause;
  readonly context: GapContext;
  readonly actions: GapActions;
}) {
  const { cause, context, actions } = props;
  if (cause.severity === 'info') {
    return null;
  }
  const blocking = cause.severity === 'blocking';
  const attested = cause.cards.filter(({ standing }) => standing === 'attested');
  const hindrance = blocking ? attestHindrance(context) : undefined;
  return (
    <>
      <div className="sw-gap-actions">
        {cause.open > 0 && (
          <Button
            size="xs"
            onClick={() => actions.fix(cause.cards.filter(isOpen))}
            rightSection={<SingleKey of="gaps.fix" />}
            data-testid="fix-all"
          >
            {t('Fix {open}…', { open: cause.open })}
          </Button>
        )}
        {cause.open > 0 && blocking && (
          <Button
            size="xs"
            variant="default"
            disabled={hindrance !== undefined}
            onClick={() => actions.attest(cause.cards)}
            rightSection={<SingleKey of="gaps.attest" />}
            data-testid="attest-all"
          >
            {t('Attest {open}…', { open: cause.open })}
          </Button>
        )}
        {cause.open > 0 &&
          !blocking &&
          (context.artifact === undefined ? (
            <Button
              size="xs"
              variant="default"
              onClick={actions.createArtifact}
              data-testid="create-artifact"
            >
              {t('Create artifact')}
            </Button>
          ) : (
            <Button
              size="xs"
              variant="default"
              onClick={() => actions.acknowledge(cause.cards)}
              rightSection={<SingleKey of="gaps.acknowledge" />}
              data-testid="acknowledge-all"
            >
              {t('Acknowledge {open}…', { open: cause.open })}
            </Button>
          ))}
        {attested.length > 0 && (
          <Button
            size="xs"
            variant="default"
            disabled={context.rank !== undefined}
            title={context.rank}
            onClick={() => actions.retract(cause.cards)}
            rightSection={<SingleKey of="gaps.retract" />}
          >
            {t('Retract {count}…', { count: attested.length })}
          </Button>
        )}
      </div>
      {hindrance !== undefined && <p className="sw-faint">{hindrance}</p>}
    </>
  );
}
