import { Button } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { durationText } from '../../ui/relative-time.ts';
import { rich } from '../../ui/rich.ts';
import type { StepPair, StepTime } from './compare-model.ts';

function timeText(ms: StepTime | null): string {
  if (ms === 'kept') {
    return t('kept');
  }
  return ms === null ? t('not reached') : durationText(ms);
}

function lengthOf(ms: StepTime | null): number {
  return typeof ms === 'number' ? ms : 0;
}

/** What a person looks through; the texts of both runs stand below. */
const MOST = 100;

/** How long each step of two runs took, beside each other; of very many steps the first ones first. */
export function CompareSteps(props: { readonly pairs: readonly StepPair[] }) {
  const [isWhole, setWhole] = useState(false);
  const { length } = props.pairs;
  const shown = isWhole ? props.pairs : props.pairs.slice(0, MOST);
  const longest = Math.max(
    1,
    ...props.pairs.flatMap(({ leftMs, rightMs }) => [lengthOf(leftMs), lengthOf(rightMs)]),
  );
  const Bar = (bar: { readonly ms: StepTime | null }) => (
    <td className="sw-compare-bar" data-missing={bar.ms === null} data-kept={bar.ms === 'kept'}>
      <span style={{ width: `${(lengthOf(bar.ms) / longest) * 100}%` }} aria-hidden />
      {timeText(bar.ms)}
    </td>
  );
  return (
    <section>
      <h2 className="sw-section-title">
        {rich('Path {part}', {
          part: length > 0 && (
            <span className="sw-faint">
              {t('{count, plural, one {# step} other {# steps}}', { count: length })}
            </span>
          ),
        })}
      </h2>
      {length === 0 ? (
        <p className="sw-faint">{t('Neither run has ended a step.')}</p>
      ) : (
        <table className="sw-compare-table" data-testid="compare-steps">
          <tbody>
            {shown.map(({ node, leftMs, rightMs }, index) => (
              <tr
                // biome-ignore lint/suspicious/noArrayIndexKey: a loop passes one node several times, only the place tells them apart
                key={index}
                data-differs={leftMs === null || rightMs === null}
              >
                <th scope="row">{node}</th>
                <Bar ms={leftMs} />
                <Bar ms={rightMs} />
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {shown.length < length && (
        <Button
          mt="xs"
          size="compact-sm"
          variant="default"
          onClick={() => setWhole(true)}
          data-testid="compare-all-steps"
        >
          {t('Show all {length} steps', { length })}
        </Button>
      )}
    </section>
  );
}
