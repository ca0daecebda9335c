import '../../ui/plain-table.css';
import { AppLink } from '../../app/app-link.tsx';
import type { Opener } from './artifact-places.ts';
import { type ReportTable, reportTables } from './policy-report-model.ts';

/** What a spec may do and who watches over it, as tables; each element leads to its line. */
export function PolicyReport(props: { readonly report: object; readonly opener: Opener }) {
  return (
    <div className="sw-policy-report" data-testid="policy-report">
      {reportTables(props.report).map((table) => (
        <ReportPart key={table.id} table={table} opener={props.opener} />
      ))}
    </div>
  );
}

function ReportPart(props: { readonly table: ReportTable; readonly opener: Opener }) {
  const { table, opener } = props;
  return (
    <section aria-label={table.title} data-testid={`report-${table.id}`}>
      <h3 className="sw-section-title">{table.title}</h3>
      {table.warning !== undefined && <p className="sw-policy-warning">{table.warning}</p>}
      {table.rows.length === 0 ? (
        <p className="sw-faint">{table.none}</p>
      ) : (
        <table className="sw-plain-table" aria-label={table.title}>
          <thead>
            <tr>
              {table.columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map(({ path, cells }) => (
              <tr key={cells.join(' ')}>
                {cells.map((cell, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a row have their columns alone
                  <td key={at}>
                    {at === 0 && path !== null ? <AppLink to={opener(path)}>{cell}</AppLink> : cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
