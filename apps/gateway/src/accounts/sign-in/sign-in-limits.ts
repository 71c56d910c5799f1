/** The greatest numbers of failed attempts in one window. */
export interface SignInLimits {
  perAddress: number;
  /** The limit of one email address, from all client addresses together. */
  perEmail: number;
  windowSeconds: number;
}

export const defaultSignInLimits: SignInLimits = { perAddress: 100, perEmail: 10, windowSeconds: 900 };
