/** What a child says, a line at a time: news as often as there is any, and one last word. */
export type Said = { news: unknown } | { answer: unknown } | { failed: Failed }

/** An error on its way between two processes. */
export type Failed = { name: string; message: string; stack?: string; code?: string; syscall?: string }

export const toLine = (value: object): string => `${JSON.stringify(value)}\n`

/** Reads no further than is asked for, so that what waits does not fill the memory. */
export async function* linesOf(stream: NodeJS.ReadableStream): AsyncGenerator<string> {
  let rest = ''
  stream.setEncoding('utf8')
  for await (const piece of stream as AsyncIterable<string>) {
    const parts = (rest + piece).split('\n')
    rest = parts.pop() ?? ''
    yield* parts
  }
}
