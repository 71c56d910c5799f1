import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Bus, Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import type { MediaToken, TokenPurpose } from '@rtms/contracts';
import { publishKeys, TokenSigner, TokenVerifier } from '@rtms/tokens';
import { decodeProtectedHeader } from 'jose';
import { RepeatingTask } from '../../platform/jobs/repeating-task.js';
import { BUS, CLOCK } from '../../platform/runtime/runtime.module.js';
import { publicKeysOf, signingKeyOf } from './signing-key.entity.js';
import type { StoredSigningKey } from './signing-key.entity.js';
import { SigningKeysRepository } from './signing-keys.repository.js';

/** A replica finds a rotation by another replica within this time. */
const reloadMs = 10_000;

/** The shortest time between two reads for unknown keys. */
const minReloadMs = 500;

/** The keys that sign tokens and paths. The gateway publishes the public halves on the bus for the media nodes. */
@Injectable()
export class SigningKeysService implements OnApplicationBootstrap, OnApplicationShutdown {
  private keys: StoredSigningKey[] = [];
  private adoptedAt = Number.NEGATIVE_INFINITY;
  private readonly signers = new Map<string, TokenSigner>();
  private readonly task = new RepeatingTask(this.clock, 'SigningKeys', reloadMs, () => this.reload());
  private readonly verifier = new TokenVerifier(this.clock);
  private connection: Closeable | undefined;

  constructor(
    private readonly store: SigningKeysRepository,
    @Inject(BUS) private readonly bus: Bus,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.task.trigger();
    this.connection = this.bus.onConnectionChange(connected => connected && this.task.trigger());
  }

  async onApplicationShutdown(): Promise<void> {
    await this.connection?.close();
    await this.task.close();
  }

  async signer(): Promise<TokenSigner> {
    if (this.keys.length === 0) this.adopt(await this.store.load());
    const key = signingKeyOf(this.keys, new Date(this.clock.now()));
    if (!key) throw new Error('no signing key is stored');
    return this.signerOf(key);
  }

  /** Verifies a token that a client sends to the gateway. Throws `invalid_credentials` or `token_expired`. */
  async verify(token: string, purpose: TokenPurpose): Promise<MediaToken> {
    if (!this.isKnown(kidOf(token))) this.adopt(await this.store.load());
    return this.verifier.verify(token, purpose);
  }

  /** Creates a key, which signs as soon as all media nodes know it. Returns its id. */
  async rotate(): Promise<{ kid: string; publishedKids: string[] }> {
    const formerKids = new Set(this.keys.map(key => key.kid));
    this.adopt(await this.store.rotate(keys => this.publish(keys)));
    const [newest] = [...this.keys].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
    if (!newest || formerKids.has(newest.kid)) throw new Error('the rotation created no key');
    return { kid: newest.kid, publishedKids: publicKeysOf(this.keys, new Date(this.clock.now())).map(key => key.kid) };
  }

  private isKnown(kid: string | undefined): boolean {
    // A client that invents key identifiers must not cause a read for each of them.
    return (
      this.keys.length > 0 &&
      (this.clock.now() - this.adoptedAt < minReloadMs || this.keys.some(key => key.kid === kid))
    );
  }

  private adopt(keys: StoredSigningKey[]): void {
    this.keys = keys;
    this.adoptedAt = this.clock.now();
    this.verifier.setKeys({ keys: publicKeysOf(keys, new Date(this.clock.now())).map(key => key.publicJwk) });
  }

  private async reload(): Promise<void> {
    this.adopt(await this.store.load());
    if (this.bus.isConnected()) await this.publish(this.keys);
  }

  private publish(keys: readonly StoredSigningKey[]): Promise<void> {
    const published = publicKeysOf(keys, new Date(this.clock.now()));
    return publishKeys(
      this.bus,
      published.map(key => key.publicJwk),
    );
  }

  private signerOf(key: StoredSigningKey): TokenSigner {
    const signer = this.signers.get(key.kid) ?? new TokenSigner(this.store.open(key), this.clock);
    this.signers.set(key.kid, signer);
    return signer;
  }
}

/** Returns the `kid` in the header of a token. */
function kidOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
}
