import { Table } from '@mantine/core';
import type { ImportResult } from '../../../server/contract/studio/imports.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import type { ApiError } from '../../data/api-error.ts';
import { CopyCode } from '../../ui/copy-code.tsx';
import { remedyOf } from '../../ui/remedies.ts';
import { Badge } from '../../ui/status-badge.tsx';

/** What became of one file: a result, a refusal of the service, or a reason why it was not sent. */
export interface ImportOutcome {
  readonly name: string;
  readonly result: ImportResult | undefined;
  readonly error: ApiError | undefined;
  readonly problem: string | undefined;
}

/** One row for each file that was offered. */
export function ImportReport(props: {
  readonly projectId: string;
  readonly outcomes: readonly ImportOutcome[];
  readonly onClose: () => void;
}) {
  return (
    <Table verticalSpacing="xs" data-testid="import-report">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>File</Table.Th>
          <Table.Th>Outcome</Table.Th>
          <Table.Th>Blocking</Table.Th>
          <Table.Th>Manual</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {props.outcomes.map((outcome) => (
          <Table.Tr key={outcome.name} data-testid={`import-outcome-${outcome.name}`}>
            <Table.Td>{outcome.name}</Table.Td>
            <Table.Td>
              <Outcome {...props} outcome={outcome} />
            </Table.Td>
            <Table.Td>{countOf(outcome, 'blocking')}</Table.Td>
            <Table.Td>{countOf(outcome, 'manual')}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function countOf(outcome: ImportOutcome, severity: string): string {
  return outcome.result === undefined
    ? '–'
    : String(outcome.result.gaps.filter((gap) => gap.severity === severity).length);
}

function Outcome(props: {
  readonly projectId: string;
  readonly outcome: ImportOutcome;
  readonly onClose: () => void;
}) {
  const { result, error, problem } = props.outcome;
  if (result !== undefined) {
    return (
      <span onClickCapture={props.onClose}>
        <AppLink to={paths.draft(props.projectId, result.draft.path)}>{result.draft.path}</AppLink>
      </span>
    );
  }
  if (error === undefined) {
    return <Badge tone="danger">{problem}</Badge>;
  }
  return (
    <div role="alert">
      {error.message} {remedyOf(error.code)}
      <div className="sw-request-id">
        <CopyCode value={error.code} label="Copy error code" />{' '}
        {error.requestId !== null && <CopyCode value={error.requestId} label="Copy request id" />}
      </div>
    </div>
  );
}
