import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconInfoCircle,
} from '@tabler/icons-react';
import { type GapCard, type GapGroup, kindText } from './gap-model.ts';

const TITLES = { blocking: 'Blocking', manual: 'To review', info: 'For information' } as const;

function iconOf(card: GapCard) {
  if (card.standing === 'attested' || card.standing === 'acknowledged') {
    return IconCircleCheck;
  }
  if (card.gap.severity === 'blocking') {
    return IconCircleX;
  }
  return card.gap.severity === 'manual' ? IconAlertTriangle : IconInfoCircle;
}

/** The gaps by severity; one of them is chosen. */
export function GapList(props: {
  readonly groups: readonly GapGroup[];
  readonly chosen: string | null;
  readonly onChoose: (gapId: string) => void;
}) {
  return (
    <>
      {props.groups.map((group) => (
        <section key={group.severity} aria-label={TITLES[group.severity]}>
          <h3 className="sw-gap-group" data-testid={`gap-group-${group.severity}`}>
            {TITLES[group.severity]}
            <span className="sw-faint">
              {group.severity === 'info'
                ? group.cards.length
                : `${group.open} of ${group.cards.length} open`}
            </span>
          </h3>
          {group.cards.map((card) => (
            <GapRow
              key={card.gap.ref.gap_id}
              card={card}
              current={card.gap.ref.gap_id === props.chosen}
              onChoose={props.onChoose}
            />
          ))}
        </section>
      ))}
    </>
  );
}

function GapRow(props: {
  readonly card: GapCard;
  readonly current: boolean;
  readonly onChoose: (gapId: string) => void;
}) {
  const { card } = props;
  const { gap } = card;
  const Icon = iconOf(card);
  return (
    <button
      type="button"
      className="sw-gap-row"
      aria-current={props.current}
      data-gap={gap.ref.gap_id}
      data-severity={gap.severity}
      data-standing={card.standing}
      data-testid={`gap-${gap.ref.gap_id}`}
      onClick={() => props.onChoose(gap.ref.gap_id)}
    >
      <Icon size={16} aria-label={card.standing.replace('_', ' ')} />
      <span className="sw-gap-row-title">{gap.title}</span>
      <span className="sw-gap-row-sub">
        {gap.source_ref.source_label} · {kindText(gap.kind)}
      </span>
    </button>
  );
}
