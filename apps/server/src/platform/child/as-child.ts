import { type Failed, linesOf, type Said, toLine } from './wire.ts'

export type Parent = {
  /** What the console tells, after the order. */
  lines: AsyncIterator<unknown>
  /** For work that needs nothing but its order: from now on this process ends with the console, whatever it is at. */
  endWith(): void
  news(news: unknown): void
}

/** The whole life of a child process: takes the order, which is the first line, works, answers and ends. */
export async function asChild<Order>(work: (order: Order, parent: Parent) => Promise<unknown>): Promise<void> {
  const lines = parsed()
  const first = await lines.next()
  if (first.done) throw new Error('There is no order')
  const parent: Parent = {
    lines,
    endWith: () => void lines.next().then(() => process.exit(1)),
    news: (news) => void process.stdout.write(toLine({ news } satisfies Said)),
  }
  const last = await work(first.value as Order, parent).then(
    (answer): Said => ({ answer }),
    (error: unknown): Said => ({ failed: failedOf(error) }),
  )
  process.stdout.write(toLine(last), () => process.exit(0))
}

async function* parsed(): AsyncGenerator<unknown> {
  for await (const line of linesOf(process.stdin)) yield JSON.parse(line)
}

/** Trying several addresses of one name fails with an error without a code of its own. */
const firstOf = (error: unknown): unknown => (error instanceof AggregateError ? (error.errors[0] ?? error) : error)

function failedOf(thrown: unknown): Failed {
  const error = firstOf(thrown)
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const { name, message, stack, code, syscall } = error as Error & { code?: unknown; syscall?: unknown }
  return {
    ...{ name, message },
    ...(stack !== undefined && { stack }),
    ...(typeof code === 'string' && { code }),
    ...(typeof syscall === 'string' && { syscall }),
  }
}
