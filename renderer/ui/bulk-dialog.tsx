import { t } from '../../preload/texts/t.ts';
import './bulk-dialog.css';
import { Button, Group, Modal, Progress } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { toApiError } from '../data/api-error.ts';
import { type BulkItem, type BulkStep, sumOf, workThrough } from './bulk-work.ts';

/** Something that can be done with several things at once. */
export interface BulkJob<Item extends BulkItem> {
  /** "Stop 3 runs?" */
  readonly title: string;
  /** What will happen, in a sentence or two. */
  readonly about: ReactNode;
  /** What the button says that starts it. */
  readonly confirm: string;
  readonly isHarmful?: boolean;
  /** "2 runs of 3 stopped" */
  readonly sum: (done: number, all: number) => string;
  /** "Try 2 runs again" */
  readonly again: (count: number) => string;
  readonly items: readonly Item[];
  /** Does it with one; `key` is the same at each try of one item. Answers a note on it, or ''. */
  readonly work: (item: Item, key: string) => Promise<string>;
}

/** Asks before several things are done, shows how far they are, and offers those that failed again. */
export function BulkDialog<Item extends BulkItem>(props: {
  readonly job: BulkJob<Item>;
  /** Called when the dialog closes, with what is not done. */
  readonly onClose: (rest: readonly string[]) => void;
  /** Called after each pass. */
  readonly onPass: () => void;
}) {
  const { job, onClose } = props;
  const [steps, setSteps] = useState<ReadonlyMap<string, BulkStep>>(new Map());
  const [isBusy, setBusy] = useState(false);
  const keys = useRef(new Map<string, string>());
  const stop = useRef<AbortController | null>(null);
  const started = steps.size > 0;
  const { done, failed, left } = sumOf(steps.values());
  const notDone = job.items.filter(({ id }) => steps.get(id)?.state !== 'done');
  const keyOf = (id: string): string => {
    const key = keys.current.get(id) ?? crypto.randomUUID();
    keys.current.set(id, key);
    return key;
  };
  const start = async (): Promise<void> => {
    setBusy(true);
    stop.current = new AbortController();
    setSteps((before) => {
      const waiting = notDone.map(({ id }) => [id, { state: 'waiting' }] as const);
      return new Map<string, BulkStep>([...before, ...waiting]);
    });
    await workThrough(notDone, (item) => job.work(item, keyOf(item.id)), {
      tell: (id, step) => setSteps((before) => new Map(before).set(id, step)),
      messageOf: (error) => toApiError(error).message,
      signal: stop.current.signal,
    });
    setBusy(false);
    props.onPass();
  };
  const close = (): void => {
    stop.current?.abort();
    onClose(notDone.map(({ id }) => id));
  };
  const share = (count: number): number => (100 * count) / Math.max(1, job.items.length);
  return (
    <Modal opened onClose={close} title={job.title} size="lg">
      <div data-testid="bulk-dialog">
        {!started && job.about}
        {started && (
          <>
            <Progress.Root size="lg" mb="xs" aria-label={job.title}>
              <Progress.Section value={share(done)} color="green" aria-label={t('done')} />
              <Progress.Section value={share(failed)} color="red" aria-label={t('failed')} />
            </Progress.Root>
            <p role="status" data-testid="bulk-sum">
              {[
                job.sum(done, job.items.length),
                ...(failed > 0 ? [t('{failed} failed', { failed })] : []),
                ...(left > 0 ? [leftText(left, isBusy)] : []),
              ].join(', ')}
            </p>
          </>
        )}
        <ul className="sw-bulk-list">
          {job.items.map(({ id, label }) => (
            <Line key={id} label={label} step={steps.get(id)} />
          ))}
        </ul>
        <Group justify="flex-end" mt="md" gap="xs">
          {isBusy ? (
            <Button variant="default" onClick={() => stop.current?.abort()}>
              {t('Begin no more')}
            </Button>
          ) : (
            <Button variant="default" onClick={close} data-testid="bulk-close">
              {started ? t('Close') : t('Cancel')}
            </Button>
          )}
          {notDone.length > 0 && (
            <Button
              loading={isBusy}
              {...(job.isHarmful === true ? { color: 'red' } : {})}
              onClick={() => void start()}
              data-autofocus
              data-testid="bulk-start"
            >
              {started ? job.again(notDone.length) : job.confirm}
            </Button>
          )}
        </Group>
      </div>
    </Modal>
  );
}

function leftText(left: number, isBusy: boolean): string {
  return isBusy ? t('{left} to come', { left }) : t('{left} not begun', { left });
}

const WORDS = {
  waiting: t('waits'),
  busy: t('in progress'),
  done: t('done'),
  failed: t('failed'),
} as const;

function Line(props: { readonly label: string; readonly step: BulkStep | undefined }) {
  const { label, step } = props;
  const note = step !== undefined && 'note' in step && step.note !== '' ? step.note : undefined;
  return (
    <li data-state={step?.state}>
      <span>{label}</span>
      {step !== undefined && <small>{note ?? WORDS[step.state]}</small>}
    </li>
  );
}
