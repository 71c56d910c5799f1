// A part of `npm run build`: bundles the compiled services.
import { repositoryRoot } from '../setup/repository.mjs';
import { bundleServices } from './service-bundles.mjs';

await bundleServices(repositoryRoot);
