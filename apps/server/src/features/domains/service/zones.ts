import type { AppContext } from '../../../context.ts'
import { findZones as findAll, findZone as findOne, type ZoneFacts } from '../queries/zones.ts'

type Where = Pick<AppContext, 'db' | 'cloudflare'>

/** The zones that are known of the connection in use; none when nothing is connected. */
export async function findZones({ db, cloudflare }: Where): Promise<ZoneFacts[]> {
  return cloudflare ? findAll(db, cloudflare.connection) : []
}

export async function findZone({ db, cloudflare }: Where, id: string): Promise<ZoneFacts | undefined> {
  return cloudflare ? findOne(db, cloudflare.connection, id) : undefined
}
