import { Textarea, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { listLaunches, runLaunch } from '../../../server/contract/dashboard/launch.ts';
import { paths } from '../../app/paths.ts';
import { call } from '../../data/api-client.ts';
import { useAction } from '../../data/use-action.ts';
import { AskForm } from '../../ui/ask-form.tsx';
import { leadOn } from '../../ui/lead-on.ts';
import type { LaunchBody } from './launch-model.ts';
import { readAgain } from './save-setting.tsx';

/** A platform takes so many characters and no more: from here on they are counted. */
const MANY = 2_000;

/** Starts what was checked; in production the environment's name is typed once more (OD-054). */
export function LaunchRun(props: {
  readonly body: LaunchBody['check'] & LaunchBody['run'];
  readonly isTyped: boolean;
  readonly input: string;
  readonly onInput: (input: string) => void;
}) {
  const { body, isTyped, input } = props;
  const environment = body.environment ?? '';
  const [typed, setTyped] = useState('');
  // One key for one attempt: a try after a lost answer starts no second run.
  const asked = JSON.stringify([body, input]);
  const attempt = useRef({ asked, key: crypto.randomUUID() });
  const starting = useAction(async () => {
    if (attempt.current.asked !== asked) {
      attempt.current = { asked, key: crypto.randomUUID() };
    }
    const lead = leadOn();
    const { run_id } = await call(
      runLaunch,
      { body: { ...body, input_text: input, async_mode: true } },
      { idempotencyKey: attempt.current.key },
    );
    void readAgain(listLaunches);
    lead(t('Run started'), paths.run(run_id));
  });
  return (
    <section className="sw-operate-section">
      <AskForm
        action={starting}
        failure={t('The run was not started')}
        label={environment === '' ? t('Run') : t('Run in {environment}', { environment })}
        ready={!isTyped || typed === environment}
        testId="launch-run"
      >
        <Textarea
          label={t('Input')}
          description={
            input.length < MANY ? undefined : t('{count} characters', { count: input.length })
          }
          value={input}
          onChange={(event) => props.onInput(event.currentTarget.value)}
          autosize
          minRows={2}
          maxRows={12}
          data-testid="launch-input"
        />
        {isTyped && (
          <TextInput
            mt="sm"
            label={t('Type the name of the environment')}
            description={t('This environment counts as production')}
            placeholder={environment}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            data-testid="launch-typed"
          />
        )}
      </AskForm>
    </section>
  );
}
