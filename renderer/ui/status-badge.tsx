import {
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconClock,
  IconClockX,
  IconHandStop,
  IconInfoCircle,
  IconLoader2,
} from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import { t } from '../../preload/texts/t.ts';

export type Tone = 'neutral' | 'info' | 'accent' | 'success' | 'warning' | 'danger';

interface Look {
  readonly tone: Tone;
  readonly icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;
  readonly spin?: boolean;
}

const LOOKS: Readonly<Record<string, Look>> = {
  queued: { tone: 'neutral', icon: IconClock },
  pending: { tone: 'warning', icon: IconClock },
  running: { tone: 'info', icon: IconLoader2, spin: true },
  started: { tone: 'info', icon: IconCircleCheck },
  blocked: { tone: 'warning', icon: IconHandStop },
  completed: { tone: 'success', icon: IconCircleCheck },
  failed: { tone: 'danger', icon: IconCircleX },
  failed_to_start: { tone: 'danger', icon: IconCircleX },
  cancelled: { tone: 'neutral', icon: IconBan },
  expired: { tone: 'danger', icon: IconClockX },
  timed_out: { tone: 'danger', icon: IconClockX },
  blocking: { tone: 'danger', icon: IconCircleX },
  manual: { tone: 'warning', icon: IconAlertTriangle },
  info: { tone: 'info', icon: IconInfoCircle },
  error: { tone: 'danger', icon: IconCircleX },
  warning: { tone: 'warning', icon: IconAlertTriangle },
  clear: { tone: 'success', icon: IconCircleCheck },
  attested: { tone: 'success', icon: IconCircleCheck },
  not_applicable: { tone: 'neutral', icon: IconBan },
  ready: { tone: 'success', icon: IconCircleCheck },
  stale: { tone: 'warning', icon: IconClockX },
  allowed: { tone: 'neutral', icon: IconCircleCheck },
  denied: { tone: 'danger', icon: IconBan },
  held: { tone: 'warning', icon: IconClock },
};

const FALLBACK: Look = { tone: 'neutral', icon: IconCircleDashed };

/** A status word with its icon and colour: runs, tasks, gaps, artifacts, diagnostics. */
export function StatusBadge(props: { readonly status: string; readonly children?: ReactNode }) {
  const look = LOOKS[props.status] ?? FALLBACK;
  return (
    <Badge tone={look.tone} icon={<look.icon size={13} aria-hidden />} spin={look.spin === true}>
      {props.children ?? statusText(props.status)}
    </Badge>
  );
}

const WORDS: Readonly<Record<string, string>> = {
  queued: t('queued'),
  pending: t('pending'),
  running: t('running'),
  started: t('started'),
  blocked: t('blocked'),
  completed: t('completed'),
  failed: t('failed'),
  failed_to_start: t('failed to start'),
  cancelled: t('cancelled'),
  expired: t('expired'),
  timed_out: t('timed out'),
  blocking: t('blocking'),
  manual: t('to review'),
  info: t('info'),
  error: t('error'),
  warning: t('warning'),
  clear: t('clear'),
  attested: t('attested'),
  not_applicable: t('not applicable'),
  ready: t('ready'),
  stale: t('stale'),
  allowed: t('allowed'),
  denied: t('denied'),
  held: t('held'),
  unknown: t('unknown'),
};

/** `timed_out` → "timed out"; a manual gap has the name that it has everywhere on screen. */
export function statusText(status: string): string {
  return WORDS[status] ?? status.replaceAll('_', ' ');
}

/** A small labelled pill; never colour alone. */
export function Badge(props: {
  readonly tone?: Tone;
  readonly icon?: ReactNode;
  readonly spin?: boolean;
  readonly children: ReactNode;
  readonly testId?: string;
}) {
  return (
    <span
      className="sw-badge"
      data-tone={props.tone ?? 'neutral'}
      data-spinning={props.spin === true}
      data-testid={props.testId}
    >
      {props.icon}
      {props.children}
    </span>
  );
}
