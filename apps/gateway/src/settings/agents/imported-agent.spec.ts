import { definitionLimits, describeFinding, importAgent, type AgentFields } from '@rtms/agent-import';
import { agentBounds } from '@rtms/contracts';
import fc from 'fast-check';
import { DtoValidationPipe } from '../../platform/http/validation.pipe.js';
import { CreateAgentDto } from './agent.dto.js';

/** The largest values of all runs: proof that the definitions reach the bounds of an agent. */
class Reach {
  todo = 0;
  instructions = 0;
  firstMessage = 0;

  note({ todo, instructions, firstMessage }: AgentFields): void {
    this.todo = Math.max(this.todo, todo.length);
    this.instructions = Math.max(this.instructions, [...instructions].length);
    this.firstMessage = Math.max(this.firstMessage, [...(firstMessage ?? '')].length);
  }
}

/** The importer's result for a definition, as POST /v1/agents checks it. */
async function expectAccepted(definition: unknown, reach: Reach): Promise<void> {
  const json = JSON.stringify(definition);
  fc.pre(json.length <= definitionLimits.characters);
  const result = importAgent(json);
  if (!result.ok) throw new Error(describeFinding(result));
  reach.note(result.agent);
  const checked = await new DtoValidationPipe().transform(result.agent, { type: 'body', metatype: CreateAgentDto });
  expect(checked).toEqual(expect.objectContaining({ name: result.agent.name, reference: result.reference }));
}

const longText = fc.nat({ max: 6000 }).map(count => '🙂'.repeat(count));
/** Mostly short: a definition has hundreds of texts, and the bounds of 1 to 6,000 characters need a long one here and there. */
const text = fc.oneof(
  { weight: 8, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
  { weight: 1, arbitrary: longText },
);
/** For the fields with the highest bounds. One in six is above 4,096 characters: of 60, one is practically certain. */
const oftenLong = fc.oneof(text, longText);
const address = fc.oneof(
  fc.webUrl({ validSchemes: ['https', 'http'], withQueryParameters: true, withFragments: true }),
  text,
);
const amount = fc.oneof(fc.integer(), fc.double());
const tools = fc.array(fc.record({ type: text, name: text }), { maxLength: 120 });

describe('an imported agent', () => {
  const { todo, instructions, firstMessage } = agentBounds;
  const bounds = { todo: todo.items, instructions, firstMessage };

  it('can be created unchanged from any definition of platform A', async () => {
    const model = fc.record({ provider: text, model: text, temperature: amount, systemPrompt: oftenLong, tools });
    const voice = fc.record({ provider: text, voiceId: text });
    const fields = { name: text, firstMessage: oftenLong, endCallMessage: text, endCallPhrases: fc.array(text) };
    const server = fc.record({ url: address });
    const definition = fc.record({ ...fields, model, voice, transcriber: voice, maxDurationSeconds: amount, server });
    const reach = new Reach();
    await fc.assert(
      fc.asyncProperty(definition, given => expectAccepted(given, reach)),
      { numRuns: 60 },
    );
    expect(reach).toEqual(bounds);
  });

  it('can be created unchanged from any definition of platform B', async () => {
    const agent = fc.record({
      agent_name: text,
      voice_id: text,
      language: text,
      webhook_url: address,
      max_call_duration_ms: amount,
    });
    const states = fc.array(fc.record({ name: text, state_prompt: text, tools }), { maxLength: 3 });
    const llm = fc.record({
      general_prompt: oftenLong,
      begin_message: oftenLong,
      model: text,
      model_temperature: amount,
      states,
    });
    const reach = new Reach();
    await fc.assert(
      fc.asyncProperty(fc.record({ agent, llm }), given => expectAccepted(given, reach)),
      { numRuns: 60 },
    );
    expect(reach).toEqual(bounds);
  });
});
