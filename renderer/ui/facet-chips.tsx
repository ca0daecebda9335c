import { Chip, Group } from '@mantine/core';

export interface Facet {
  readonly value: string;
  readonly label: string;
  readonly count?: number | undefined;
}

/** Chips that filter a list by the values of one field; any number may be on. */
export function FacetChips(props: {
  readonly label: string;
  readonly facets: readonly Facet[];
  readonly selected: readonly string[];
  readonly onChange: (selected: string[]) => void;
}) {
  return (
    <Chip.Group multiple value={[...props.selected]} onChange={props.onChange}>
      <Group gap={6} role="group" aria-label={props.label}>
        {props.facets.map((facet) => (
          <Chip key={facet.value} value={facet.value} size="xs" variant="light" radius="xl">
            {facet.label}
            {facet.count !== undefined && <span className="sw-faint"> {facet.count}</span>}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  );
}
