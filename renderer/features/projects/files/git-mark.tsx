import { IconGitBranch } from '@tabler/icons-react';
import { t } from '../../../../preload/texts/t.ts';
import type { GitMark, GitView } from '../../../../server/contract/studio/git.ts';
import { useGit } from '../../../data/project-git.ts';

/** The letter that stands for a mark, as editors write it, and what it says. */
const MARKS: Readonly<Record<GitMark, { readonly letter: string; readonly says: string }>> = {
  modified: { letter: 'M', says: t('Git: changed since the last commit') },
  added: { letter: 'A', says: t('Git: new, in the next commit') },
  untracked: { letter: 'U', says: t('Git: untracked') },
  ignored: { letter: 'I', says: t('Git: ignored') },
  conflicted: { letter: 'C', says: t('Git: in conflict') },
};

/** What a mark is called where it is read out. */
export function gitMarkText(mark: GitMark): string {
  return t('git {mark}', { mark });
}

/** The mark that git gives a file, in its own colour. */
export function GitMarkBadge(props: { readonly mark: GitMark }) {
  const { letter, says } = MARKS[props.mark];
  return (
    <span
      className="sw-git-mark"
      data-mark={props.mark}
      title={says}
      role="img"
      aria-label={gitMarkText(props.mark)}
      data-letter={letter}
    />
  );
}

const PROBLEMS: Readonly<Partial<Record<GitView['state'], string>>> = {
  no_program: t('Git is not installed here, so files have no marks.'),
  not_trusted: t(
    'Git does not trust this folder, which belongs to somebody else, so files have no marks. “git status” there says how to trust it.',
  ),
  unreadable: t('Git cannot read the repository of this folder, so files have no marks.'),
};

/** The branch that is checked out, or why git says nothing; nothing where there is no repository. */
export function GitPlace(props: { readonly projectId: string }) {
  const git = useGit(props.projectId);
  if (git === undefined || git.state === 'no_repository') return null;
  const where = git.branch ?? (git.head === null ? t('No commit yet') : git.head.slice(0, 8));
  return (
    <p className="sw-git-place" data-testid="git-place">
      <IconGitBranch size={13} aria-hidden />
      <span>{PROBLEMS[git.state] ?? where}</span>
    </p>
  );
}
