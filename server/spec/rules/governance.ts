import { agentsOf, plainSteps, workflowsOf } from '../schema/elements.ts';
import type { Spec, ToolSelection } from '../schema/spec-types.ts';
import type { Diagnostic } from '../values/diagnostic.ts';
import { fault, warning } from './finding.ts';

const UNSAFE_NAMES: ReadonlySet<string> = new Set([
  'eval',
  'exec',
  'open',
  'compile',
  '__import__',
  'breakpoint',
]);

const UNSAFE_MODULES = [
  'builtins.',
  'code.',
  'codeop.',
  'ctypes.',
  'fcntl.',
  'importlib.',
  'marshal.',
  'mmap.',
  'multiprocessing.',
  'nt.',
  'os.',
  'pathlib.',
  'pdb.',
  'pickle.',
  'platform.',
  'posix.',
  'pty.',
  'runpy.',
  'shutil.',
  'signal.',
  'socket.',
  'subprocess.',
  'sys.',
  'tty.',
];

function isUnsafe(implementation: string): boolean {
  return (
    UNSAFE_NAMES.has(implementation) ||
    UNSAFE_MODULES.some((module) => implementation.startsWith(module))
  );
}

const WRAP = 'Wrap what you need in a function of your own and name that.';

function checkImplementations(spec: Spec, findings: Diagnostic[]): void {
  for (const [name, tool] of Object.entries(spec.tools)) {
    if (tool.implementation === null || !isUnsafe(tool.implementation)) continue;
    const message = `The tool "${name}" would give direct access to the system: ${tool.implementation}.`;
    findings.push(fault('E_UNSAFE_TOOL_IMPORT', `tools.${name}.implementation`, message, WRAP));
  }
  for (const [name, part] of Object.entries(spec.components.functions)) {
    if (!isUnsafe(part.implementation)) continue;
    const message = `The function "${name}" would give direct access to the system: ${part.implementation}.`;
    const path = `components.functions.${name}.implementation`;
    findings.push(fault('E_UNSAFE_FUNCTION_IMPORT', path, message, WRAP));
  }
}

function checkPermissions(tools: ToolSelection, path: string, findings: Diagnostic[]): void {
  const { permissions } = tools;
  const warn = (code: string, field: string, message: string, advice: string): void => {
    findings.push(warning(code, `${path}.tools.permissions${field}`, message, advice));
  };
  if (permissions === null) {
    const message = 'Tools are selected, but nothing says what they may touch.';
    warn('W_TOOL_POLICY_UNRESTRICTED', '', message, 'Add permissions.');
    return;
  }
  if (permissions.allow_network === true && permissions.allowed_domains.length === 0) {
    const message = 'Tools may call any host of the network.';
    warn('W_TOOL_NETWORK_UNRESTRICTED', '.allowed_domains', message, 'List the hosts they need.');
  }
  if (permissions.allow_shell === true) {
    const message = 'Tools may start processes.';
    warn(
      'W_TOOL_SHELL_ALLOWED',
      '.allow_shell',
      message,
      'Switch it off, or let a person approve.',
    );
  }
  if (permissions.allow_filesystem_write === true) {
    const message = 'Tools may write files.';
    const advice = 'Switch it off, or let a person approve.';
    warn('W_TOOL_FILESYSTEM_WRITE_ALLOWED', '.allow_filesystem_write', message, advice);
  }
  if (permissions.allow_filesystem_read === true) {
    const message = 'Tools may read files.';
    const advice = 'Switch it off, or let a person approve.';
    warn('W_TOOL_FILESYSTEM_READ_ALLOWED', '.allow_filesystem_read', message, advice);
  }
}

function hasHumanStep(spec: Spec): boolean {
  return workflowsOf(spec).some(({ item }) =>
    plainSteps(item).some((step) => step.enabled && step.kind === 'human'),
  );
}

/** Family 7: unsafe implementations, tool permissions, and a person to approve what they allow. */
export function checkGovernance(spec: Spec, findings: Diagnostic[]): void {
  const before = findings.length;
  checkImplementations(spec, findings);
  for (const { item, path } of agentsOf(spec)) {
    if (item.tools !== null) checkPermissions(item.tools, path, findings);
  }
  if (findings.length === before || hasHumanStep(spec)) return;
  const message = 'The tools of this spec are risky, and no workflow asks a person.';
  const advice = 'Add an enabled human step before the risky work, or restrict the tools.';
  findings.push(warning('W_HUMAN_APPROVAL_MISSING', 'workflow', message, advice));
}
