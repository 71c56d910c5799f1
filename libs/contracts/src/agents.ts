/** Bounds of an agent's fields; lengths are counted in code points. */
export const agentBounds = {
  name: 128,
  role: 128,
  instructions: 4096,
  firstMessage: 2000,
  responseGuidelines: 4096,
  webhookUrl: 2048,
  temperature: { min: 0, max: 1 },
  sessionMinutes: { min: 1, max: 120 },
  todo: { items: 100, characters: 512 },
  reference: { provider: 128, model: 128, voice: 128, transcriber: 128, language: 64 },
} as const;

/** What an agent's fields are when they are left out. */
export const agentDefaults = {
  instructions: '',
  firstMessage: null,
  speaksFirst: true,
  temperature: 0.7,
  responseGuidelines: null,
  maxSessionMinutes: 30,
  webhookUrl: null,
  todo: [],
  reference: {},
};
