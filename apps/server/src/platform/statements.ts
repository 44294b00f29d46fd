import { createHash } from 'node:crypto'
import type { Pool } from 'pg'

/** SQL written by hand, with its values. `prepare`: the server keeps its plan; for texts of which there are few. */
export type Statement = { text: string; values: readonly unknown[]; prepare?: boolean }

/** Collects the values of a statement while its text is put together. */
export class Values {
  readonly list: unknown[] = []

  /** Returns the placeholder that stands for the value in the text. Text with a NUL, which no row holds, matches nothing. */
  add(value: unknown): string {
    this.list.push(typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value)
    return `$${this.list.length}`
  }
}

const names = new Map<string, string>()
/** Every connection keeps the plans of all of them in its memory. */
const maxPrepared = 64

/** undefined: there are enough, this text is planned each time. */
function nameOf(text: string): string | undefined {
  let name = names.get(text)
  if (name === undefined && names.size < maxPrepared) {
    name = createHash('sha1').update(text).digest('base64url')
    names.set(text, name)
  }
  return name
}

/** A word of ours, such as a status, as a literal: with it the planner knows how frequent it is. */
export function literal(word: string): string {
  if (!/^[\w-]+$/.test(word)) throw new Error(`${word} is not a plain word`)
  return `'${word}'`
}

export async function runStatement<Row>(pool: Pool, { text, values, prepare }: Statement): Promise<Row[]> {
  const name = prepare ? nameOf(text) : undefined
  const { rows } = await pool.query({ text, values: [...values], ...(name && { name }) })
  return rows as Row[]
}
