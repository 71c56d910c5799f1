import { identify, isAlive, parentage } from './process-table.mjs';

const pollMs = 500;

/**
 * Calls back when the npm that started us is gone. Killed outright, it cannot pass a signal on, and the services
 * would run on behind a prompt that says nothing of them.
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

/** Our parent, and its parent where a shell stands between npm and us. */
function npmAncestors() {
  const parent = parentage(process.ppid);
  const between = parent !== undefined && /^(sh|dash|bash|ash)$/.test(parent.name);
  return [process.ppid, ...(between ? [parent.parent] : [])].flatMap(pid => identify(pid) ?? []);
}
