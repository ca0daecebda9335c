import { Textarea } from '@mantine/core';
import { t } from '../../../preload/texts/t.ts';
import { SPEC_TEXT_ID } from './show-in-text.ts';

/** The text of the spec that is launched; one that nobody types here is shown to be read. */
export function SpecText(props: {
  readonly label: string;
  readonly text: string;
  readonly problem: string | undefined;
  readonly onChange?: (text: string) => void;
}) {
  const { onChange } = props;
  return (
    <Textarea
      id={SPEC_TEXT_ID}
      label={props.label}
      {...(onChange === undefined ? {} : { description: t('YAML or JSON') })}
      error={props.problem}
      value={props.text}
      readOnly={onChange === undefined}
      onChange={(event) => onChange?.(event.currentTarget.value)}
      autosize
      minRows={onChange === undefined ? 6 : 12}
      maxRows={onChange === undefined ? 10 : 24}
      spellCheck={false}
      wrap="off"
      classNames={{ input: 'sw-mono' }}
      data-testid="launch-text"
    />
  );
}
