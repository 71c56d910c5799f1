// npm run deploy:rules
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatted } from '../lint/formatted.mjs';
import { repositoryRoot } from '../setup/repository.mjs';
import { prometheusRule, prometheusRuleFile } from './prometheus-rule.mjs';

const path = join(repositoryRoot, prometheusRuleFile);
writeFileSync(path, await formatted(path, prometheusRule(repositoryRoot)));
