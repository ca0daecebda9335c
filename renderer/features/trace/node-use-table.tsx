import { t } from '../../../preload/texts/t.ts';
import '../../ui/plain-table.css';
import { useState } from 'react';
import type { RunUse, UseByNode } from './node-use.ts';
import { coverageText } from './node-use.ts';

const DIGITS = 6;
/** Steps that are listed, those with the most tokens. */
const MOST = 200;

/** What each node used, folded until asked for; nothing where no call told its tokens. */
export function NodeUseTable(props: { readonly use: UseByNode; readonly run: RunUse | null }) {
  const { use, run } = props;
  const [isOpen, setIsOpen] = useState(false);
  if (use.nodes.length === 0) {
    return null;
  }
  const priced = run?.cost_usd != null;
  return (
    <details
      className="sw-node-use"
      data-testid="node-use"
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary>{t('Tokens and cost by step')}</summary>
      <table className="sw-plain-table">
        <thead>
          <tr>
            <th scope="col">{t('Step')}</th>
            <th scope="col">{t('Calls')}</th>
            <th scope="col">{t('In')}</th>
            <th scope="col">{t('Out')}</th>
            <th scope="col">{t('Tokens')}</th>
            {priced && <th scope="col">{t('About ({currency})', { currency: run.currency })}</th>}
          </tr>
        </thead>
        <tbody>
          {(isOpen ? use.nodes.slice(0, MOST) : []).map((each) => (
            <tr key={each.node}>
              <td>{each.node === '' ? t('the run itself') : each.node}</td>
              <td className="sw-tabular">{each.calls}</td>
              <td className="sw-tabular">{each.input}</td>
              <td className="sw-tabular">{each.output}</td>
              <td className="sw-tabular">{each.total}</td>
              {each.cost !== null && (
                <td className="sw-tabular">{Number(each.cost.toFixed(DIGITS))}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="sw-faint">
        {use.nodes.length > MOST &&
          t('The {MOST} with the most tokens, of {count, plural, one {# step} other {# steps}}. ', {
            MOST,
            count: use.nodes.length,
          })}
        {coverageText(use, run)}
      </p>
    </details>
  );
}
