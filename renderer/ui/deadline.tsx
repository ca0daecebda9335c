import { locale } from '../../preload/texts/language.ts';
import { t } from '../../preload/texts/t.ts';
import { clockSkewStore } from '../data/clock-skew.ts';
import { countdown } from './countdown.ts';
import { Badge } from './status-badge.tsx';
import { useStore } from './store.ts';
import { useSeconds } from './use-now.ts';

/** A running countdown to a deadline in epoch seconds; nothing when there is none. */
export function Deadline(props: { readonly expiresAt: number | null }) {
  const now = useSeconds() + useStore(clockSkewStore);
  if (props.expiresAt === null) {
    return <span className="sw-faint">{t('no deadline')}</span>;
  }
  const { text, tone } = countdown(props.expiresAt, now / 1000);
  const at = new Date(props.expiresAt * 1000);
  return (
    <time
      dateTime={at.toISOString()}
      title={`${at.toLocaleString(locale())} · ${at.toISOString()}`}
    >
      <Badge tone={tone}>{text}</Badge>
    </time>
  );
}
