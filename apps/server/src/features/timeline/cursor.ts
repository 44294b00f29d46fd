import { z } from 'zod'

/** A place between the entries of a timeline: just before or, with `isIncluded`, just after the entry that it names. */
export type Cursor = {
  at: string
  /** None: before all entries of the instant. */
  source: string | null
  id: string
  isIncluded: boolean
}

// The database knows no year 0.
const at = z.iso.datetime().refine((text) => !text.startsWith('0000'))

const shape = z.tuple([at, z.string().nullable(), z.string(), z.boolean()])

export const writeCursor = ({ at, source, id, isIncluded }: Cursor): string =>
  Buffer.from(JSON.stringify([at, source, id, isIncluded])).toString('base64url')

/** Undefined for what no answer ever said. */
export function readCursor(text: string): Cursor | undefined {
  try {
    const [at, source, id, isIncluded] = shape.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
    return { at, source, id, isIncluded }
  } catch {
    return undefined
  }
}
