import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';

/** Event streams and slow readers have no end of their own. */
const patienceMs = 3_000;

/** Closes the application; requests that are under way have 3 s to finish. */
export async function closeApp(app: INestApplication): Promise<void> {
  const timer = setTimeout(() => (app.getHttpServer() as Server).closeAllConnections(), patienceMs);
  await app.close();
  clearTimeout(timer);
}
