/** What a node tried on itself. */
export interface Trial {
  ok: boolean;
  /** What it took, or what went wrong. */
  detail: string;
}

/** Where a media worker answers ICE, with the credentials of a transport that was opened to be tried. */
export interface MediaEndpoint {
  protocol: 'udp' | 'tcp';
  address: string;
  port: number;
  usernameFragment: string;
  password: string;
}

export interface DirectorySpace {
  /** What for, e.g. `segments`. */
  purpose: string;
  path: string;
  isWritable: boolean;
  freeBytes: number;
  totalBytes: number;
}

export interface SfuDiagnosis {
  /** RFC 3339, by the node's clock. */
  measuredAt: string;
  /** A DTLS handshake with each media worker, from the node itself. */
  handshake: Trial;
  /** Of the machine, without loopback. */
  machineAddresses: string[];
  /** Answer for `diagnosisSeconds`. */
  endpoints: MediaEndpoint[];
}

export interface TranscoderDiagnosis {
  measuredAt: string;
  /** Of those that are needed. */
  missingEncoders: string[];
  ffmpegVersion: string;
  /** A second of picture and sound, encoded. */
  encoding: Trial;
  directories: DirectorySpace[];
}

export interface EndpointTrial extends Trial {
  protocol: 'udp' | 'tcp';
  address: string;
  port: number;
}

/** How long transports stay open to be tried from elsewhere. */
export const diagnosisSeconds = 20;

/** How long one endpoint may take to answer. */
export const endpointTrialMs = 2_000;
