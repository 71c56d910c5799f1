import type { AdminClient } from './admin-client.js';
import { adminProgram } from './admin-program.js';

const program = () =>
  adminProgram({
    client: () => {
      throw new Error('a client was made');
    },
    print: () => undefined,
  });

describe('rtms-admin', () => {
  it('shows its commands without asking for a token', () => {
    const help = program().helpInformation();
    for (const command of ['accounts', 'keys', 'dashboard-users', 'features', 'nodes', 'secrets', 'rotate-signing-key'])
      expect(help).toContain(command);
  });

  it('asks for a token only when it sends a request', async () => {
    await expect(program().parseAsync(['node', 'rtms-admin', 'nodes', 'list'])).rejects.toThrow('a client was made');
  });

  it('rotates secrets until all are done', async () => {
    const answers = [
      { reencrypted: 4, unreadable: 0, done: false },
      { reencrypted: 3, unreadable: 1, done: true },
    ];
    const asked: string[] = [];
    const post = async (path: string) => {
      asked.push(path);
      return { success: true, rotation: answers[asked.length - 1] };
    };
    const printed: object[] = [];
    const client = () => ({ post }) as unknown as AdminClient;
    const rotating = adminProgram({ client, print: answer => printed.push(answer) });
    await rotating.parseAsync(['node', 'rtms-admin', 'secrets', 'rotate']);
    expect(asked).toEqual(['/secrets/rotate', '/secrets/rotate']);
    expect(printed).toEqual([{ success: true, rotation: { reencrypted: 7, unreadable: 1, done: true } }]);
  });
});
