import { t } from '../../../preload/texts/t.ts';
import type { DraftPlace } from './draft/draft-protocol.ts';

const AROUND = 2;
const MOST = 16;

/** The lines of the draft that a place covers, with a few around them. */
export function DraftLines(props: { readonly text: string; readonly place: DraftPlace }) {
  const { startLine, endLine } = props.place;
  const lines = props.text.split('\n');
  const from = Math.max(1, startLine - AROUND);
  const to = Math.min(lines.length, endLine + AROUND, from + MOST);
  return (
    <section
      className="sw-text-box sw-draft-lines"
      aria-label={t('Lines {from} to {to} of the draft', { from, to })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard too
      tabIndex={0}
    >
      {lines.slice(from - 1, to).map((line, index) => {
        const number = from + index;
        return (
          <div key={number} data-own={number >= startLine && number <= endLine}>
            <i aria-hidden>{number}</i>
            {line === '' ? ' ' : line}
          </div>
        );
      })}
      {to < endLine && <div>…</div>}
    </section>
  );
}
