import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

type SharedServer = 'POSTGRES' | 'CHROMIUM' | 'STACK' | 'INGEST';

/** Returns the address of a server that all test files share. The global set-up starts it on the first request. */
export async function sharedServer(name: SharedServer): Promise<string> {
  const variable = `RTMS_TEST_${name}_SOCKET`;
  const socketPath = process.env[variable];
  if (!socketPath) throw new Error(`${variable} is not set: run with the global set-up of jest.config.js`);
  const answer = await text(connect(socketPath));
  if (answer === '' || answer.startsWith('error: ')) throw new Error(`The shared ${name} did not start. ${answer}`);
  return answer;
}
