import { Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { getPolicy, listPolicies, putPolicy } from '../../../server/contract/dashboard/policies.ts';
import { call } from '../../data/api-client.ts';
import { queryClient, routePrefix } from '../../data/query-client.ts';
import { useAction } from '../../data/use-action.ts';
import { AskForm } from '../../ui/ask-form.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { rich } from '../../ui/rich.ts';
import type { Policy } from './policies-model.ts';

/** Stores a policy after the name of its environment was typed once more. */
export function ApplyPolicy(props: {
  readonly environment: string;
  readonly policy: Policy;
  readonly affected: number;
  readonly onClose: () => void;
}) {
  const { environment, policy, affected, onClose } = props;
  const [typed, setTyped] = useState('');
  const storing = useAction(async () => {
    await call(putPolicy, { params: { environment }, body: policy });
    onClose();
    notifyDone(t('The policy of {environment} is stored', { environment }));
    await Promise.all(
      [getPolicy, listPolicies].map((route) =>
        queryClient.invalidateQueries({ queryKey: routePrefix(route) }),
      ),
    );
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('Change the policy of {environment}?', { environment })}
    >
      <AskForm
        action={storing}
        failure={t('The policy was not stored')}
        label={t('Store')}
        ready={typed === environment}
        onCancel={onClose}
        testId="apply-policy"
      >
        <p className="sw-dialog-text">
          {rich('It holds for every run that starts in {environment} from now on.{value}', {
            environment,
            value:
              affected > 0 &&
              t(
                ' {count, plural, one {# run} other {# runs}} of late would have been answered otherwise.',
                { count: affected },
              ),
          })}
        </p>
        <TextInput
          label={t('Type the name of the environment')}
          placeholder={environment}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          data-autofocus
          data-testid="apply-policy-name"
        />
      </AskForm>
    </Modal>
  );
}
