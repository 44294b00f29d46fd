export class LateError extends Error {
  override name = 'LateError'
}

/** The result of the work, unless it takes too long; then the work goes on alone. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    if (Number.isFinite(ms)) timer = setTimeout(() => reject(new LateError(`No answer within ${ms / 1000} s`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
