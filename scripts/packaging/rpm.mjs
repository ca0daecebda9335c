import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compressionAsked, packageVersion } from './stage.mjs';

/** Folders that are the system's, not the package's. */
const SHARED =
  /^\/(?:opt|usr(?:\/(?:bin|share(?:\/(?:applications|licenses|mime(?:\/packages)?|icons(?:\/.+)?))?))?)$/;

const ARCHITECTURES = { amd64: 'x86_64', arm64: 'aarch64' };
const PAYLOADS = { gz: 'w1.gzdio', xz: 'w6T2.xzdio' };

/** Nothing is stripped, searched for dependencies or given the name of this machine. */
const MACROS = {
  __os_install_post: '%{nil}',
  __spec_install_pre: '%{nil}',
  _build_id_links: 'none',
  _buildhost: 'specwright',
  clamp_mtime_to_source_date_epoch: '1',
  debug_package: '%{nil}',
  use_source_date_epoch_as_buildtime: '1',
};

function* filesOf(root, folder = '/') {
  for (const name of readdirSync(path.join(root, folder)).sort()) {
    const file = path.posix.join(folder, name);
    const isFolder = lstatSync(path.join(root, file)).isDirectory();
    if (isFolder && !SHARED.test(file)) yield `%dir "${file}"`;
    if (isFolder) yield* filesOf(root, file);
    else yield `"${file}"`;
  }
}

function script(name, file) {
  return file ? ['', `%${name}`, readFileSync(file, 'utf8').replaceAll('%', '%%')] : [];
}

function specFile({ depends, single }, target) {
  const description = (single.description ?? single.name).trim();
  return [
    `Name: ${single.name}`,
    // A tilde sorts before the release, as in a .deb; a dash is not allowed.
    `Version: ${packageVersion(single).replaceAll('-', '~')}`,
    'Release: 1',
    `Summary: ${single['rpm-summary'] ?? description.split('\n')[0]}`,
    `License: ${single.license ?? 'MIT'}`,
    `URL: ${single.url ?? ''}`,
    `Vendor: ${single.vendor ?? single.maintainer}`,
    `Packager: ${single.maintainer}`,
    'AutoReqProv: no',
    ...depends.map((one) => `Requires: ${one}`),
    '',
    '%description',
    description,
    '',
    '%files',
    '%defattr(-,root,root,-)',
    ...filesOf(target),
    ...script('post', single['after-install']),
    ...script('postun', single['after-remove']),
    '',
  ].join('\n');
}

/** Writes the .rpm of what lies below `target`. */
export function writeRpm(options, target, scratch) {
  const { single } = options;
  const spec = path.join(scratch, `${single.name}.spec`);
  writeFileSync(spec, specFile(options, target));
  const macros = {
    ...MACROS,
    _binary_payload: PAYLOADS[compressionAsked()] ?? PAYLOADS.xz,
    _topdir: path.join(scratch, 'rpm'),
    _rpmdir: scratch,
    _rpmfilename: 'built.rpm',
  };
  execFileSync(
    'rpmbuild',
    [
      ...['-bb', '--quiet', '--target', ARCHITECTURES[single.architecture], '--buildroot', target],
      ...Object.entries(macros).flatMap(([name, value]) => ['--define', `${name} ${value}`]),
      spec,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  renameSync(path.join(scratch, 'built.rpm'), single.package);
}
