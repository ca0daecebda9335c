import { Tooltip } from '@mantine/core';
import { useEffect } from 'react';
import { relativeTime } from './relative-time.ts';
import { createStore, useStore } from './store.ts';

const clock = createStore(Date.now());
let users = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** The current time, re-rendering every few seconds; one timer for the whole window. */
function useNow(): number {
  useEffect(() => {
    users += 1;
    timer ??= setInterval(() => clock.set(Date.now()), 5_000);
    clock.set(Date.now());
    return () => {
      users -= 1;
      if (users === 0) {
        clearInterval(timer);
        timer = undefined;
      }
    };
  }, []);
  return useStore(clock);
}

/** A time relative to now, local time and ISO on hover. `at` is a wire timestamp or null. */
export function TimeAgo(props: { readonly at: string | null | undefined }) {
  const now = useNow();
  const parsed = props.at === null || props.at === undefined ? Number.NaN : Date.parse(props.at);
  if (Number.isNaN(parsed)) {
    return <span className="sw-faint">–</span>;
  }
  const date = new Date(parsed);
  return (
    <Tooltip label={`${date.toLocaleString()} · ${date.toISOString()}`}>
      <time dateTime={date.toISOString()}>{relativeTime(parsed, Math.max(now, Date.now()))}</time>
    </Tooltip>
  );
}
