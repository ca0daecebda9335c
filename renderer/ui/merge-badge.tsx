import { t } from '../../preload/texts/t.ts';
import { Badge } from './status-badge.tsx';

/** Whether two changes of a text fit together, else in how many places they do not. */
export function MergeBadge(props: { readonly conflicts: number; readonly testId?: string }) {
  const { conflicts, testId } = props;
  const id = testId === undefined ? {} : { testId };
  return conflicts === 0 ? (
    <Badge tone="success" {...id}>
      {t('Both changes fit together')}
    </Badge>
  ) : (
    <Badge tone="warning" {...id}>
      {t('{conflicts} {count, plural, one {place} other {places}} changed on both sides', {
        conflicts,
        count: conflicts,
      })}
    </Badge>
  );
}
