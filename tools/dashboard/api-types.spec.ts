import { readFileSync } from 'node:fs';
import { repositoryRoot } from '../setup/repository.mjs';
import { apiTypes } from './api-types.mjs';

describe('the types that the dashboard has of the API', () => {
  it('are those of the gateway’s OpenAPI documents', async () => {
    const files = await apiTypes(repositoryRoot);
    expect(files.size).toBe(2);
    for (const [path, text] of files) expect(readFileSync(path, 'utf8')).toBe(text);
  });
});
