import type { PrincipalRow } from '../../store/studio-tables.ts';
import {
  approvePrincipal,
  disablePrincipal,
  enablePrincipal,
  listPrincipals,
  type PrincipalName,
} from '../../studio/host/principals.ts';
import { UsageFailure } from '../command-failure.ts';
import { printJson, printLine } from '../output.ts';
import { printTable } from '../table.ts';
import { type OperatorOptions, onStudioStore } from './studio-store.ts';

export interface PrincipalOptions extends OperatorOptions {
  readonly subject: string;
  readonly issuer?: string;
}

export interface DisableOptions extends PrincipalOptions {
  readonly transferTo?: string;
  readonly ownerTo?: string;
  readonly quotaTo?: string;
}

export interface ListOptions extends OperatorOptions {
  readonly state?: PrincipalRow['state'];
}

function tell(options: OperatorOptions, principal: PrincipalRow): number {
  if (options.json) printJson(principal);
  else printLine(`${principal.subject} (${principal.issuer}) is ${principal.state}.`);
  return 0;
}

/** `studio principal list` */
export async function list(options: ListOptions): Promise<number> {
  return onStudioStore(options, async (deps) => {
    const principals = await listPrincipals(deps, options.state);
    if (options.json) printJson({ principals });
    else {
      printTable(principals, [
        { head: 'SUBJECT', show: (row) => row.subject },
        { head: 'ISSUER', show: (row) => row.issuer },
        { head: 'KIND', show: (row) => row.kind },
        { head: 'STATE', show: (row) => row.state },
        { head: 'NAME', show: (row) => row.display_name },
      ]);
    }
    return 0;
  });
}

/** `studio principal approve` */
export async function approve(options: PrincipalOptions): Promise<number> {
  return onStudioStore(options, async (deps) =>
    tell(options, await approvePrincipal(deps, options)),
  );
}

/** `studio principal enable` */
export async function enable(options: PrincipalOptions): Promise<number> {
  return onStudioStore(options, async (deps) =>
    tell(options, await enablePrincipal(deps, options)),
  );
}

/** `studio principal disable` */
export async function disable(options: DisableOptions): Promise<number> {
  const { transferTo, ownerTo, quotaTo } = options;
  if (transferTo !== undefined && (ownerTo !== undefined || quotaTo !== undefined)) {
    throw new UsageFailure('--transfer-to names both heirs; leave out --owner-to and --quota-to.');
  }
  const named = (subject: string | undefined): PrincipalName | undefined =>
    subject === undefined ? undefined : { subject };
  const heirs = { owner: named(ownerTo ?? transferTo), quota: named(quotaTo ?? transferTo) };
  return onStudioStore(options, async (deps) =>
    tell(options, await disablePrincipal(deps, options, heirs)),
  );
}
