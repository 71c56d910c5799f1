// npm run setup: everything that npm start and npm test would set up, and nothing else.
import { prepare } from './setup/prepare.mjs';
import { repositoryRoot } from './setup/repository.mjs';
import { reportFailure } from './setup/start-failure.mjs';

try {
  await prepare(repositoryRoot, process.env, { nats: true, tests: true });
} catch (error) {
  reportFailure(error);
  process.exitCode = 1;
}
