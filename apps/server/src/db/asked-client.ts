import { Client } from 'pg'

export type Answered = (error: unknown, result: unknown) => void

/**
 * A connection whose answers are let go when nobody needs them any more. The driver's own promises assign their callback to a
 * property of the query. V8 creates such functions among the old objects (`CheckAssigningFunctionLiteralToProperty` in its
 * parser), and with them keeps promise and rows until the next whole collection; so the driver is asked by callback.
 */
export class AskedClient extends Client {
  // The driver's overloads differ in what they answer only.
  override query(...given: unknown[]): never {
    const last = given.at(-1)
    if (typeof last === 'function') return this.ask(given.slice(0, -1), last as Answered)
    return new Promise((resolve, reject) => {
      this.ask(given, (error, result) => (error ? reject(error) : resolve(result)))
    }).catch((error: unknown) => {
      // Leads to who asked, not to the socket.
      if (error instanceof Error) Error.captureStackTrace(error)
      throw error
    }) as never
  }

  protected ask(question: unknown[], answered: Answered): never {
    return (super.query as (...given: unknown[]) => unknown).call(this, ...question, answered) as never
  }
}
