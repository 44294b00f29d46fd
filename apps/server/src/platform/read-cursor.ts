import type { Pool } from 'pg'
import { allowReport } from '../db/limits.ts'
import type { Statement } from './statements.ts'

/** What one batch takes in the database is what others wait for a processor: 50 rows take less than a millisecond. */
const fewRows = 50

/** All rows as they were at one instant, in batches; the connection is held until the last one or until it is left. */
export async function* readCursor<Row extends object>(
  pool: Pool,
  { text, values }: Statement,
  batchRows = fewRows,
): AsyncGenerator<Row[]> {
  const client = await pool.connect()
  let restore = () => {}
  try {
    await client.query('begin transaction isolation level repeatable read read only')
    restore = await allowReport(client)
    await client.query(`declare exported no scroll cursor for ${text}`, [...values])
    for (;;) {
      const { rows } = await client.query<Row>(`fetch ${batchRows} from exported`)
      if (rows.length === 0) break
      yield rows
    }
  } finally {
    restore()
    await client.query('rollback').then(
      () => client.release(),
      (error: Error) => client.release(error),
    )
  }
}
