import type { NotApplicableAssertion } from '../../server/contract/studio/assertions.ts';
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
      {one.by_display_name ?? 'Somebody'} said <TimeAgo at={one.at} /> that revision{' '}
      {one.revision.slice(0, 8)} needs no source analysis.
      {!one.standing && revision === undefined && ' An edit of the draft has voided that.'}
    </p>
  ));
}
