import { z } from 'zod'
import { CloudflareError } from './errors.ts'

const pageInfo = z.object({ total_count: z.int().nullish(), total_pages: z.int().nullish() }).nullish().catch(null)
const envelope = z.object({ result: z.unknown(), result_info: pageInfo })

const strange = (what: string, cause: unknown): CloudflareError =>
  new CloudflareError('bad_answer', `Cloudflare API error: ${what} came without what it consists of`, { cause })

/** What was asked for, in the form that it must have; `result: null` has none. */
export async function checked<T>(what: string, schema: z.ZodType<T>, asked: PromiseLike<unknown>): Promise<T> {
  const parsed = schema.safeParse(await asked)
  if (!parsed.success) throw strange(what, parsed.error)
  return parsed.data
}

export type Page<T> = { rows: T[]; total: number | null; pages: number | null }

export async function checkedPage<T>(
  what: string,
  schema: z.ZodType<T[]>,
  asked: PromiseLike<unknown>,
): Promise<Page<T>> {
  const { result, result_info: info } = await checked(what, envelope, asked)
  const rows = await checked(what, schema, Promise.resolve(result))
  return { rows, total: info?.total_count ?? null, pages: info?.total_pages ?? null }
}

export async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof CloudflareError && error.kind === 'not_found') return null
    throw error
  }
}

/** All pages, for as long as the server says that there are more. One that repeats itself, or never ends, is refused. */
export async function everyPage<T>(
  what: string,
  { size, most }: { size: number; most: number },
  idOf: (row: T) => string,
  load: (page: number) => Promise<Page<T>>,
): Promise<T[]> {
  const known = new Map<string, T>()
  for (let page = 1; page <= most; page++) {
    const { rows, pages } = await load(page)
    const before = known.size
    for (const row of rows) known.set(idOf(row), row)
    const isLast = pages === null ? rows.length < size : page >= pages
    if (isLast || rows.length === 0) return [...known.values()]
    if (known.size === before)
      throw new CloudflareError('bad_answer', `Cloudflare API error: ${what} repeats a page instead of ending`)
  }
  throw new CloudflareError('bad_answer', `Cloudflare API error: ${what} does not end after ${most} pages`)
}
