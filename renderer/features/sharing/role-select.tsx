import { NativeSelect } from '@mantine/core';
import { Role } from '../../../server/contract/studio/fields.ts';
import { ROLES } from './member-words.ts';

/** Chooses a role; each says what it may do. */
export function RoleSelect(props: {
  readonly label: string;
  /** False: the label is only for who hears the page. */
  readonly named?: boolean;
  readonly value: Role;
  readonly onChange: (role: Role) => void;
  readonly disabled?: boolean;
  readonly testId: string;
}) {
  const { label, named = true, value } = props;
  return (
    <NativeSelect
      size="xs"
      {...(named ? { label } : { 'aria-label': label })}
      data={ROLES.map((role) => ({ value: role.value, label: `${role.label}: ${role.about}` }))}
      value={value}
      disabled={props.disabled === true}
      onChange={(event) => props.onChange(Role.parse(event.currentTarget.value))}
      data-testid={props.testId}
      w={290}
    />
  );
}
