import { t } from '../../../preload/texts/t.ts';
import './human-tasks.css';
import { Button } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { servicesStore } from '../../app/connection-provider.tsx';
import { useSingleKeys } from '../../app/use-single-keys.ts';
import { SingleKey } from '../../ui/single-key.tsx';
import { useStore } from '../../ui/store.ts';
import type { QueueState, TakenDecision } from './decision-queue.ts';
import { decisions, decisionsStore, followDecisions } from './held-decisions.ts';

/** Over every page: the decision that can still be taken back, and those that could not be sent yet. */
export function DecisionToast() {
  useEffect(followDecisions, []);
  const { held, leaving } = useStore(decisionsStore);
  useSingleKeys({ 'decision.undo': decisions.undo }, held !== null);
  const host = useRoomBelow();
  if (held === null && leaving.length === 0) {
    return null;
  }
  return (
    <section className="sw-decision-toasts" aria-label={t('Decisions that were taken')} ref={host}>
      {leaving.length > 0 && <Leaving leaving={leaving} />}
      {held !== null && <Held key={held.key} decision={held} />}
    </section>
  );
}

/** Tells the confirmations how high the decisions reach, so that they stand above them. */
function useRoomBelow(): (host: HTMLElement | null) => (() => void) | undefined {
  return useCallback((host) => {
    if (host === null) {
      return undefined;
    }
    const tell = (): void => {
      const over = window.innerHeight - host.getBoundingClientRect().top;
      document.documentElement.style.setProperty('--sw-toasts-over', `${Math.round(over)}px`);
    };
    const observer = new ResizeObserver(tell);
    observer.observe(host);
    observer.observe(document.documentElement);
    return () => observer.disconnect();
  }, []);
}

function Held(props: { readonly decision: TakenDecision }) {
  const { title, subject, sendAt } = props.decision;
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 200);
    return () => clearInterval(timer);
  }, []);
  const left = Math.max(1, Math.ceil((sendAt - now) / 1000));
  return (
    <div className="sw-decision-toast" data-testid="held-decision">
      <span>
        <span role="status">
          <strong>{title}</strong>: {subject}.
        </span>{' '}
        <span className="sw-tabular">{t('Sent in {left} s.', { left })}</span>
      </span>
      <Button
        size="compact-xs"
        variant="default"
        onClick={decisions.undo}
        rightSection={<SingleKey of="decision.undo" />}
        data-testid="undo-decision"
      >
        {t('Undo')}
      </Button>
      <Button size="compact-xs" onClick={decisions.flush} data-testid="send-decision">
        {t('Send now')}
      </Button>
    </div>
  );
}

function Leaving(props: { readonly leaving: QueueState['leaving'] }) {
  const services = useStore(servicesStore);
  const down = services !== null && services.phase !== 'ready';
  const stuck = props.leaving.filter(({ problem }) => down || problem !== null);
  const [first] = stuck;
  if (first === undefined) {
    return (
      <div className="sw-decision-toast" data-late="true" role="status">
        {t('Sending {count}', { count: count(props.leaving.length) })}
      </div>
    );
  }
  const why = down ? t('The services are not running.') : first.problem;
  return (
    <div className="sw-decision-toast" data-tone="warning" data-testid="unsent-decisions">
      <span role="status">
        {t('{count} not sent yet. {why} Kept, and tried again.', {
          count: count(stuck.length),
          why,
        })}
      </span>
      <Button size="compact-xs" variant="default" onClick={decisions.retry}>
        {t('Try now')}
      </Button>
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => {
          for (const { key } of stuck) {
            decisions.discard(key);
          }
        }}
      >
        {t('Do not send')}
      </Button>
    </div>
  );
}

function count(decisions: number): string {
  return t('{decisions, plural, one {# decision} other {# decisions}}', { decisions });
}
