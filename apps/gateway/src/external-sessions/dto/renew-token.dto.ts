/** `action` alone. */
export class RenewTokenDto {}
