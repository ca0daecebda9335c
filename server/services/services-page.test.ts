import { expect, it } from 'vitest';
import { builtInName } from '../contract/flow.ts';
import { SERVICES } from './find-row.ts';
import type { Service } from './service.ts';

function versionsOf({ versions: [low, high] }: Service): string {
  return low === high ? String(low) : `${low} to ${high}`;
}

function rowOf(service: Service): string {
  const operations = Object.keys(service.rows).map((name) => `\`${name}\``);
  const cells = [service.name, `\`${builtInName(service.type)}\``, versionsOf(service)];
  return `| ${[...cells, operations.join(', ')].join(' | ')} |`;
}

it('the list of services is what the table has', async () => {
  const services = SERVICES.toSorted((a, b) => (rowOf(a) < rowOf(b) ? -1 : 1));
  const page = [
    '# Services',
    '',
    'Nodes of vendors that are carried out by rows of a table: [handlers.md](handlers.md#services) says how one is added. A test writes this list.',
    '',
    '| vendor | implementation | versions | operations |',
    '| --- | --- | --- | --- |',
    ...services.map(rowOf),
    '',
  ].join('\n');
  await expect(page).toMatchFileSnapshot('../../docs/services.md');
});
