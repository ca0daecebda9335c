import '@mantine/charts/styles.layer.css';
import { BarChart } from '@mantine/charts';
import type { BarsProps } from './bars-props.ts';

/**
 * So many labels fit under bars in half of a small window. A number spares the chart to measure each
 * label in the document, which lays the page out again each time.
 */
const LABELS = 6;

interface TickProps {
  readonly x: number | string;
  readonly y: number | string;
  readonly payload: { readonly value: string | number };
}

/**
 * The label of a place on an axis, as plain text. The library's own measures each of its words in the
 * document, which lays the whole page out again each time.
 */
function tick(axis: 'x' | 'y', text: (value: string | number) => string) {
  return ({ x, y, payload }: TickProps) => (
    <text
      x={axis === 'x' ? x : Number(x) - 10}
      y={axis === 'x' ? Number(y) + 10 : y}
      dy={axis === 'x' ? '0.71em' : '0.355em'}
      textAnchor={axis === 'x' ? 'middle' : 'end'}
      fontSize={12}
      fill="currentColor"
    >
      {text(payload.value)}
    </text>
  );
}

/** Lines that are not drawn: without a word of it, the library works out where they would be. */
const noLines = (): number[] => [];

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
      gridProps={{ verticalCoordinatesGenerator: noLines }}
      tickLine="none"
      withLegend={series.length > 1}
      legendProps={{ verticalAlign: 'top', height: 28 }}
      xAxisProps={{ interval: Math.ceil(rows.length / LABELS) - 1, tick: tick('x', String) }}
      yAxisProps={{
        allowDecimals: props.decimals === true,
        width: 48,
        interval: 0,
        tick: tick('y', (value) => props.text(Number(value))),
      }}
      barChartProps={{ accessibilityLayer: false }}
      barProps={{ isAnimationActive: false }}
      tooltipAnimationDuration={0}
      {...(line === undefined
        ? {}
        : { referenceLines: [{ y: line.at, label: line.label, color: 'var(--sw-warning)' }] })}
    />
  );
}
