import type { Kysely, Transaction } from 'kysely'
import type { DB } from '../../../db/types.ts'

type Tx = Transaction<DB>
type Found = { deleted_at: Date | null } | undefined

const byId = (db: Kysely<DB>, id: string) => db.selectFrom('customers').select('deleted_at').where('id', '=', id)

export const findDeleted = (db: Kysely<DB>, id: string): Promise<Found> => byId(db, id).executeTakeFirst()

/** Of two requests about one customer the second sees what the first has begun. */
export const lockCustomer = (tx: Tx, id: string): Promise<Found> => byId(tx, id).forUpdate().executeTakeFirst()
