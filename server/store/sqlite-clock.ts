/** Epoch seconds by the database's own clock, with a fraction; an SQL expression of SQLite. */
export const DATABASE_NOW = "unixepoch('subsec')";
