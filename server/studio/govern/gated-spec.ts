import { refuse, STUDIO_ERRORS, type StudioErrorCode } from '../../contract/studio/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import {
  type CapabilityRules,
  type PrivilegedPosition,
  scanCapabilities,
} from '../../spec/reports/privileges.ts';
import type { ProjectEnvironmentRow } from '../../store/studio-tables.ts';
import { storedRegistry } from '../environments/registry-entries.ts';

/** A composed spec that its binding allows. */
export interface GatedSpec {
  readonly document: JsonObject;
  readonly positions: readonly PrivilegedPosition[];
  readonly registryPaths: readonly string[];
}

function hostsOf(binding: ProjectEnvironmentRow): string[] {
  const parsed: unknown = JSON.parse(binding.host_allowlist);
  return Array.isArray(parsed) ? parsed.filter((host) => typeof host === 'string') : [];
}

/** What the gate asks of a binding's generation, as plain data. */
export interface GateSetting {
  readonly rules: CapabilityRules;
  readonly environment: string;
  readonly maxBytes: number;
}

export function isStudioCode(code: string): code is StudioErrorCode {
  return Object.hasOwn(STUDIO_ERRORS, code);
}

/** The gate of a binding's generation. */
export function gateSetting(binding: ProjectEnvironmentRow): GateSetting {
  return {
    rules: rulesOf(binding),
    environment: binding.platform_environment,
    maxBytes: binding.max_inline_spec_bytes,
  };
}

/** The capability rules of a binding's generation (studio.md 9.2, 13). */
function rulesOf(binding: ProjectEnvironmentRow): CapabilityRules {
  return {
    policy: binding.capability_policy,
    registry: storedRegistry(binding.registry_snapshot),
    secretNamespace: binding.secret_ref_namespace,
    hostAllowlist: hostsOf(binding),
    egressEnforced: binding.platform_egress === 'enforced',
  };
}

/**
 * Passes a composed spec through the capability gate and the size check (studio.md 9.1).
 * @throws Refusal `spec_too_complex`, `spec_capability_refused`, `spec_too_large`.
 */
export function gateSpec(document: JsonObject, setting: GateSetting): GatedSpec {
  const scan = scanCapabilities(document, setting.rules);
  if (scan.outcome === 'too_complex') throw refuse('spec_too_complex');
  if (scan.outcome === 'refused') {
    const { stage, findings } = scan;
    throw refuse('spec_capability_refused', { details: { stage, findings } });
  }
  const body = { spec: scan.document, environment: setting.environment };
  const size = Buffer.byteLength(JSON.stringify(body));
  if (size > setting.maxBytes) {
    const details = { size_bytes: size, limit_bytes: setting.maxBytes };
    throw refuse('spec_too_large', { details });
  }
  return {
    document: scan.document,
    positions: scan.positions,
    registryPaths: scan.registryPaths,
  };
}
