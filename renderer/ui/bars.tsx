import { t } from '../../preload/texts/t.ts';
import './bars.css';
import './plain-table.css';
import { Skeleton } from '@mantine/core';
import type { BarsProps } from './bars-props.ts';
import { LatePart, useLatePart } from './late-part.ts';

const chart = new LatePart(() => import('./bars-chart.tsx'));

/** Reads what draws bars, where some will be shown once they are known. */
export function beginBars(): void {
  // Whoever draws bars tries again, and tells what prevented it.
  chart.begin().catch(() => undefined);
}

/** Bars side by side, and the same as a table for who cannot see them or wants the numbers. */
export function Bars(props: BarsProps) {
  const { title, rows, series, text } = props;
  const drawing = useLatePart(chart);
  return (
    <figure className="sw-bars" aria-label={title}>
      <div aria-hidden>
        {drawing === undefined ? (
          <Skeleton height={props.height ?? 160} />
        ) : (
          <drawing.BarsChart {...props} />
        )}
      </div>
      <details>
        <summary>{t('As a table')}</summary>
        <div className="sw-bars-table">
          <table className="sw-plain-table">
            <thead>
              <tr>
                <th scope="col">{title}</th>
                {series.map(({ key, label }) => (
                  <th key={key} scope="col">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ label, values }) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  {series.map(({ key }) => (
                    <td key={key}>{text(values[key] ?? 0)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
