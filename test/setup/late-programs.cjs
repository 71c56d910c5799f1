const childProcess = require('node:child_process');
const { syncBuiltinESMExports } = require('node:module');

// With `node --require`: programs begin 2.5 s after their start, as on a busy machine. So a test fails always, instead of seldom,
// that sends something to a program which does not listen yet.
const { spawn } = childProcess;

/** @type {(command: string, args?: readonly string[], options?: import('node:child_process').SpawnOptions) => unknown} */
const spawnLate = (command, args = [], options = {}) =>
  spawn('sh', ['-c', 'sleep 2.5; exec "$0" "$@"', command, ...args], options);

Object.assign(childProcess, { spawn: spawnLate });
syncBuiltinESMExports();
