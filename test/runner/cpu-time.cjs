const { readdirSync, readFileSync } = require('node:fs');

/** Ticks a second in /proc, on every Linux machine. */
const ticksPerSecond = 100;

/** Processor time of this process and of its ended children. */
function ownCpuSeconds() {
  return statOf('self')?.cpuSeconds ?? 0;
}

/** Processor time of the programs that run below this process, with their ended children. */
function cpuSecondsBelow() {
  const running = readdirSync('/proc').filter(name => /^\d+$/.test(name));
  const all = running.flatMap(name => statOf(name) ?? []);
  /** @type {(parent: number) => number} */
  const below = parent =>
    all.filter(each => each.parent === parent).reduce((sum, { pid, cpuSeconds }) => sum + cpuSeconds + below(pid), 0);
  return below(process.pid);
}

/** Fields 4 and 14 to 17 of proc_pid_stat(5); none: the process has ended. @param {string} name of a folder in /proc */
function statOf(name) {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
    const fields = (stat.split(') ').at(-1) ?? '').split(' ').map(Number);
    const ticks = fields.slice(11, 15).reduce((sum, each) => sum + each, 0);
    return { pid: parseInt(stat), parent: fields[1], cpuSeconds: ticks / ticksPerSecond };
  } catch {
    return undefined;
  }
}

module.exports = { ownCpuSeconds, cpuSecondsBelow };
