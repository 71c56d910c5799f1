/** The result of a wait. After the time limit it fails with the name of the awaited event. */
export async function within<Result>(milliseconds: number, what: string, waiting: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${milliseconds} ms for ${what}`)), milliseconds);
  });
  try {
    return await Promise.race([waiting, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
