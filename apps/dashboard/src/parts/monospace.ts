/** `styles` of a field whose value is read letter by letter. */
export const monospace = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } } as const;
