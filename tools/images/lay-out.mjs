// node tools/images/lay-out.mjs SERVICE DIRECTORY: what a container image of the service holds, but for node_modules.
import { resolve } from 'node:path';
import { repositoryRoot } from '../setup/repository.mjs';
import { layOut } from './image-tree.mjs';

const [service = '', target = ''] = process.argv.slice(2);
if (target === '') throw new Error('usage: node tools/images/lay-out.mjs SERVICE DIRECTORY');
await layOut(repositoryRoot, service, resolve(target));
