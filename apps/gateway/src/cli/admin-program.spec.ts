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
    for (const command of ['accounts', 'keys', 'features', 'nodes', 'rotate-signing-key'])
      expect(help).toContain(command);
  });

  it('asks for a token only when it calls', async () => {
    await expect(program().parseAsync(['node', 'rtms-admin', 'nodes', 'list'])).rejects.toThrow('a client was made');
  });
});
