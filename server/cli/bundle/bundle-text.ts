import type { Signer } from '../../bundles/keys.ts';
import type { BundleManifest, BundleNeeds } from '../../contract/bundle.ts';
import { printLine } from '../output.ts';
import { printTable } from '../table.ts';

const MUST_BE_THERE: readonly (readonly [keyof BundleNeeds, string])[] = [
  ['secrets', 'secrets to store'],
  ['providers', 'model providers'],
  ['steps', 'steps of the platform'],
  ['functions', 'functions that run only where it is trusted'],
  ['packages', 'packages of its functions'],
  ['programs', 'programs on the machine'],
  ['files', 'files that stay at home'],
];

function nameOf(need: BundleNeeds[keyof BundleNeeds][number]): string {
  if (typeof need === 'string') return need;
  return need.name === '' ? need.secret : `${need.secret} (${need.name})`;
}

/** Prints what is in a bundle, and what the machine that runs it must have. */
export function printContents({ files, needs, versions }: BundleManifest): void {
  printTable(files, [
    { head: 'FILE', show: ({ path }) => path },
    { head: 'ROLE', show: ({ role }) => role },
    { head: 'BYTES', show: ({ bytes }) => String(bytes) },
  ]);
  printLine(`written by specwright ${versions.specwright}`);
  for (const [part, said] of [...MUST_BE_THERE, ['credentials', 'credentials to bind'] as const]) {
    if (needs[part].length > 0) printLine(`needs ${said}: ${needs[part].map(nameOf).join(', ')}`);
  }
}

/** Who signed a bundle, as a line. */
export function signerLine(signer: Signer | null): string {
  if (signer === null) return 'not signed; its files are those of its manifest';
  const known = signer.expected ? 'signed by the key that was given' : 'signed by an unknown key';
  return `${known}: ${signer.keyId}`;
}
