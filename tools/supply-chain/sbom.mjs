// npm run sbom [file]: writes the production packages as a CycloneDX document; default sbom/rtms.cdx.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { repositoryRoot } from '../setup/repository.mjs';
import { productionSbom } from './production-sbom.mjs';

const file = resolve(process.argv[2] ?? join(repositoryRoot, 'sbom', 'rtms.cdx.json'));
const document = productionSbom();
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
process.stdout.write(`${file}: ${document.components.length} packages\n`);
