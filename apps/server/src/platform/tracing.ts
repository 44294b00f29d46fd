import { AsyncLocalStorage } from 'node:async_hooks'

type Attributes = Record<string, string | number | boolean>
export type SpanKind = 'server' | 'client' | 'consumer'

/** Something that takes time, as whoever collects traces sees it. */
export type Span = {
  child(name: string, kind: SpanKind): Span
  rename(name: string): void
  set(attributes: Attributes): void
  /** Its kind alone: a message may hold what is nobody else's business. */
  fail(error: unknown): void
  end(): void
}

/** Starts spans that belong to no other; there is one only where somebody collects them. */
export type Tracer = { start(name: string, kind: SpanKind): Span; stop(): Promise<void> }

const current = new AsyncLocalStorage<Span>()

/** What is done in here is part of the span. */
export const runIn = <T>(span: Span, work: () => T): T => current.run(span, work)

async function finish<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await current.run(span, work)
  } catch (error) {
    span.fail(error)
    throw error
  } finally {
    span.end()
  }
}

/** A span of its own, around a job. */
export function inRoot<T>(
  tracer: Tracer | null,
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  if (!tracer) return work()
  const span = tracer.start(name, kind)
  span.set(attributes)
  return finish(span, work)
}

/** A part of the request or job that it is done for. Outside of these, and where nobody collects, only the work. */
export function inSpan<T>(name: string, attributes: Attributes, work: (span: Span | null) => Promise<T>): Promise<T> {
  const parent = current.getStore()
  if (!parent) return work(null)
  const span = parent.child(name, 'client')
  span.set(attributes)
  return finish(span, () => work(span))
}

/** A path with the ids of its objects left out: there are as many as calls, and ids are nobody else's business. */
export const templateOf = (path: string): string =>
  (path.split('?', 1)[0] ?? '')
    .split('/')
    .map((part) => (/^v\d+$/.test(part) || /^[a-z][a-z_-]*$/.test(part) || part === '' ? part : ':id'))
    .join('/')
