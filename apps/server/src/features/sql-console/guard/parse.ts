import { Refused } from './refused.ts'

/** A node of the grammar: its one field is its name. */
export type Node = Readonly<Record<string, unknown>>

type Parsed = { version: number; stmts?: readonly { stmt?: Node; stmt_location?: number; stmt_len?: number }[] }
type Parser = { parse(text: string): Promise<unknown> }
type ParseError = Error & { sqlDetails?: { cursorPosition?: number; message?: string } }

// With its grammar it takes megabytes: only who uses the console loads it.
let parser: Promise<Parser> | undefined

export type Statement = {
  /** The statement alone, without what stands before it and the semicolon behind it. */
  text: string
  /** Where it begins in what was typed, in characters. */
  offset: number
  node: Node
}

/** Reads what was typed with PostgreSQL's own grammar; there must be one statement. */
export async function parseOne(text: string): Promise<Statement> {
  if (text.includes('\0')) throw new Refused('A query cannot contain a NUL character', null)
  const { stmts = [] } = await read(text)
  if (stmts.length > 1) {
    const bytes = stmts[1]?.stmt_location ?? 0
    throw new Refused('One statement at a time', charactersOf(text, bytes))
  }
  const [only] = stmts
  if (!only?.stmt) throw new Refused('Enter a statement', null)
  const bytes = Buffer.from(text)
  const start = only.stmt_location ?? 0
  const end = only.stmt_len ? start + only.stmt_len : bytes.length
  return {
    text: bytes.subarray(start, end).toString(),
    offset: bytes.subarray(0, start).toString().length,
    node: only.stmt,
  }
}

async function read(text: string): Promise<Parsed> {
  parser ??= import('libpg-query') as Promise<Parser>
  const { parse } = await parser
  try {
    return (await parse(text)) as Parsed
  } catch (error) {
    const { message, sqlDetails } = error as ParseError
    const position = sqlDetails?.cursorPosition
    throw new Refused(sqlDetails?.message ?? message, typeof position === 'number' && position >= 0 ? position : null)
  }
}

/** The grammar counts bytes. */
export const charactersOf = (text: string, bytes: number): number =>
  Buffer.from(text).subarray(0, bytes).toString().length
