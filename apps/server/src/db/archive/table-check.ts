import { createHash, type Hash } from 'node:crypto'
import type { Summary } from './frames.ts'

/** Counts lines, which in COPY's text are rows: a line end within a value is written as two other characters. */
function countLines(data: Buffer): number {
  let lines = 0
  for (let at = data.indexOf(10); at !== -1; at = data.indexOf(10, at + 1)) lines++
  return lines
}

/** What a table came to: to be compared with what it comes to elsewhere. */
export class TableCheck {
  readonly name: string
  readonly #hash: Hash = createHash('sha256')
  rows = 0

  constructor(name: string) {
    this.name = name
  }

  add(data: Buffer): void {
    this.#hash.update(data)
    this.rows += countLines(data)
  }

  end(): Summary['tables'][string] {
    return { rows: this.rows, sha256: this.#hash.digest('hex') }
  }
}
