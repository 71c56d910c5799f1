interface AllowanceSettings {
  /** Commands that may come at once. */
  burst: number;
  perSecond: number;
  /** Refusals in a row before the gateway closes the connection. */
  patience: number;
}

export const defaultAllowance: AllowanceSettings = { burst: 60, perSecond: 20, patience: 100 };

/** Limits the commands of one connection by a token bucket. */
export class CommandAllowance {
  private tokens: number;
  private filledAt: number;
  private refusals = 0;

  constructor(
    private readonly settings: AllowanceSettings,
    now: number,
  ) {
    this.tokens = settings.burst;
    this.filledAt = now;
  }

  /** `now` is in milliseconds. `disconnect`: the client ignored too many refusals. */
  take(now: number): 'allowed' | 'refused' | 'disconnect' {
    const { burst, perSecond, patience } = this.settings;
    this.tokens = Math.min(burst, this.tokens + (Math.max(0, now - this.filledAt) / 1000) * perSecond);
    this.filledAt = now;
    if (this.tokens >= 1) {
      this.tokens -= 1;
      this.refusals = 0;
      return 'allowed';
    }
    this.refusals += 1;
    return this.refusals > patience ? 'disconnect' : 'refused';
  }
}
