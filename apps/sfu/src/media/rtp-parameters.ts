/** Signalling and engines know them under the port's own name; they also travel between nodes. */
export type { ReceiverCapabilities, RtpCodec, RtpEncoding, RtpHeaderExtension, RtpParameters } from '@rtms/contracts';
