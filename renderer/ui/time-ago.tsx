import { Tooltip } from '@mantine/core';
import { clockSkewStore } from '../data/clock-skew.ts';
import { clockText } from './clock-text.ts';
import { relativeTime } from './relative-time.ts';
import { useStore } from './store.ts';
import { useNow } from './use-now.ts';

/** A time relative to now, local time and ISO on hover. `at` is a wire timestamp or null. */
export function TimeAgo(props: {
  readonly at: string | null | undefined;
  /** In few letters, where the name beside it needs the room. */
  readonly narrow?: boolean;
  /** In a row of a long list: the hover is the browser's own, which costs nothing to draw. */
  readonly inRow?: boolean;
}) {
  const now = useNow();
  const skew = useStore(clockSkewStore);
  const parsed = props.at === null || props.at === undefined ? Number.NaN : Date.parse(props.at);
  if (Number.isNaN(parsed)) {
    return <span className="sw-faint">–</span>;
  }
  const iso = new Date(parsed).toISOString();
  const exact = `${clockText(parsed)} · ${iso}`;
  const text = relativeTime(parsed, Math.max(now, Date.now()) + skew, props.narrow);
  return props.inRow === true ? (
    <time dateTime={iso} title={exact}>
      {text}
    </time>
  ) : (
    <Tooltip label={exact}>
      <time dateTime={iso}>{text}</time>
    </Tooltip>
  );
}
