import { openAsBlob } from 'node:fs';
import {
  type ArchiveProblem,
  MAX_MEMBERS,
  type MemberProblem,
  readArchive,
} from '../../archives/read-archive.ts';
import { decodeSource, type SourceFile, type SourceProblem } from './source-file.ts';

function refusal(message: string): SourceProblem {
  return { code: 'archive_refused', message };
}

const MEMBERS: Readonly<Record<MemberProblem, SourceProblem>> = {
  too_large: { code: 'source_too_large', message: 'The file is larger than 1 MiB.' },
  archive_too_large: refusal('The archive is too large; this file was not read.'),
  locked: refusal('The file is locked with a password.'),
  damaged: refusal('The file in the archive is damaged.'),
  archive: refusal('An archive inside of an archive is not opened.'),
};

const ARCHIVES: Readonly<Record<ArchiveProblem, SourceProblem>> = {
  unreadable: refusal('The file is no readable zip archive.'),
  too_many_members: refusal(`The archive holds more than ${MAX_MEMBERS} files.`),
  leads_out: refusal('The archive holds a name that leads out of it.'),
};

function asked(path: string, content: string | SourceProblem): SourceFile {
  return { path, read: () => content };
}

/** The exports in a zip archive, by name. */
export async function openArchive(file: string, shown: string): Promise<SourceFile[]> {
  const blob = await openAsBlob(file).catch(() => undefined);
  const found = blob === undefined ? 'unreadable' : await readArchive(blob);
  if (typeof found === 'string') return [asked(shown, ARCHIVES[found])];
  return found.map(({ name, content }) =>
    asked(
      `${shown}/${name}`,
      typeof content === 'string' ? MEMBERS[content] : decodeSource(content),
    ),
  );
}
