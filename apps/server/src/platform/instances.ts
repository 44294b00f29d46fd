/** What a part keeps in memory while the application runs: made on first use, one per application. */
export type Instances<Context> = <T>(make: (ctx: Context) => T) => T

/** `context` answers the application's own context, never that of the request which happens to ask first. */
export function createInstances<Context>(context: () => Context): Instances<Context> {
  const made = new Map<unknown, unknown>()
  return <T>(make: (ctx: Context) => T): T => {
    if (!made.has(make)) made.set(make, make(context()))
    return made.get(make) as T
  }
}
