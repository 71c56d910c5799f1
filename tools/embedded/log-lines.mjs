const shownLevels = new Set(['warn', 'error', 'fatal']);

/**
 * Text for the terminal from a service's output: warnings, errors, and lines that are no log lines.
 * @param {string} line
 * @returns {string | undefined}
 */
export function problemInServiceLog(line) {
  if (!line.startsWith('{')) return line.trim() || undefined;
  try {
    const record = /** @type {{ level?: string, msg?: string, err?: { message?: string } }} */ (JSON.parse(line));
    if (record.level === undefined || !shownLevels.has(record.level)) return undefined;
    const cause = record.err?.message;
    return cause && cause !== record.msg ? `${record.msg ?? ''}: ${cause}` : record.msg;
  } catch {
    return line;
  }
}

/** @param {string} line @returns {string | undefined} */
export function problemInPostgresLog(line) {
  // A starting or stopping server refuses clients, which try again.
  if (/the database system is (starting up|shutting down)|administrator command/.test(line)) return undefined;
  return /(?:FATAL|PANIC):\s+(.*)/.exec(line)?.[1];
}

/** @param {string} line @returns {string | undefined} */
export function problemInNatsLog(line) {
  return /\[(?:ERR|FTL)\]\s+(.*)/.exec(line)?.[1];
}
