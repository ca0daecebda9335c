import { useQuery } from '@tanstack/react-query';
import { locale } from '../../../preload/texts/language.ts';
import { t } from '../../../preload/texts/t.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { every } from '../../data/failure-pace.ts';
import { Bars } from '../../ui/bars.tsx';
import { rich } from '../../ui/rich.ts';
import { Unread } from '../../ui/unread.tsx';
import { activityRows } from './overview-model.ts';
import { HOURS, overviewReads } from './overview-reads.ts';

/** Whoever shows it reads it again when the counts of runs change. */
const EVERY_MS = 180_000;

const SERIES = [
  { key: 'failed', label: t('failed'), color: 'var(--sw-danger)' },
  { key: 'blocked', label: t('waiting'), color: 'var(--sw-warning)' },
  { key: 'others', label: t('others'), color: 'var(--sw-accent-fill)' },
];
const NUMBERS = new Intl.NumberFormat(locale());

/** Runs of the last day by the hour in which they were created. */
export function ActivityStrip() {
  const query = useQuery({
    ...overviewReads.activity,
    refetchInterval: every(EVERY_MS),
  });
  const { data } = query;
  return (
    <section className="sw-operate-section" data-testid="activity">
      <h2 className="sw-section-title">{t('The last {HOURS} hours', { HOURS })}</h2>
      <Unread query={query} rows={3} compact />
      {data !== undefined && (
        <>
          <p>
            {rich('{detail}, by the hour in which they were created. <link>See them</link>', {
              detail:
                data.truncated && data.total !== null
                  ? t('The newest {NUMBERS} of {count, plural, one {# run} other {# runs}}', {
                      NUMBERS: NUMBERS.format(data.counted),
                      count: data.total,
                    })
                  : t('{count, plural, one {# run} other {# runs}}', { count: data.counted }),
              link: (text) => <AppLink to={paths.runs({ since: '24h' })}>{text}</AppLink>,
            })}
          </p>
          {data.counted > 0 && (
            <Bars
              title={t('Runs by hour')}
              rows={activityRows(data)}
              series={SERIES}
              text={(value) => NUMBERS.format(value)}
            />
          )}
        </>
      )}
    </section>
  );
}
