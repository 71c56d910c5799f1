/**
 * An application that receives webhooks: `tsx receiver-process.ts <port> <file>`. It adds a line to the file before it answers, so that a
 * killed receiver has answered for nothing that it forgets.
 */
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/** A request, as the file keeps it. */
export interface Received {
  id: string;
  type: string;
  meetingID: string;
  /** Milliseconds from the change to the receipt. */
  delayMs: number;
  /** Milliseconds since 1970. */
  at: number;
}

interface Body {
  id: string;
  type: string;
  createdAt: string;
  data: { meetingID: string };
}

const [port = '0', file = ''] = process.argv.slice(2);

const server = createServer((request, response) => {
  const at = Date.now();
  void text(request).then(
    body => {
      const { id, type, createdAt, data } = JSON.parse(body) as Body;
      const received: Received = { id, type, meetingID: data.meetingID, delayMs: at - Date.parse(createdAt), at };
      appendFileSync(file, `${JSON.stringify(received)}\n`);
      response.end();
    },
    () => response.destroy(),
  );
});
server.listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));
