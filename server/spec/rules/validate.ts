import type { JsonObject } from '../../kernel/json.ts';
import { loadSpecToEdit, type SkillsOverlay } from '../load/load-spec.ts';
import { placesBefore } from '../load/upgrade.ts';
import type { Spec } from '../schema/spec-types.ts';
import { asAnswered, type Diagnostic, type Finding } from '../values/diagnostic.ts';
import { type ParsedDocument, parseSpecText, type SpecFormat } from '../yaml/parse-yaml.ts';
import type { SourceRange, SourceSpot } from '../yaml/source-map.ts';
import {
  checkAgentModels,
  checkAsAgents,
  checkRuntimePreferences,
  checkSkillRefs,
  checkToolSelections,
} from './agents.ts';
import { checkBuildCycle } from './build-cycle.ts';
import { checkGovernance } from './governance.ts';
import { checkGraphs } from './graphs.ts';
import { checkHumans } from './humans.ts';
import { checkAgentPolicies } from './policies.ts';
import { checkMcp, checkToolBackings } from './tools.ts';
import { checkWorkflows } from './workflows.ts';

/** The rule families in the order of spec-v1 6. */
const FAMILIES: readonly ((spec: Spec, findings: Diagnostic[]) => void)[] = [
  checkWorkflows,
  checkToolSelections,
  checkSkillRefs,
  checkRuntimePreferences,
  checkGraphs,
  checkAgentModels,
  checkGovernance,
  checkHumans,
  checkAgentPolicies,
  checkToolBackings,
  checkAsAgents,
  checkMcp,
  checkBuildCycle,
];

function findingsOf(spec: Spec): Finding[] {
  const findings: Finding[] = [];
  for (const check of FAMILIES) check(spec, findings);
  return findings;
}

/** All semantic findings of a spec, in the order of spec-v1 6. */
export function validateSpec(spec: Spec): Diagnostic[] {
  return findingsOf(spec).map(asAnswered);
}

/** A spec is valid when no finding is an error. */
export function isValid(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.every(({ severity }) => severity !== 'error');
}

/** A finding with the range of the text that it is about. */
export interface PlacedDiagnostic extends Finding {
  readonly range: SourceRange;
}

/** Layers that lie over the text of an editor. */
export interface TextLayers {
  readonly overlays?: readonly JsonObject[];
  readonly overrides?: JsonObject | null;
  readonly environment?: string | null;
  readonly skills?: SkillsOverlay | null;
}

/** A text with all that is wrong with it; `spec` when it could be read as one. */
export interface TextValidation {
  readonly document: ParsedDocument;
  readonly diagnostics: PlacedDiagnostic[];
  readonly valid: boolean;
  readonly spec: Spec | undefined;
}

function syntaxFindings({ problems, source }: ParsedDocument): PlacedDiagnostic[] {
  return problems.map(({ message, start, end }) => {
    const range = { start: source.positionOf(start), end: source.positionOf(end) };
    const { line, column } = range.start;
    return {
      code: 'E_PARSE',
      severity: 'error',
      message: `Line ${line}, column ${column}: ${message}`,
      path: null,
      suggestion: null,
      range,
    };
  });
}

/** The spot of a place; in a document of an older version, of the place that it was moved from. */
function spotOf(path: string, { source, value }: ParsedDocument): SourceSpot | undefined {
  if (value?.['version'] === 'v1') return source.nearest(path);
  let best = source.nearest(path);
  for (const place of placesBefore(path)) {
    const spot = source.nearest(place);
    if (best === undefined || (spot?.path.length ?? 0) > best.path.length) best = spot;
  }
  return best;
}

/** A finding at the place of a text that it is about, or at its nearest ancestor. */
export function placeFinding(diagnostic: Finding, document: ParsedDocument): PlacedDiagnostic {
  const { source } = document;
  const spot = spotOf(diagnostic.path ?? '', document);
  const start = source.positionOf(0);
  const whole = { start, end: start };
  const atKey = spot?.key !== undefined && (spot.node.kind === 'map' || spot.node.kind === 'list');
  return { ...diagnostic, range: (atKey ? spot?.key : spot?.value) ?? whole };
}

/**
 * Everything an editor shows about a text: parse, layer, migrate, normalize, check (spec-v1 22).
 * Findings that lie in another layer are placed at their nearest ancestor in this text. Never throws.
 */
export function validateText(
  text: string,
  format: SpecFormat,
  layers: TextLayers = {},
): TextValidation {
  return validateDocument(parseSpecText(text, format), layers);
}

/** {@link validateText} for a text that was read already. */
export function validateDocument(
  document: ParsedDocument,
  layers: TextLayers = {},
): TextValidation {
  if (document.value === undefined) {
    const diagnostics = syntaxFindings(document);
    return { document, diagnostics, valid: false, spec: undefined };
  }
  const loaded = loadSpecToEdit({ base: document.value, ...layers });
  const found = loaded.spec === undefined ? loaded.diagnostics : findingsOf(loaded.spec);
  const refused: Diagnostic[] =
    loaded.refusal === null
      ? []
      : [
          {
            code: 'E_SKILL_REF',
            severity: 'error',
            message: loaded.refusal.message,
            path: 'agent.skills',
            suggestion: null,
          },
        ];
  const diagnostics = [...found, ...refused].map((diagnostic) =>
    placeFinding(diagnostic, document),
  );
  return { document, diagnostics, valid: isValid(diagnostics), spec: loaded.spec };
}
