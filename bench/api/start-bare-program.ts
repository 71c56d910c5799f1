import { fork } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import type { BareProgramTask } from './bare-program.js';
import type { RunningGateway } from './gateway-process.js';
import { ask, type Answer, type MeasuredRequests, type RequestName } from './measured-requests.js';

/** Node and Express send these by themselves. */
const ownHeaders = ['connection', 'content-length', 'content-type', 'date', 'etag', 'keep-alive'];

export interface BareProgram {
  url: string;
  pid: number;
  close(): void;
}

/** The bare program on the gateway's database; the gateway's answers give it all but the rows. */
export async function startBareProgram(gateway: RunningGateway, requests: MeasuredRequests): Promise<BareProgram> {
  const task = await describeTask(gateway, requests);
  const child = fork(new URL('./bare-program.ts', import.meta.url), {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  child.send(task);
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return { url, pid: child.pid!, close: () => child.connected && child.disconnect() };
}

async function describeTask(gateway: RunningGateway, requests: MeasuredRequests): Promise<BareProgramTask> {
  const { url, databaseUrl } = gateway;
  const answers = {} as Record<RequestName, Answer>;
  for (const name of Object.keys(requests) as RequestName[]) answers[name] = await ask(url, requests[name]);
  const { join } = JSON.parse(answers.createRoom.body) as { join: { token: string; url: string } };
  return {
    databaseUrl,
    keyHash: await readKeyHash(databaseUrl),
    headers: {
      readSettings: headersOf(answers.readSettings),
      createRoom: headersOf(answers.createRoom),
      createSession: headersOf(answers.createSession),
      readSession: headersOf(answers.readSession),
    },
    joinToken: join.token,
    socketUrl: join.url,
    createdSession: JSON.parse(answers.createSession.body) as BareProgramTask['createdSession'],
    busUser: gateway.busUser('gateway'),
  };
}

function headersOf({ headers }: Answer): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.includes(name)));
}

async function readKeyHash(databaseUrl: string): Promise<string> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    const { rows } = await database.query<{ hash: Buffer }>('SELECT hash FROM api_keys');
    return rows[0]!.hash.toString('hex');
  } finally {
    await database.end();
  }
}
