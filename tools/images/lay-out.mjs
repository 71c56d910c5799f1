// node tools/images/lay-out.mjs SERVICE DIRECTORY: writes the content of the service's image, without node_modules.
import { resolve } from 'node:path';
import { repositoryRoot } from '../setup/repository.mjs';
import { layOut } from './image-tree.mjs';

const [service = '', target = ''] = process.argv.slice(2);
if (target === '') throw new Error('usage: node tools/images/lay-out.mjs SERVICE DIRECTORY');
await layOut(repositoryRoot, service, resolve(target));
