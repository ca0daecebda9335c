import { findCrews, joinCrew } from '../../../server/gaps/report/crew-files.ts';
import type { OpenedFile } from '../../desktop/bridge.ts';

/** Opened files with the two of a CrewAI project as one; a file that was not read stays alone. */
export function withCrews(files: readonly OpenedFile[]): readonly OpenedFile[] {
  const byName = new Map(files.map((file) => [file.name, file]));
  const crews = findCrews(files.filter(({ text }) => text !== null).map(({ name }) => name));
  const joined = new Set([...crews.values()].map(({ tasks }) => tasks));
  return files.flatMap((file): OpenedFile[] => {
    const crew = crews.get(file.name);
    const tasks = crew && byName.get(crew.tasks);
    if (crew === undefined || tasks === undefined) return joined.has(file.name) ? [] : [file];
    const text = joinCrew(file.text ?? '', tasks.text ?? '');
    return [{ name: crew.path, size: file.size + tasks.size, text, problem: null }];
  });
}
