import '../../ui/plain-table.css';
import type { RunUse, UseByNode } from './node-use.ts';
import { coverageText } from './node-use.ts';

const DIGITS = 6;

/** What each node used, folded until asked for; nothing where no call told its tokens. */
export function NodeUseTable(props: { readonly use: UseByNode; readonly run: RunUse | null }) {
  const { use, run } = props;
  if (use.nodes.length === 0) {
    return null;
  }
  const priced = run?.cost_usd != null;
  return (
    <details className="sw-node-use" data-testid="node-use">
      <summary>Tokens and cost by step</summary>
      <table className="sw-plain-table">
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">Calls</th>
            <th scope="col">In</th>
            <th scope="col">Out</th>
            <th scope="col">Tokens</th>
            {priced && <th scope="col">About ({run.currency})</th>}
          </tr>
        </thead>
        <tbody>
          {use.nodes.map((each) => (
            <tr key={each.node}>
              <td>{each.node === '' ? 'the run itself' : each.node}</td>
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
      <p className="sw-faint">{coverageText(use, run)}</p>
    </details>
  );
}
