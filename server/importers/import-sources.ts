/** A format that can be imported, as the picker shows it (importers 1). */
export interface ImportSource {
  id: string;
  label: string;
  status: 'supported' | 'experimental' | 'planned';
  /** Advice for a file picker; file names are never looked at. */
  accepts: string[];
}

/** Every known source, in the order in which they are listed. */
export const IMPORT_SOURCES: readonly ImportSource[] = [
  { id: 'n8n', label: 'n8n', status: 'supported', accepts: ['.json'] },
  { id: 'dify', label: 'Dify', status: 'supported', accepts: ['.yml', '.yaml'] },
  { id: 'crewai', label: 'CrewAI', status: 'experimental', accepts: ['.yml', '.yaml'] },
  { id: 'flowise', label: 'Flowise', status: 'experimental', accepts: ['.json'] },
];
