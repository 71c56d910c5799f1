/** A recording is hardly more than writing down what comes in. */
const recordingShare = 0.1;

interface Loaded {
  readonly load: number;
}

/** How many of the node's places for broadcasts are taken; recordings take a tenth of one each. */
export function nodeLoad(broadcasts: Loaded, recordings: Loaded): number {
  return broadcasts.load + recordings.load * recordingShare;
}
