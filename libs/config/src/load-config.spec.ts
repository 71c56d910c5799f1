import { ConfigurationError, loadConfig, z } from './index.js';

const schema = z
  .object({ PORT: z.coerce.number().int().min(1).max(65_535).default(4000), SECRET: z.string().min(8) })
  .transform(env => ({ port: env.PORT, secret: env.SECRET }));

function mistakesOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(schema, env);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.mistakes;
  }
  return [];
}

describe('loadConfig', () => {
  it('answers a typed object with defaults filled in', () => {
    expect(loadConfig(schema, { SECRET: 'long enough' })).toEqual({ port: 4000, secret: 'long enough' });
  });

  it('takes an empty variable for one that is not set', () => {
    expect(loadConfig(schema, { PORT: '', SECRET: 'long enough' }).port).toBe(4000);
  });

  it('names every mistake at once', () => {
    const mistakes = mistakesOf({ PORT: 'abc' });
    expect(mistakes).toHaveLength(2);
    expect(mistakes).toContain('SECRET is not set');
    expect(mistakes.some(mistake => mistake.startsWith('PORT: '))).toBe(true);
  });

  it('never repeats a value', () => {
    expect(mistakesOf({ SECRET: 'hunter2' }).join()).not.toContain('hunter2');
  });
});
