import { NumberInput, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { rich } from '../../ui/rich.ts';
import { type OptionFields, optionsLine, readOptions } from './launch-options-model.ts';

/** What else the platform takes with a run; each says what the check knows of it. */
export function LaunchOptionsForm(props: {
  readonly options: OptionFields;
  readonly onChange: (options: OptionFields) => void;
}) {
  const { options, onChange } = props;
  const line = optionsLine(options);
  const [isOpen, setOpen] = useState(line !== '');
  const region = useId();
  return (
    <div className="sw-launch-options">
      <button
        type="button"
        className="sw-launch-fold"
        aria-expanded={isOpen}
        aria-controls={region}
        onClick={() => setOpen(!isOpen)}
        data-testid="launch-options"
      >
        {rich('Options {part}', {
          part: <span className="sw-faint">{line === '' ? t('as usual') : line}</span>,
        })}
      </button>
      {isOpen && (
        <div id={region} className="sw-launch-fields">
          <Layers options={options} onChange={onChange} />
          <RunOptions options={options} onChange={onChange} />
        </div>
      )}
    </div>
  );
}

type Part = {
  readonly options: OptionFields;
  readonly onChange: (options: OptionFields) => void;
};

function problemsOf(options: OptionFields) {
  const read = readOptions(options);
  return 'problems' in read ? read.problems : {};
}

/** What is laid over the spec, and checked with it. */
function Layers({ options, onChange }: Part) {
  const problems = problemsOf(options);
  return (
    <>
      <Textarea
        label={t('Overlays')}
        description={t(
          "Files below the platform's spec folder, one a line, laid over in this order",
        )}
        value={options.overlays}
        onChange={(event) => onChange({ ...options, overlays: event.currentTarget.value })}
        autosize
        minRows={2}
        maxRows={6}
        classNames={{ input: 'sw-mono' }}
        data-testid="launch-overlays"
      />
      <Textarea
        label={t('Overrides')}
        description={t('YAML or JSON, laid over all of it')}
        error={problems.overrides}
        value={options.overrides}
        onChange={(event) => onChange({ ...options, overrides: event.currentTarget.value })}
        autosize
        minRows={2}
        maxRows={8}
        classNames={{ input: 'sw-mono' }}
        data-testid="launch-overrides"
      />
    </>
  );
}

/** What the run alone is given; the check does not know it. */
function RunOptions({ options, onChange }: Part) {
  const problems = problemsOf(options);
  return (
    <>
      <NumberInput
        label={t('Timeout')}
        description={t('Seconds until the run is ended; empty is no limit')}
        error={problems.timeout}
        value={options.timeout}
        onChange={(value) => onChange({ ...options, timeout: String(value) })}
        min={0}
        hideControls
        data-testid="launch-timeout"
      />
      <TextInput
        label={t('Session')}
        description={t('Runs of one session stand together as a conversation')}
        value={options.session}
        onChange={(event) => onChange({ ...options, session: event.currentTarget.value })}
        data-testid="launch-session"
      />
      <TagsInput
        label={t('Skills added')}
        description={t('Names that the spec declares; looked up when the run starts')}
        value={[...options.addSkills]}
        onChange={(addSkills) => onChange({ ...options, addSkills })}
        data-testid="launch-skills"
      />
      <TagsInput
        label={t('Skills switched off')}
        description={t('Looked up when the run starts')}
        value={[...options.disableSkills]}
        onChange={(disableSkills) => onChange({ ...options, disableSkills })}
      />
      <Textarea
        label={t('Metadata')}
        description={t('YAML or JSON, kept with the run')}
        error={problems.metadata}
        value={options.metadata}
        onChange={(event) => onChange({ ...options, metadata: event.currentTarget.value })}
        autosize
        minRows={2}
        maxRows={8}
        classNames={{ input: 'sw-mono' }}
        data-testid="launch-metadata"
      />
      <Switch
        label={t('Strict')}
        description={t('The check is strict in any case. Off, the run starts as one that is not')}
        checked={options.strict}
        onChange={(event) => onChange({ ...options, strict: event.currentTarget.checked })}
        data-testid="launch-strict"
      />
    </>
  );
}
