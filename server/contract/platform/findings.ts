import { z } from 'zod';
import { toldReader } from '../told.ts';
import { diagnostic } from './specs.ts';

/** A finding about a spec, as it is shown to people. */
export type ShownFinding = Readonly<z.output<typeof diagnostic>>;

const SEVERITIES = ['error', 'warning', 'info'] as const;
const readDiagnostics = toldReader(z.object({ diagnostics: z.array(diagnostic) }));

/** The findings that an answer or a refusal of any platform holds. */
export function findingsIn(answer: object): ShownFinding[] {
  const found = readDiagnostics(answer).diagnostics ?? [];
  return found.map(({ code, severity, message, path, suggestion }) => ({
    code: code ?? '',
    severity: SEVERITIES.find((word) => word === severity) ?? 'error',
    message: message ?? '',
    path: path ?? null,
    suggestion: suggestion ?? null,
  }));
}
