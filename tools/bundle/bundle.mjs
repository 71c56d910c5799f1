// A part of `npm run build`: bundles the services whose compiled files have changed.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../setup/repository.mjs';
import { bundleServices } from './service-bundles.mjs';

// `npm start` builds again: these files may be of other sources than those that it has built.
rmSync(join(repositoryRoot, 'node_modules', '.rtms-built'), { force: true });
await bundleServices(repositoryRoot);
