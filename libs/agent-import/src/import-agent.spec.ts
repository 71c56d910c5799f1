import { agentBounds } from '@rtms/contracts';
import fc from 'fast-check';
import { importAgent } from './import-agent.js';
import type { AgentFields } from './imported-agent.js';
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

/** Imported within the bounds (then it returns true), or refused with a reason: nothing else happens. */
function expectAnswer(text: string): boolean {
  const result = importAgent(text);
  if (result.ok) expectWithinBounds(result.agent);
  else expect(result.message).toMatch(/\.$/);
  return result.ok;
}

describe('importing', () => {
  it('answers to any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), text => void expectAnswer(text)));
  });

  it('answers to any JSON', () => {
    fc.assert(fc.property(fc.json(), text => void expectAnswer(text)));
  });

  /** Counts of a property's runs: proof that it reached the cases that it is about. */
  const newReach = () => ({ imported: 0, refused: 0, fields: 0 });

  function noteReach(reached: ReturnType<typeof newReach>, definition: unknown, isImported: boolean): void {
    reached[isImported ? 'imported' : 'refused'] += 1;
    reached.fields = Math.max(reached.fields, pathsOf(definition).length);
  }

  it('answers to anything under the names that it knows', () => {
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

  it('answers to a definition with anything in any place', () => {
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
  ])('answers to %s that go very deep', (_, open, close) => {
    expectAnswer(`${open.repeat(20_000)}null${close.repeat(20_000)}`);
  });

  it('answers to numbers that are none', () => {
    expectAnswer('{"model":{"provider":"x","temperature":1e999},"maxDurationSeconds":-1e999}');
  });

  it('answers in time to what is made to take long', () => {
    for (const piece of ['{{', '{{a', '{%', 'sk-', 'eyJ', 'a:b@', '-----BEGIN ', 'Bearer ', 'aaaa0', 'https://a:']) {
      const text = piece.repeat(Math.floor(400_000 / piece.length));
      expectAnswer(JSON.stringify({ firstMessage: text, systemPrompt: text.slice(0, 50_000) }));
    }
  });

  it('answers the same to the same text', () => {
    expect(importedA()).toEqual(importedA());
  });
});
