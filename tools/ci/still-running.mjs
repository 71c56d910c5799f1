// node still-running.mjs PID SECONDS: waits, then prints a process with all its descendants. A phase of .ci/run thus says what held it up.
import { readdirSync } from 'node:fs';
import { commandLine, parentage } from '../embedded/process-table.mjs';

const mostCharacters = 200;

/** @param {number} pid @param {string} indent @returns {string[]} */
function tree(pid, indent) {
  const words = commandLine(pid).join(' ') || parentage(pid)?.name || 'has ended';
  const children = readdirSync('/proc').filter(name => parentage(Number(name))?.parent === pid);
  return [
    `${indent}${pid} ${words.slice(0, mostCharacters)}`,
    ...children.flatMap(child => tree(Number(child), `${indent}  `)),
  ];
}

const [pid = 0, seconds = 0] = process.argv.slice(2).map(Number);
setTimeout(() => {
  const lines = tree(pid, '  ');
  console.log(
    `\n${new Date().toISOString()} The phase is about to be stopped. These processes run:\n${lines.join('\n')}\n`,
  );
}, seconds * 1000);
