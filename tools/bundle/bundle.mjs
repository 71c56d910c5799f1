// A part of `npm run build`: bundles the services whose compiled files have changed.
import { repositoryRoot } from '../setup/repository.mjs';
import { bundleServices } from './service-bundles.mjs';

await bundleServices(repositoryRoot);
