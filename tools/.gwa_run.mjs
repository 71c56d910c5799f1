import { startPostgresServer } from '../libs/testing/src/postgres-server.mjs';
import { writeFileSync } from 'node:fs';
const s = await startPostgresServer();
writeFileSync('/tmp/gwa_pg_url', s.url);
process.on('SIGUSR2', () => {
  console.log('restart');
  s.restart().then(() => console.log('restarted'));
});
process.on('SIGTERM', async () => {
  await s.stop();
  process.exit(0);
});
setInterval(() => {}, 1000);
