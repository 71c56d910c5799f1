import { Injectable } from '@nestjs/common';
import { RecoveryCodes } from './recovery-codes.service.js';
import { TotpService } from './totp.service.js';

/** What proves, besides the password, who somebody is: a code of the app, or a recovery code. */
@Injectable()
export class SecondFactor {
  constructor(
    private readonly totp: TotpService,
    private readonly recovery: RecoveryCodes,
  ) {}

  /** false: it is wrong, or was taken before. */
  take(userID: string, code: string): Promise<boolean> {
    return /^\d{6}$/.test(code) ? this.totp.take(userID, code) : this.recovery.take(userID, code);
  }
}
