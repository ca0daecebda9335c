import { t } from '../../preload/texts/t.ts';
import type { NotApplicableAssertion } from '../../server/contract/studio/assertions.ts';
import { rich } from './rich.ts';
import { TimeAgo } from './time-ago.tsx';

/** Who said that a draft needs no source analysis, and whether that still holds. */
export function AssertionLines(props: {
  readonly assertions: readonly NotApplicableAssertion[];
  /** Shows what was said about this revision alone. */
  readonly revision?: string;
}) {
  const { assertions, revision } = props;
  const shown = assertions.filter((one) => revision === undefined || one.revision === revision);
  return shown.map((one) => (
    <p key={one.revision} className="sw-faint" data-testid="assertion" data-standing={one.standing}>
      {rich(
        '{by_display_name} said {time} that revision {revision} needs no source analysis.{value}',
        {
          by_display_name: one.by_display_name ?? t('Somebody'),
          time: <TimeAgo at={one.at} />,
          revision: one.revision.slice(0, 8),
          value:
            !one.standing && revision === undefined && t(' An edit of the draft has voided that.'),
        },
      )}
    </p>
  ));
}
