import { locale } from '../../preload/texts/language.ts';
import { t } from '../../preload/texts/t.ts';
import type { UsageCounts } from '../../server/contract/platform/usage.ts';
import './plain-table.css';

const NUMBERS = new Intl.NumberFormat(locale());
const MONEY = new Intl.NumberFormat(locale(), { maximumFractionDigits: 6 });

const COUNTS = [
  { name: 'calls', label: t('Answers') },
  { name: 'input_tokens', label: t('In') },
  { name: 'cached_input_tokens', label: t('of these from a cache') },
  { name: 'output_tokens', label: t('Out') },
  { name: 'reasoning_tokens', label: t('of these thoughts') },
  { name: 'total_tokens', label: t('Tokens') },
] as const;

/** What of it stands in a row: the names that lead it, and its counts. */
export interface UsageTableRow extends UsageCounts {
  readonly names: readonly string[];
  readonly cost?: number;
}

/** What models used, by one name or several: answers, and tokens with their parts. */
export function UsageTable(props: {
  /** Accessible name. */
  readonly label: string;
  /** What the leading names of each row are. */
  readonly titles: readonly string[];
  readonly rows: readonly UsageTableRow[];
  /** In which currency the rows have a cost; absent where they have none. */
  readonly currency?: string | undefined;
}) {
  const { titles, currency } = props;
  return (
    <table className="sw-plain-table" aria-label={props.label}>
      <thead>
        <tr>
          {titles.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
          {COUNTS.map(({ name, label }) => (
            <th key={name} scope="col" data-align="right">
              {label}
            </th>
          ))}
          {currency !== undefined && (
            <th scope="col" data-align="right">
              {t('About ({currency})', { currency })}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {props.rows.map((row) => (
          <tr key={row.names.join(' ')} data-testid={`usage-${row.names.join('-')}`}>
            {titles.map((title, at) => (
              <td key={title}>
                {row.names[at] || <span className="sw-faint">{t('without a name')}</span>}
              </td>
            ))}
            {COUNTS.map(({ name }) => (
              <td key={name} data-align="right">
                {NUMBERS.format(row[name])}
              </td>
            ))}
            {currency !== undefined && (
              <td data-align="right">{row.cost === undefined ? '–' : MONEY.format(row.cost)}</td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
