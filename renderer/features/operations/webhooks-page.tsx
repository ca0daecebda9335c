import { t } from '../../../preload/texts/t.ts';
import { OperatePage } from './operate-page.tsx';
import { WebhooksPart } from './webhooks-part.tsx';

/** Programs that the platform tells of events, and what could not be delivered to them. */
export function WebhooksPage() {
  return (
    <OperatePage
      title={t('Webhooks')}
      sub={t(
        'Other programs that the platform tells when a run is over, a person has to answer or a deadline comes near',
      )}
      testId="webhooks-page"
    >
      <WebhooksPart />
    </OperatePage>
  );
}
