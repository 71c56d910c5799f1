/** Stands where a secret stood. */
export const removed = '[removed]';

/** Keys that are known by their form alone. */
const shapes = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?/g,
  /\b(?:sk|pk|rk)[-_][\w-]{16,}/g,
  /\b(?:gh[opsur]|github_pat|glpat|whsec|gsk|cal_live|cal_test|cal|key|token|secret|tok|hf|xai|pat)[-_][A-Za-z0-9]{16,}/g,
  /\bxox[a-z]-[\w-]{10,}/g,
  /\bA(?:KIA|SIA)[0-9A-Z]{16}\b/g,
  /\bAIza[\w-]{30,}/g,
  /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/g,
  /\b(?:AC|SK)?(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{32,}\b/g,
];
const bearer = /\b(Bearer|Basic)\s+[\w.~+/=-]{12,}/g;
const passwordInAddress = /\b(\w{2,10}:(?:\/\/)?)[^\s/:@]+:[^\s/@]+@/g;

export function withoutKeys(text: string): string {
  const named = text.replace(bearer, `$1 ${removed}`).replace(passwordInAddress, '$1');
  return shapes.reduce((rest, shape) => rest.replace(shape, removed), named);
}

/** Long, in one piece, of letters and digits: nothing that people write. */
export function looksRandom(text: string): boolean {
  return /^[\w.~+/=-]{16,}$/.test(text) && /\d/.test(text) && /[A-Za-z]/.test(text);
}
