import { identify, isAlive, parentage } from './process-table.mjs';

const pollMs = 500;

/**
 * Calls back when the parent npm has ended. A killed npm passes no signal on, and the services would keep running
 * unnoticed.
 * @param {NodeJS.ProcessEnv} env
 * @param {() => void} onGone
 * @returns {() => void} stops watching
 */
export function watchNpm(env, onGone) {
  if (env.npm_lifecycle_event === undefined) return () => undefined;
  const ancestors = npmAncestors();
  const timer = setInterval(() => {
    if (ancestors.every(isAlive)) return;
    clearInterval(timer);
    onGone();
  }, pollMs);
  return () => clearInterval(timer);
}

/** Our parent, and its parent if a shell is between npm and us. */
function npmAncestors() {
  const parent = parentage(process.ppid);
  const between = parent !== undefined && /^(sh|dash|bash|ash)$/.test(parent.name);
  return [process.ppid, ...(between ? [parent.parent] : [])].flatMap(pid => identify(pid) ?? []);
}
