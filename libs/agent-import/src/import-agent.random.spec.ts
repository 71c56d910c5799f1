import { agentBounds } from '@rtms/contracts';
import fc from 'fast-check';
import { describeFinding } from './findings/finding-texts.js';
import { importAgent } from './import-agent.js';
import type { AgentFields, ImportResult } from './findings/imported-agent.js';
import { almostDefinition, altered, pathsOf } from './testing/arbitrary-definitions.js';
import { importedA } from './testing/definitions.js';

const countOf = (text: string | null) => [...(text ?? '')].length;

function expectWithinBounds(agent: AgentFields): void {
  const { name, role, instructions, firstMessage, responseGuidelines, todo, temperature, sessionMinutes } = agentBounds;
  expect(agent.name).toMatch(/\S/);
  expect(countOf(agent.name)).toBeLessThanOrEqual(name);
  expect(countOf(agent.role)).toBeLessThanOrEqual(role);
  expect(countOf(agent.instructions)).toBeLessThanOrEqual(instructions);
  expect(countOf(agent.firstMessage)).toBeLessThanOrEqual(firstMessage);
  expect(countOf(agent.responseGuidelines)).toBeLessThanOrEqual(responseGuidelines);
  expect(agent.todo.length).toBeLessThanOrEqual(todo.items);
  for (const text of agent.todo) expect(countOf(text)).toBeLessThanOrEqual(todo.characters);
  expect(agent.temperature).toBeGreaterThanOrEqual(temperature.min);
  expect(agent.temperature).toBeLessThanOrEqual(temperature.max);
  expect(Number.isInteger(agent.maxSessionMinutes)).toBe(true);
  expect(agent.maxSessionMinutes).toBeGreaterThanOrEqual(sessionMinutes.min);
  expect(agent.maxSessionMinutes).toBeLessThanOrEqual(sessionMinutes.max);
  expect(agent.webhookUrl ?? 'https://none.example').toMatch(/^https:\/\//i);
}

/** Asserts an agent within the bounds (returns true), or a refusal with a reason (returns false). */
function expectAnswer(text: string): boolean {
  const result = importAgent(text);
  if (result.ok) expectWithinBounds(result.agent);
  else expect(describeFinding(result)).toMatch(/\.$/);
  return result.ok;
}

describe('importing', () => {
  it('accepts or refuses any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), text => void expectAnswer(text)));
  });

  it('accepts or refuses any JSON', () => {
    fc.assert(fc.property(fc.json(), text => void expectAnswer(text)));
  });

  /** Counts over all runs, to prove that the property reached its cases. */
  const newReach = () => ({ imported: 0, refused: 0, fields: 0 });

  function noteReach(reached: ReturnType<typeof newReach>, definition: unknown, isImported: boolean): void {
    reached[isImported ? 'imported' : 'refused'] += 1;
    reached.fields = Math.max(reached.fields, pathsOf(definition).length);
  }

  it('accepts or refuses any value of a known field', () => {
    const reached = newReach();
    fc.assert(
      fc.property(almostDefinition, definition =>
        noteReach(reached, definition, expectAnswer(JSON.stringify(definition))),
      ),
      { numRuns: 500 },
    );
    expect(reached.fields).toBeGreaterThan(50);
    expect(reached.imported).toBeGreaterThan(5);
    expect(reached.refused).toBeGreaterThan(50);
  });

  it('accepts or refuses a definition with any value in any place', () => {
    const reached = newReach();
    fc.assert(
      fc.property(altered(almostDefinition), definition =>
        noteReach(reached, definition, expectAnswer(JSON.stringify(definition))),
      ),
      { numRuns: 500 },
    );
    expect(reached.fields).toBeGreaterThan(50);
    expect(reached.imported).toBeGreaterThan(200);
  });

  it.each([
    ['objects', '{"assistant":', '}'],
    ['lists', '[', ']'],
    ['fields of a definition', '{"firstMessage":"x","model":', '}'],
  ])('accepts or refuses deeply nested %s', (_, open, close) => {
    expectAnswer(`${open.repeat(20_000)}null${close.repeat(20_000)}`);
  });

  it('accepts or refuses values that are not numbers', () => {
    expectAnswer('{"model":{"provider":"x","temperature":1e999},"maxDurationSeconds":-1e999}');
  });

  /** CPU time, which a busy machine does not change. Quadratic time would be minutes, far above the limit. */
  const expectInTime = (definition: unknown): ImportResult => {
    const text = JSON.stringify(definition);
    const start = process.cpuUsage();
    const result = importAgent(text);
    expect(process.cpuUsage(start).user / 1e6).toBeLessThan(15);
    if (result.ok) expectWithinBounds(result.agent);
    return result;
  };

  it.each([
    ['a 440 KB definition that stands for 9.6 GB', 40_000, 240_000],
    ['a 120 KB definition that stands for 400 MB', 20_000, 20_000],
  ])('fills in variables up to the bound: %s', (_, uses, length) => {
    const prompt = { general_prompt: '{{a}}'.repeat(uses), default_dynamic_variables: { a: 'x'.repeat(length) } };
    const result = expectInTime({ agent: { agent_name: 'A' }, llm: prompt });
    if (!result.ok) throw new Error(result.code);
    expect(result.agent.instructions).toBe('x'.repeat(4096));
    expect(result.notes).toContainEqual({
      severity: 'warning',
      code: 'text_cut',
      path: 'llm.general_prompt',
      values: { field: 'instructions', characters: uses * length, kept: 4096 },
    });
  });

  it.each([
    ...['aa:bb:', 'aa://bb:', 'eyJ-', 'eyJaaaaaaaa.', 'SG.', 'SG.aaaaaaaaaaaaaaaaa', 'pat-na1-', 'Bearer ', 'token: '],
    ...['api_key: ..........', 'https://hooks.slack.com/services/', '-----BEGIN PRIVATE KEY-----', 'Basic aaaaaaaa '],
    ...['{{ "a" | b }}', '{{{', '{% a', 'e\u0301', '\u0301', '🇩🇪', '\r', ' a'],
  ])('reads a long repetition of %j in linear time', piece => {
    const text = piece.repeat(Math.floor(230_000 / JSON.stringify(piece).length));
    expectInTime({ name: text, model: { messages: [{ role: 'system', content: text }] } });
  });

  it.each<[string, object]>([
    ['tools', { model: { tools: Array(100_000).fill('t') } }],
    ['numbers', { firstMessage: 'x', metadata: Array(200_000).fill(0) }],
    ['fields', { firstMessage: 'x', ...Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`f${i}`, 1])) }],
    ['states', { llm: { states: Array.from({ length: 10_000 }, (_, i) => ({ name: `s${i}`, state_prompt: 'p' })) } }],
    ['a number', { model: { tools: [{ type: 'transferCall', destinations: [`111${','.repeat(400_000)}!`] }] } }],
    [
      'credentials and texts',
      {
        server: Object.fromEntries(
          Array.from({ length: 190 }, (_, i) => [`a${i}_secret`, `a1b2c3d4e5f6a7b8${1000 + i}`]),
        ),
        model: { messages: Array.from({ length: 7_000 }, () => ({ role: 'system', content: 'abcdefghijklmnopq' })) },
      },
    ],
  ])('reads very many %s in linear time', (_, definition) => {
    expect(expectInTime(definition).ok).toBe(true);
  });

  it('reads a definition that is built to be slow in time', () => {
    for (const piece of ['{{', '{{a', '{%', 'sk-', 'eyJ', 'a:b@', '-----BEGIN ', 'Bearer ', 'aaaa0', 'https://a:']) {
      const text = piece.repeat(Math.floor(400_000 / piece.length));
      expectAnswer(JSON.stringify({ firstMessage: text, systemPrompt: text.slice(0, 50_000) }));
    }
  });

  it('returns the same result for the same text', () => {
    expect(importedA()).toEqual(importedA());
  });
});
