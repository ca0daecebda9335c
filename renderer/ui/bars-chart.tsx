import '@mantine/charts/styles.layer.css';
import { BarChart } from '@mantine/charts';
import type { BarsProps } from './bars-props.ts';

/**
 * So many labels fit under bars in half of a small window. A number spares the chart to measure each
 * label in the document, which lays the page out again each time.
 */
const LABELS = 6;

/** The drawing of `Bars`; apart, so that the charts are read when the first one is shown. */
export function BarsChart(props: BarsProps) {
  const { rows, series, line } = props;
  return (
    <BarChart
      h={props.height ?? 160}
      data={rows.map(({ label, values }) => ({ label, ...values }))}
      dataKey="label"
      type="stacked"
      series={series.map(({ key, label, color }) => ({ name: key, label, color }))}
      valueFormatter={props.text}
      gridAxis="x"
      tickLine="none"
      withLegend={series.length > 1}
      legendProps={{ verticalAlign: 'top', height: 28 }}
      xAxisProps={{ interval: Math.ceil(rows.length / LABELS) - 1 }}
      yAxisProps={{ allowDecimals: props.decimals === true, width: 48 }}
      barChartProps={{ accessibilityLayer: false }}
      barProps={{ isAnimationActive: false }}
      tooltipAnimationDuration={0}
      {...(line === undefined
        ? {}
        : { referenceLines: [{ y: line.at, label: line.label, color: 'var(--sw-warning)' }] })}
    />
  );
}
