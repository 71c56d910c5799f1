/** `action` alone. */
export class TrackActionDto {}
