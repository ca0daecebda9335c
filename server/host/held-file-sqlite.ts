import Database from 'better-sqlite3';

/** A file that this process holds for itself, until it is released or the process ends. */
export interface HeldFile {
  release(): void;
}

/**
 * Holds a file through SQLite, whose lock is one of the operating system; undefined while another
 * process holds it for longer than `waitMs`.
 */
export function holdFile(file: string, waitMs: number): HeldFile | undefined {
  const database = new Database(file, { timeout: waitMs });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return { release: () => void database.close() };
  } catch (error) {
    database.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      return undefined;
    }
    throw error;
  }
}
