import { SegmentedControl } from '@mantine/core';
import { t } from '../../../preload/texts/t.ts';
import { CHOICES, type Choice, type MergePart } from './merge-choices.ts';

const LABELS: Readonly<Record<Choice, string>> = {
  mine: t('Keep mine'),
  theirs: t('Take the new one'),
  both: t('Both'),
};
const AROUND = 2;

/** Every place where author and source changed the same lines, to be decided one by one. */
export function MergePlaces(props: {
  readonly parts: readonly MergePart[];
  readonly choices: ReadonlyMap<number, Choice>;
  readonly onChoose: (part: number, choice: Choice) => void;
}) {
  const { parts, choices, onChoose } = props;
  const places = parts.flatMap((part, index) =>
    part.kind === 'conflict' ? [{ part, index, before: parts[index - 1] }] : [],
  );
  return (
    <ol className="sw-merge-places">
      {places.map(({ part, index, before }, number) => (
        <li key={`place ${index}`} data-testid="merge-place">
          <div className="sw-merge-place-head">
            <strong>
              {t('Place {number} of {count}', { number: number + 1, count: places.length })}
            </strong>
            <SegmentedControl
              size="xs"
              aria-label={t('Place {number}', { number: number + 1 })}
              value={choices.get(index) ?? ''}
              onChange={(value) => {
                const choice = CHOICES.find((known) => known === value);
                if (choice !== undefined) {
                  onChoose(index, choice);
                }
              }}
              data={CHOICES.map((value) => ({ value, label: LABELS[value] }))}
            />
          </div>
          {before?.kind === 'agreed' && (
            <pre className="sw-faint">{before.lines.slice(-AROUND).join('\n')}</pre>
          )}
          <div className="sw-merge-sides">
            <Side label={t('Yours')} lines={part.mine} />
            <Side label={t('New import')} lines={part.theirs} />
          </div>
        </li>
      ))}
    </ol>
  );
}

function Side(props: { readonly label: string; readonly lines: readonly string[] }) {
  return (
    <div>
      <span className="sw-faint">{props.label}</span>
      <pre>{props.lines.length === 0 ? t('(removed)') : props.lines.join('\n')}</pre>
    </div>
  );
}
