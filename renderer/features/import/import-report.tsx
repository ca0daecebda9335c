import { t } from '../../../preload/texts/t.ts';
import type { ImportResult } from '../../../server/contract/studio/imports.ts';
import type { ApiError } from '../../data/api-error.ts';
import { CopyCode } from '../../ui/copy-code.tsx';
import { remedyOf } from '../../ui/remedies.ts';
import { rich } from '../../ui/rich.ts';
import { ErrorMessage } from '../../ui/service-text.tsx';

/** What became of one file: a result, a refusal of the service, or a reason why it was not sent. */
export interface ImportOutcome {
  readonly name: string;
  readonly result: ImportResult | undefined;
  readonly error: ApiError | undefined;
  readonly problem: string | undefined;
}

/** Why a single file was not imported. */
export function ImportReport(props: { readonly outcome: ImportOutcome }) {
  const { name, error, problem } = props.outcome;
  return (
    <div role="alert" data-testid="import-report">
      {rich('{b} was not imported.', { b: <strong>{name}</strong> })}{' '}
      {error === undefined ? (
        problem
      ) : (
        <>
          <ErrorMessage error={error} /> {remedyOf(error.code)}
          <div className="sw-request-id">
            <CopyCode value={error.code} label={t('Copy error code')} />{' '}
            {error.requestId !== null && (
              <CopyCode value={error.requestId} label={t('Copy request id')} />
            )}
          </div>
        </>
      )}
    </div>
  );
}
