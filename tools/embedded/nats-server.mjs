import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { problemInNatsLog } from './log-lines.mjs';

/**
 * @param {{ program: string, root: string, home: string, port: number, passwords: import('./secrets.mjs').BusPasswords }} options
 * @returns {{ url: string, description: import('./supervised-process.mjs').ProcessDescription }}
 */
export function describeNats({ program, root, home, port, passwords }) {
  const store = join(home, 'nats');
  mkdirSync(store, { recursive: true, mode: 0o700 });
  const authorization = join(root, 'deploy', 'nats', 'authorization.conf');
  return {
    url: `nats://127.0.0.1:${port}`,
    description: {
      name: 'NATS',
      command: [program, '-c', authorization, '-a', '127.0.0.1', '-p', String(port), '-js', '-sd', store],
      env: {
        PATH: process.env.PATH,
        HOME: store,
        NATS_GATEWAY_PASSWORD: passwords.gateway,
        NATS_SFU_PASSWORD: passwords.sfu,
        NATS_TRANSCODER_PASSWORD: passwords.transcoder,
        NATS_INGEST_PASSWORD: passwords.ingest,
      },
      cwd: home,
      logPath: join(home, 'logs', 'nats.log'),
      stopSignal: 'SIGTERM',
      isReady: () => greets(port),
      worthShowing: problemInNatsLog,
    },
  };
}

/** A NATS server speaks first: its INFO line says that it takes clients. @param {number} port @returns {Promise<boolean>} */
function greets(port) {
  return new Promise(resolve => {
    const socket = connect({ host: '127.0.0.1', port });
    const finish = (/** @type {boolean} */ ready) => {
      socket.destroy();
      resolve(ready);
    };
    socket.setTimeout(1_000, () => finish(false));
    socket.once('error', () => finish(false));
    socket.once('data', data => finish(data.toString().startsWith('INFO ')));
  });
}
