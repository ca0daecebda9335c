import { t } from '../../../../preload/texts/t.ts';
import { Badge } from '../../../ui/status-badge.tsx';
import type { TextComparison } from './compare-model.ts';

/** How much two texts differ, in a few words; null for texts that were compared by lines only. */
export function Verdict(props: { readonly comparison: TextComparison | null }) {
  const { comparison } = props;
  if (comparison === null) return <Badge tone="neutral">{t('Compared by lines only')}</Badge>;
  const { changes, sameBehaviour } = comparison;
  const gained = changes.filter(({ privilege }) => privilege === 'gained').length;
  if (sameBehaviour) {
    return (
      <Badge tone="success" testId="compare-verdict">
        {t('No change in behaviour')}
      </Badge>
    );
  }
  return (
    <Badge tone={gained > 0 ? 'warning' : 'info'} testId="compare-verdict">
      {t('{count, plural, one {# change} other {# changes}} in meaning{detail}', {
        count: changes.length,
        detail: gained > 0 ? t(', {gained} with more privileges', { gained }) : '',
      })}
    </Badge>
  );
}
