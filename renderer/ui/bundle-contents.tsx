import { t } from '../../preload/texts/t.ts';
import './bundle-contents.css';
import type { BundleFile, BundleManifest, BundleNeeds } from '../../server/contract/bundle.ts';

const ROLES: Readonly<Record<BundleFile['role'], string>> = {
  spec: t('composed spec'),
  layer: t('part of the composition'),
  function: 'function',
  skill: 'skill',
  file: 'file',
};

type NamedNeed = Exclude<keyof BundleNeeds, 'credentials'>;

const NEEDS: readonly (readonly [NamedNeed, string])[] = [
  ['secrets', t('Secrets')],
  ['providers', t('Model providers')],
  ['steps', t('Steps of the platform')],
  ['functions', t('Functions')],
  ['packages', t('Packages')],
  ['programs', t('Programs')],
  ['files', t('Files')],
];

const HINTS: Readonly<Partial<Record<NamedNeed, string>>> = {
  secrets: t('to be stored there'),
  providers: t('each with its key, else they answer offline'),
  functions: t('run there once the bundle is trusted'),
  packages: t('to be installed there'),
  programs: t('to be installed there'),
  files: t('stay here; to be put there'),
};

function sizeText(bytes: number): string {
  return bytes < 1024 ? `${bytes} B` : t('{value} KiB', { value: (bytes / 1024).toFixed(1) });
}

function credentialText({ name, secret }: BundleNeeds['credentials'][number]): string {
  return name === '' ? secret : `${name} (${secret})`;
}

/** What is in a bundle, and what the machine that runs it must have; names only. */
export function BundleContents(props: { readonly manifest: BundleManifest }) {
  const { files, needs } = props.manifest;
  const named = NEEDS.filter(([part]) => needs[part].length > 0);
  const isFree = named.length === 0 && needs.credentials.length === 0;
  return (
    <div className="sw-bundle" data-testid="bundle-contents">
      <section>
        <h3 className="sw-section-title">{t('What is inside')}</h3>
        <ul className="sw-bundle-files">
          {files.map(({ path, bytes, role }) => (
            <li key={path}>
              <code title={path}>{path}</code>
              <span className="sw-faint">{ROLES[role]}</span>
              <span className="sw-faint">{sizeText(bytes)}</span>
            </li>
          ))}
        </ul>
      </section>
      <section data-testid="bundle-needs">
        <h3 className="sw-section-title">{t('What must be there')}</h3>
        {isFree ? (
          <p className="sw-faint">{t('Nothing but Specwright.')}</p>
        ) : (
          <dl className="sw-facts">
            {named.map(([part, title]) => (
              <Need key={part} title={title} hint={HINTS[part]} names={needs[part]} />
            ))}
            {needs.credentials.length > 0 && (
              <Need
                title={t('Credentials')}
                hint={t('to be bound there')}
                names={needs.credentials.map(credentialText)}
              />
            )}
          </dl>
        )}
      </section>
    </div>
  );
}

function Need(props: {
  readonly title: string;
  readonly hint: string | undefined;
  readonly names: readonly string[];
}) {
  return (
    <>
      <dt>{props.title}</dt>
      <dd>
        {props.names.join(', ')}
        {props.hint !== undefined && <span className="sw-faint"> · {props.hint}</span>}
      </dd>
    </>
  );
}
