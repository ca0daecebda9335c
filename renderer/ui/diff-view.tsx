import './diff-view.css';
import { Fragment, useMemo } from 'react';
import { type DiffRow, diffHunks } from '../../server/spec/edit/diff-lines.ts';

const WORDS = { '+': 'added', '-': 'removed', ' ': '' } as const;

/** What an edit changes in a text: changed lines with their numbers and the lines around them. */
export function DiffView(props: {
  readonly before: string;
  readonly after: string;
  readonly label: string;
}) {
  const { before, after } = props;
  const hunks = useMemo(() => diffHunks(before, after), [before, after]);
  return (
    <section
      className="sw-diff-view"
      aria-label={props.label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard too
      tabIndex={0}
      data-testid="diff-view"
    >
      <table>
        <tbody>
          {hunks.map(({ rows }, index) => (
            <Fragment key={`${rows[0]?.before ?? 0} ${rows[0]?.after ?? 0}`}>
              {index > 0 && (
                <tr className="sw-diff-skip" aria-hidden>
                  <td colSpan={4}>⋯</td>
                </tr>
              )}
              {rows.map((row) => (
                <Line key={`${row.before ?? ''} ${row.after ?? ''}`} row={row} />
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Line(props: { readonly row: DiffRow }) {
  const { row } = props;
  return (
    <tr data-sign={row.sign}>
      <td className="sw-diff-number">{row.before}</td>
      <td className="sw-diff-number">{row.after}</td>
      <td className="sw-diff-sign">
        <span aria-hidden>{row.sign}</span>
        <span className="sw-visually-hidden">{WORDS[row.sign]}</span>
      </td>
      <td className="sw-diff-text">{row.text}</td>
    </tr>
  );
}
