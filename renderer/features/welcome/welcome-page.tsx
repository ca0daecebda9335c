import { t } from '../../../preload/texts/t.ts';
import './welcome.css';
import { Button } from '@mantine/core';
import {
  IconFileImport,
  IconFilePlus,
  IconFolder,
  IconFolderOpen,
  IconFolderPlus,
  IconSchema,
} from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Project } from '../../../server/contract/studio/session.ts';
import { runCommand } from '../../app/commands.ts';
import { hrefOf, navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { recentProjects } from '../../app/recent.ts';
import { addDraft } from '../../data/actions.ts';
import { useMe } from '../../data/studio.ts';
import { notifyError } from '../../ui/notify.tsx';
import { Unread } from '../../ui/unread.tsx';
import { trackWork } from '../../workbench/work-store.ts';
import { EXAMPLES, type Example } from './examples.ts';
import { ReturnBoard } from './return-board.tsx';

/** Where work starts: import, examples, projects. */
export function WelcomePage() {
  const me = useMe();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = 'Welcome · Specwright';
    heading.current?.focus({ preventScroll: true });
  }, []);
  const target = me.data === undefined ? undefined : targetProject(me.data.projects);
  return (
    <section className="sw-welcome" data-testid="welcome">
      <div className="sw-welcome-inner">
        <h1 tabIndex={-1} ref={heading}>
          {t('Turn a workflow into a spec you can govern')}
        </h1>
        <p className="sw-welcome-lead">
          {t(
            'Import what you built elsewhere, close its gaps, and run the result on this computer.',
          )}
        </p>
        <p className="sw-faint" data-testid="welcome-network">
          {t(
            'By itself Specwright opens no connection beyond this computer. Out go only the calls of your runs (a provider with your key, a request of a step), a connection that you add, and the look for updates, once you switch it on.',
          )}
        </p>
        <div className="sw-drop">
          <IconFileImport size={34} stroke={1.25} aria-hidden />
          <div className="sw-drop-text">
            <strong>{t('Import a workflow')}</strong>
            <span className="sw-faint">
              {t(
                'An n8n export (.json) or a Dify app (.yml), as an experiment also a Flowise flow or a CrewAI project, or many at once: drop files, a folder or a zip archive anywhere on this window.',
              )}
            </span>
            <Button
              size="compact-xs"
              variant="subtle"
              onClick={() => runCommand('file.import-options')}
              disabled={target === undefined}
              data-testid="import-options-open"
            >
              {t('What can be imported, and how…')}
            </Button>
          </div>
          <Button
            onClick={() => runCommand('file.import')}
            disabled={target === undefined}
            data-testid="import-workflow"
          >
            {t('Import a workflow')}
          </Button>
        </div>
        {me.isSuccess && <ReturnBoard projects={me.data.projects} />}
        <div className="sw-welcome-columns">
          <div>
            <h2 className="sw-section-title">{t('Start from an example')}</h2>
            <Choice
              icon={<IconFileImport size={20} stroke={1.5} aria-hidden />}
              title={t('Sample n8n export')}
              about={t('Refund desk: see an import and its gaps without an export of your own')}
              testId="sample-import"
              disabled={target === undefined}
              onChoose={() => runCommand('file.import-sample')}
            />
            {EXAMPLES.map((example) => (
              <Choice
                key={example.name}
                icon={<IconSchema size={20} stroke={1.5} aria-hidden />}
                title={example.title}
                about={example.about}
                testId={`example-${example.name}`}
                disabled={target === undefined}
                onChoose={() => {
                  if (target !== undefined) {
                    void openExample(target, example);
                  }
                }}
              />
            ))}
            <Choice
              icon={<IconFilePlus size={20} stroke={1.5} aria-hidden />}
              title={t('Blank spec')}
              about={t('One agent and nothing else')}
              testId="new-draft"
              disabled={target === undefined}
              onChoose={() => runCommand('file.new-draft')}
            />
          </div>
          <div>
            <h2 className="sw-section-title">{t('Projects')}</h2>
            <Unread query={me} rows={3} compact />
            {me.isSuccess && (
              <ProjectList projects={me.data.projects} invitesBy={INVITED_BY[me.data.auth_mode]} />
            )}
          </div>
        </div>
      </div>
    </section>
  );
}

/** The project that an import from here goes to: the one used last, else the first. */
export function targetProject(projects: readonly Project[]): Project | undefined {
  const recent = recentProjects().find((entry) =>
    projects.some(({ id }) => id === entry.projectId),
  );
  return projects.find(({ id }) => id === recent?.projectId) ?? projects[0];
}

async function openExample(project: Project, example: Example): Promise<void> {
  try {
    const draft = await trackWork(
      t('Creating {title}', { title: example.title }),
      addDraft(project.id, example.name, example.text),
    );
    navigateTo(paths.draft(project.id, draft.ref));
  } catch (error) {
    notifyError(t('The example was not opened'), error);
  }
}

const INVITED_BY = {
  none: undefined,
  static: t('the name that you sign in with'),
  oidc: t('your e-mail address'),
} as const;

function ProjectList(props: {
  readonly projects: readonly Project[];
  /** How people are named in invitations; undefined where nobody signs in. */
  readonly invitesBy: string | undefined;
}) {
  const order = recentProjects().map(({ projectId }) => projectId);
  const rank = (id: string): number => (order.includes(id) ? order.indexOf(id) : order.length);
  const projects = props.projects.toSorted((a, b) => rank(a.id) - rank(b.id));
  return (
    <>
      {props.invitesBy !== undefined && projects.length === 0 && (
        <p className="sw-faint" data-testid="no-project">
          {t(
            'No project is yours yet. Make one, or ask an owner to invite you by {invitesBy}. An invitation is held back while the owner has not confirmed what the project shows; they see why beside it. Sign in once more after you were invited.',
            { invitesBy: props.invitesBy },
          )}
        </p>
      )}
      {projects.map((project) => (
        <a
          key={project.id}
          className="sw-bare sw-choice"
          href={hrefOf(paths.project(project.id))}
          data-testid={`project-${project.id}`}
        >
          <IconFolder size={20} stroke={1.5} aria-hidden />
          <span>
            <strong>{project.name}</strong>
            <span className="sw-faint">
              {project.storage_kind === 'attached' ? t('Your folder') : t('Managed folder')}
              {project.binding_state === 'unbound' ? t(', not bound to a platform') : ''}
            </span>
          </span>
        </a>
      ))}
      <Choice
        icon={<IconFolderOpen size={20} stroke={1.5} aria-hidden />}
        title={t('Open a folder')}
        about={t('One of yours, with the specs in it')}
        testId="welcome-open-folder"
        onChoose={() => runCommand('file.open-folder')}
      />
      <Choice
        icon={<IconFolderPlus size={20} stroke={1.5} aria-hidden />}
        title={t('New project')}
        about={t('An empty tree of its own')}
        testId="welcome-new-project"
        onChoose={() => runCommand('file.new-project')}
      />
    </>
  );
}

function Choice(props: {
  readonly icon: ReactNode;
  readonly title: string;
  readonly about: string;
  readonly testId: string;
  /** Without a project there is nowhere to put it. */
  readonly disabled?: boolean;
  readonly onChoose: () => void;
}) {
  return (
    <button
      type="button"
      disabled={props.disabled}
      className="sw-bare sw-choice"
      onClick={props.onChoose}
      data-testid={props.testId}
    >
      {props.icon}
      <span>
        <strong>{props.title}</strong>
        <span className="sw-faint">{props.about}</span>
      </span>
    </button>
  );
}
