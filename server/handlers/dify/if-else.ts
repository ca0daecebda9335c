import { groupHolds } from './conditions.ts';
import { type DifyHandler, gives } from './dify-call.ts';
import { objectsOf } from './values.ts';

/** If-else: the output of the first case that holds, else the last one. */
export const handleIfElse: DifyHandler = ({ data, pool }) => {
  const written = objectsOf(data['cases']);
  const cases = written.length > 0 ? written : [data];
  const at = cases.findIndex((one) => groupHolds(one, pool));
  const chosen = cases[at];
  const id = chosen === undefined ? 'false' : String(chosen['case_id'] ?? chosen['id'] ?? 'true');
  return gives(
    { result: chosen !== undefined, selected_case_id: id },
    chosen === undefined ? cases.length : at,
  );
};
