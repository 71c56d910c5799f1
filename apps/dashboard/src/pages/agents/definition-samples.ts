import type { ImportedAgent } from '@rtms/agent-import';

type Platform = ImportedAgent['platform'];

/** The fields by which users recognise the shape of their export, since the platforms have no names here. */
export const shapes: Readonly<Record<Platform, { title: string; fields: string }>> = {
  A: { title: 'One assistant object', fields: 'model.messages, firstMessage, voice' },
  B: { title: 'An agent and its LLM', fields: 'agent.agent_name, llm.general_prompt, llm.begin_message' },
};

/** A small definition of each shape. Each leaves something to finish by hand, as real exports do. */
export const samples: Readonly<Record<Platform, object>> = {
  A: {
    name: 'Harbour Desk',
    firstMessage: 'Harbour office, good day {{customer_name}}.',
    firstMessageMode: 'assistant-speaks-first',
    model: {
      provider: 'northwind',
      model: 'nw-4',
      temperature: 0.4,
      messages: [{ role: 'system', content: 'You answer for the harbour office. Berths are given out by the hour.' }],
      tools: [{ type: 'function', function: { name: 'find_berth' } }],
    },
    voice: { provider: 'larynx', voiceId: 'marina' },
    transcriber: { provider: 'listener', language: 'en' },
    maxDurationSeconds: 900,
  },
  B: {
    agent: {
      agent_name: 'Bakery Line',
      voice_id: 'larynx-rye',
      language: 'en-GB',
      max_call_duration_ms: 1_200_000,
      response_engine: { type: 'llm', llm_id: 'llm_1' },
    },
    llm: {
      llm_id: 'llm_1',
      model: 'nw-4',
      model_temperature: 0.2,
      general_prompt: 'You take orders for {{bakery}}. The caller is {{caller}}.',
      begin_message: 'Good morning!',
      start_speaker: 'agent',
      default_dynamic_variables: { bakery: 'The Crust' },
      general_tools: [{ type: 'transfer_call', name: 'to_the_baker', transfer_destination: { type: 'inferred' } }],
    },
  },
};
