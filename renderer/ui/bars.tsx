import './bars.css';
import './plain-table.css';
import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { BarsProps } from './bars-props.ts';

const BarsChart = lazy(async () => ({ default: (await import('./bars-chart.tsx')).BarsChart }));

/** Bars side by side, and the same as a table for who cannot see them or wants the numbers. */
export function Bars(props: BarsProps) {
  const { title, rows, series, text } = props;
  return (
    <figure className="sw-bars" aria-label={title}>
      <div aria-hidden>
        <Suspense fallback={<Skeleton height={props.height ?? 160} />}>
          <BarsChart {...props} />
        </Suspense>
      </div>
      <details>
        <summary>As a table</summary>
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
