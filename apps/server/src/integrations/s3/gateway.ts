/** A store of objects outside this machine, in our words. */
export type ObjectStore = {
  /** Where that is, for people: bucket and address. */
  name: string
  /** Writes a file of that many bytes; an object that was not written whole is not there. */
  put(key: string, path: string, options: { signal: AbortSignal; onBytes(bytes: number): void }): Promise<void>
  /** What lies there now. */
  get(key: string, signal?: AbortSignal): AsyncIterable<Buffer>
  /** null: there is no such object. */
  size(key: string): Promise<number | null>
  remove(key: string): Promise<void>
}

/** The message is for people, without its full stop. */
export class StoreFailure extends Error {
  override name = 'StoreFailure'
}
