import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPermissions } from './permissions-page.mjs';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const permissions = readPermissions(read('deploy/nats/authorization.conf'));

/** Subjects of the rows of one user's table, with what they are for. */
function documented(user: string): string[] {
  const section =
    read('docs/bus-permissions.md')
      .split(`### ${user}\n`)[1]
      ?.split(/\n##|<!--/)[0] ?? '';
  const rows = section.split('\n').filter(line => /^\| (publish|subscribe) /.test(line));
  return rows.flatMap(row => {
    const [, may = '', reason = '', subjects = ''] = row.split('|').map(cell => cell.trim());
    return [...subjects.matchAll(/`([^`]+)`/g)].map(([, subject]) => `${may} ${reason} ${subject}`);
  });
}

describe('the page about the permissions on the bus', () => {
  it.each(['gateway', 'sfu', 'transcoder'])('has every line of %s, and no other', user => {
    const configured = permissions.filter(each => each.user === user);
    expect(configured.length).toBeGreaterThan(10);
    const lines = configured.map(({ direction, reason, subject }) => `${direction} ${reason} ${subject}`);
    expect(documented(user).sort()).toEqual(lines.sort());
  });

  it('knows no other user', () => {
    expect([...new Set(permissions.map(({ user }) => user))]).toEqual(['gateway', 'sfu', 'transcoder']);
  });
});
