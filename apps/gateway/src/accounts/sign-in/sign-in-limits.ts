/** How many attempts that fail there may be within a window. */
export interface SignInLimits {
  perAddress: number;
  /** For one e-mail address, from anywhere. */
  perEmail: number;
  windowSeconds: number;
}

export const defaultSignInLimits: SignInLimits = { perAddress: 100, perEmail: 10, windowSeconds: 900 };
