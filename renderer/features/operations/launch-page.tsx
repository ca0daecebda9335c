import { t } from '../../../preload/texts/t.ts';
import './launch.css';
import { useEffect, useMemo, useRef, useState } from 'react';
import {
  deployLaunch,
  type LaunchHistoryEntry,
  loadLaunch,
} from '../../../server/contract/dashboard/launch.ts';
import { call } from '../../data/api-client.ts';
import { type Environments, useEnvironments } from '../../data/environment.ts';
import { useHindrance } from '../../data/operator.ts';
import { useAction } from '../../data/use-action.ts';
import { LaunchHistory } from './launch-history.tsx';
import { EMPTY_FORM, type LaunchForm, needsTyping, placesOf, readForm } from './launch-model.ts';
import { LaunchRefill } from './launch-refill.tsx';
import { type Launched, refilledForm, refillNotes } from './launch-refill-model.ts';
import { LaunchRun } from './launch-run.tsx';
import { LaunchSourceForm } from './launch-source.tsx';
import { useStudioText } from './launch-studio.ts';
import { type Checked, LaunchVerdictView } from './launch-verdict.tsx';
import { OperatePage, Shut } from './operate-page.tsx';
import { showInText } from './show-in-text.ts';

/** Starts a run of a spec: it is looked at, checked, and only then run. */
export function LaunchPage(props: {
  /** A run whose launch is filled in again. */
  readonly run: string | undefined;
}) {
  const hindrance = useHindrance('launch');
  const [again, setAgain] = useState<Again>({ entry: undefined, turn: 0 });
  const { entry, turn } = again;
  return (
    <OperatePage
      title={t('Launch')}
      sub={t('Runs a spec on the platform. It is checked first; nothing runs before that is green')}
      testId="launch-page"
    >
      {hindrance !== undefined ? (
        <Shut
          title={t('Your role does not start runs')}
          hindrance={hindrance}
          testId="launch-shut"
        />
      ) : entry === undefined && props.run === undefined ? (
        <Launch launched={undefined} />
      ) : (
        <LaunchRefill
          key={turn}
          entry={entry}
          runId={entry === undefined ? props.run : entry.run_id}
        >
          {(launched) => <Launch launched={launched} />}
        </LaunchRefill>
      )}
      <LaunchHistory
        hindrance={hindrance}
        onAgain={(row) => setAgain((before) => ({ entry: row, turn: before.turn + 1 }))}
      />
    </OperatePage>
  );
}

/** A launch that is filled in again; each turn anew, over what was typed since. */
interface Again {
  readonly entry: LaunchHistoryEntry | undefined;
  readonly turn: number;
}

/** The environment that a launch is for: the window's, else what is typed. */
function environmentOf(form: LaunchForm, environments: Environments | undefined): string {
  return environments?.chosen?.name ?? form.environment.trim();
}

function Launch({ launched }: { readonly launched: Launched | undefined }) {
  // The spec that a run kept may be long: it is written as text once, not at each key.
  const [then] = useState(() => (launched === undefined ? EMPTY_FORM : refilledForm(launched)));
  const [form, setForm] = useState<LaunchForm>(then);
  const [checked, setChecked] = useState<Checked>();
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (launched !== undefined) {
      top.current?.scrollIntoView();
      top.current?.focus({ preventScroll: true });
    }
  }, [launched]);
  const environments = useEnvironments();
  const environment = environmentOf(form, environments);
  const studio = useStudioText(form);
  const read = useMemo(
    () => readForm(form, environment, studio.text),
    [form, environment, studio.text],
  );
  const check = 'body' in read ? read.body.check : undefined;
  const key = JSON.stringify(check);
  const text = form.kind === 'text' ? form.text : studio.text?.text;
  const placeOf = useMemo(() => (text === undefined ? undefined : placesOf(text)), [text]);
  const checking = useAction(async () => {
    if (check === undefined) {
      return;
    }
    setChecked(undefined);
    const verdict = await call(deployLaunch, { body: check });
    // A spec that is not valid has no summary; the verdict says why.
    const summary = verdict.valid ? (await call(loadLaunch, { body: check })).summary : {};
    setChecked({ verdict, summary, key });
  });
  // What changes takes the verdict away, here or in the studio: it was about something else.
  const standing = checked?.key === key ? checked : undefined;
  const notes =
    launched === undefined
      ? []
      : refillNotes(launched, then, form, { studio: studio.text, environment });
  return (
    <div ref={top} tabIndex={-1} className="sw-launch">
      <LaunchSourceForm
        form={form}
        onChange={setForm}
        environments={environments}
        studio={studio}
        notes={notes}
        problem={'problem' in read ? read.problem : undefined}
        ready={check !== undefined}
        checking={checking}
      />
      {standing !== undefined && (
        <LaunchVerdictView
          checked={standing}
          draft={form.kind === 'draft' ? { project: form.project, ref: form.draft } : undefined}
          placeOf={placeOf}
          onShow={showInText}
        />
      )}
      {standing?.verdict.ready === true && 'body' in read && (
        <LaunchRun
          key={key}
          body={{ ...read.body.check, ...read.body.run }}
          isTyped={needsTyping(environment, environments?.choices)}
          input={form.input}
          onInput={(input) => setForm({ ...form, input })}
        />
      )}
    </div>
  );
}
