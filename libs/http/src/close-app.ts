import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import type { Clock } from '@rtms/clock';

/** Event streams and slow readers have no end of their own. */
const patienceMs = 3_000;

/** Closes the application; requests that are under way have 3 s to finish. */
export async function closeApp(app: INestApplication, clock: Clock): Promise<void> {
  const timer = clock.after(patienceMs, () => (app.getHttpServer() as Server).closeAllConnections());
  await app.close();
  timer.cancel();
}
