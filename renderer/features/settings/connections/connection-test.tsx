import { Button, Group, Loader, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../../../preload/texts/t.ts';
import {
  type CheckLine,
  type ConnectionView,
  confirmIdentity,
  type ServiceReport,
  testConnection,
} from '../../../../server/contract/gateway/connections.ts';
import { call } from '../../../data/api-client.ts';
import { connectionsChanged } from '../../../data/connections.ts';
import { routePrefix } from '../../../data/query-client.ts';
import { useAction } from '../../../data/use-action.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { notifyDone } from '../../../ui/notify.tsx';
import { rich } from '../../../ui/rich.ts';
import { SERVICE_TEXT, ServiceText } from '../../../ui/service-text.tsx';
import { Badge, type Tone } from '../../../ui/status-badge.tsx';
import { PART_NAMES } from './part-names.ts';

const CHECKS: Readonly<Record<CheckLine['check'], string>> = {
  reachable: t('Reachable'),
  identity: t('Identity'),
  version: t('Version'),
  who: t('Who am I'),
  clock: t('Clock'),
  offers: t('What it can do'),
};

const STATES: Readonly<Record<CheckLine['state'], readonly [Tone, string]>> = {
  ok: ['success', t('fine')],
  attention: ['warning', t('look at this')],
  failed: ['danger', t('failed')],
  unknown: ['neutral', t('not told')],
};

/** What each server of a connection says of itself, with what to do about what is wrong. */
export function ConnectionTest(props: {
  readonly connection: ConnectionView;
  readonly onClose: () => void;
}) {
  const { connection, onClose } = props;
  const { id, name } = connection;
  const test = useQuery({
    queryKey: [...routePrefix(testConnection), id],
    queryFn: ({ signal }) => call(testConnection, { params: { id } }, { signal }),
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Modal opened onClose={onClose} title={t('Test of {name}', { name })} size="lg">
      <div aria-live="polite" data-testid="connection-report">
        {test.isFetching && (
          <p>
            <Loader size="xs" /> {t('Asking…')}
          </p>
        )}
        {test.isError && <ErrorState compact error={test.error} />}
        {!test.isFetching &&
          test.data?.services.map((report) => (
            <Report
              key={report.service}
              report={report}
              connectionId={id}
              onAccepted={() => void test.refetch()}
            />
          ))}
      </div>
      <Group justify="flex-end">
        <Button
          variant="default"
          loading={test.isFetching}
          onClick={() => void test.refetch()}
          data-testid="connection-test-again"
        >
          {t('Test again')}
        </Button>
        <Button onClick={onClose} data-autofocus>
          {t('Close')}
        </Button>
      </Group>
    </Modal>
  );
}

function Report(props: {
  readonly report: ServiceReport;
  readonly connectionId: string;
  readonly onAccepted: () => void;
}) {
  const { report } = props;
  const { service, address, lines, shown, known } = report;
  return (
    <section data-testid={`report-${service}`}>
      <h3>
        {PART_NAMES[service]} <code className="sw-faint">{address}</code>
      </h3>
      <ul className="sw-connection-report">
        {lines.map((line) => (
          <Line key={line.check} line={line} />
        ))}
      </ul>
      {shown !== null && known !== null && shown !== known && (
        <NewKey {...props} shown={shown} known={known} />
      )}
    </section>
  );
}

function Line({ line }: { readonly line: CheckLine }) {
  const [tone, word] = STATES[line.state];
  return (
    <li data-testid={`check-${line.check}`} data-state={line.state}>
      <strong>{CHECKS[line.check]}</strong>
      <div>
        <p>
          <Badge tone={tone}>{word}</Badge> <ServiceText>{line.text}</ServiceText>
        </p>
        {line.to_do !== null && (
          <p className="sw-faint" {...SERVICE_TEXT}>
            {line.to_do}
          </p>
        )}
      </div>
    </li>
  );
}

/** The server shows another key than before: a person says whether that is right. */
function NewKey(props: {
  readonly report: ServiceReport;
  readonly connectionId: string;
  readonly shown: string;
  readonly known: string;
  readonly onAccepted: () => void;
}) {
  const { report, connectionId, shown, known, onAccepted } = props;
  const accepting = useAction(async () => {
    await call(confirmIdentity, {
      params: { id: connectionId },
      body: { origin: report.origin, key_sha256: shown },
    });
    await connectionsChanged();
    notifyDone(t('The new key is accepted'));
    onAccepted();
  });
  return (
    <div className="sw-notice" data-tone="warning" role="alert" data-testid="new-key">
      <div className="sw-notice-text">
        <p>
          {t(
            'Ask who runs it for the fingerprint of its key (SHA-256 of the public key) by another way than this connection. Accept the new one only if it is that.',
          )}
        </p>
        <p>{rich('Before: {code}', { code: <code>{known}</code> })}</p>
        <p>{rich('Now: {code}', { code: <code>{shown}</code> })}</p>
        {accepting.error !== undefined && <ErrorState compact error={accepting.error} />}
      </div>
      <Button
        size="compact-sm"
        color="red"
        loading={accepting.busy}
        onClick={() => accepting.start()}
        data-testid="accept-key"
      >
        {t('Accept the new key')}
      </Button>
    </div>
  );
}
