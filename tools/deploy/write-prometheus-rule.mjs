// npm run deploy:rules
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { repositoryRoot } from '../setup/repository.mjs';
import { prometheusRule, prometheusRuleFile } from './prometheus-rule.mjs';

const path = join(repositoryRoot, prometheusRuleFile);
const options = await resolveConfig(path);
writeFileSync(path, await format(prometheusRule(repositoryRoot), { ...options, filepath: path }));
