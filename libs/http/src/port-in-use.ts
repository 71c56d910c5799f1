/**
 * What a server's refusal to listen is told as: `Port 4000 on 127.0.0.1 is in use. Set PORT to another one.`, or the error
 * itself when it is another one.
 */
export function toListenError(error: unknown, host: string, port: number, variable = 'PORT'): unknown {
  return isInUse(error) ? new Error(`Port ${port} on ${host} is in use. Set ${variable} to another one.`) : error;
}

/** `instanceof Error` fails for errors of another realm, as tests have them. */
function isInUse(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'EADDRINUSE';
}
