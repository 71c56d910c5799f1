import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';

/** The arguments of each event. Each domain adds its events by declaration merging, beside the code that emits them. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface DomainEventMap {}

/**
 * Domains announce their changes here, after the commit, to listeners of this replica. A domain can thus reach a later domain
 * that it must not import.
 */
@Injectable()
export class DomainEvents extends EventEmitter<DomainEventMap & Record<never, never>> {}
