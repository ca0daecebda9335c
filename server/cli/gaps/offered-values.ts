import type { FixOffer, FixValues } from '../../gaps/fixes/fix-types.ts';
import { UsageFailure } from '../command-failure.ts';

/** What is filled in for an edit: what it proposes, and `name=value` for each field that is given. */
export function valuesFor(
  offer: Pick<FixOffer, 'id' | 'fields'>,
  given: readonly string[],
): FixValues {
  const values = new Map(offer.fields.map(({ name, initial }) => [name, initial]));
  for (const one of given) {
    const [, name = '', value = ''] = /^([^=]+)=([\s\S]*)$/.exec(one) ?? [];
    if (!values.has(name)) {
      const names = [...values.keys()].join(', ') || 'none';
      throw new UsageFailure(`--set ${one}: the fields of '${offer.id}' are ${names}.`);
    }
    values.set(name, value);
  }
  return Object.fromEntries(values);
}
