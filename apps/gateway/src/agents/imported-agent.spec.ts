import { importAgent } from '@rtms/agent-import';
import fc from 'fast-check';
import { DtoValidationPipe } from '../http/validation.pipe.js';
import { CreateAgentDto } from './dto/create-agent.dto.js';

/** What the importer makes of a definition, as POST /v1/agents checks it. */
async function expectAccepted(definition: unknown): Promise<void> {
  const result = importAgent(JSON.stringify(definition));
  if (!result.ok) throw new Error(result.message);
  const checked = await new DtoValidationPipe().transform(result.agent, { type: 'body', metatype: CreateAgentDto });
  expect(checked).toEqual(expect.objectContaining({ name: result.agent.name, reference: result.reference }));
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.nat({ max: 6000 }).map(count => '🙂'.repeat(count)),
);
const address = fc.oneof(
  fc.webUrl({ validSchemes: ['https', 'http'], withQueryParameters: true, withFragments: true }),
  text,
);
const amount = fc.oneof(fc.integer(), fc.double());
const tools = fc.array(fc.record({ type: text, name: text }), { maxLength: 120 });

describe('an agent that was imported', () => {
  it('can be created as it is, from any definition of platform A', async () => {
    const model = fc.record({ provider: text, model: text, temperature: amount, systemPrompt: text, tools });
    const voice = fc.record({ provider: text, voiceId: text });
    const fields = { name: text, firstMessage: text, endCallMessage: text, endCallPhrases: fc.array(text) };
    const server = fc.record({ url: address });
    const definition = fc.record({ ...fields, model, voice, transcriber: voice, maxDurationSeconds: amount, server });
    await fc.assert(fc.asyncProperty(definition, expectAccepted));
  });

  it('can be created as it is, from any definition of platform B', async () => {
    const agent = fc.record({
      agent_name: text,
      voice_id: text,
      language: text,
      webhook_url: address,
      max_call_duration_ms: amount,
    });
    const states = fc.array(fc.record({ name: text, state_prompt: text, tools }), { maxLength: 3 });
    const llm = fc.record({
      general_prompt: text,
      begin_message: text,
      model: text,
      model_temperature: amount,
      states,
    });
    await fc.assert(fc.asyncProperty(fc.record({ agent, llm }), expectAccepted));
  });
});
